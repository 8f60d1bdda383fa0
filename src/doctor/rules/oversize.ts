import type { Dialect } from '../../domain/dialect.ts'
import type { TranscriptPath } from '../../dialects/violation.ts'
import type { Specimen, ExaminedConversation } from '../specimen.ts'
import { type DoctorProblem, jsonText } from './problem.ts'

interface Limits {
  /** Of the whole request, in bytes. */
  readonly request?: number
  readonly messages?: number
  /** Of one text, in characters. */
  readonly text?: number
  /** Of one image or file sent inline, in bytes. */
  readonly media?: number
}

const MB = 1_000_000
const MiB = 1024 * 1024

/** As providers document or answer them; none was tried again, so all are warnings. */
const LIMITS: Readonly<Partial<Record<Dialect, Limits>>> = {
  anthropic: { request: 32 * MB, media: 10 * MB },
  openai: { messages: 2_048, text: 10_485_760, media: 50 * MB },
  'openai-responses': { text: 10_485_760, media: 50 * MB },
  gemini: { request: 20 * MB },
  // What our own log takes, unless it was told otherwise.
  daybook: { text: 16 * MiB },
}

/** Larger than the provider takes: rejected whatever else is right, and only compaction or offloading helps. */
export function* oversize({ conversations }: Specimen): Generator<DoctorProblem> {
  for (const conversation of conversations) yield* tooLarge(conversation)
}

function* tooLarge(conversation: ExaminedConversation): Generator<DoctorProblem> {
  const limits = LIMITS[conversation.dialect] ?? {}
  const { path, wire, messages } = conversation
  if (limits.messages !== undefined && messages.length > limits.messages)
    yield over(path, `${messages.length} messages`, `at most ${limits.messages}`)
  const bytes = limits.request === undefined ? 0 : Buffer.byteLength(jsonText(wire))
  if (limits.request !== undefined && bytes > limits.request)
    yield over(path, `${bytes} bytes in one request`, `at most ${limits.request}`)
  for (const { parts } of conversation.spoken())
    for (const { part, path: at } of parts) {
      const place = [...path, ...at]
      if (part.type === 'text' && limits.text !== undefined && part.text.length > limits.text)
        yield over(place, `a text of ${part.text.length} characters`, `at most ${limits.text}`)
      if (!('source' in part) || part.source.type !== 'base64') continue
      const size = Math.floor((part.source.base64.length * 3) / 4)
      if (limits.media !== undefined && size > limits.media)
        yield over(place, `an inline ${part.type} of ${size} bytes`, `at most ${limits.media}`)
    }
}

function over(path: TranscriptPath, found: string, wanted: string): DoctorProblem {
  return {
    rule: 'oversize',
    topic: 'oversize',
    severity: 'warning',
    path,
    message: `Found ${found}: expected ${wanted}`,
  }
}
