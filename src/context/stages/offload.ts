import type { OffloadOptions } from '../../api/policy.ts'
import type { Draft } from '../../domain/message.ts'
import type { Pausing } from '../../log/with-pauses.ts'
import { clip, preview } from '../summary/excerpt.ts'
import { mentionsIn } from '../summary/ledger.ts'
import { keepVital } from '../summary/names-line.ts'
import { offloadMarker, dataLine } from '../summary/marker.ts'
import { type Payload, payloadsOf, replacePayloads, shortenArguments } from '../summary/payload.ts'
import { unitsWithin } from '../compaction/region.ts'
import type { ProposedFold, StageInput } from '../compaction/stage.ts'
import { withoutPlace } from '../summary/stand-in.ts'

/** Room for a short form that a model writes: as much as step 5 of AgentScope would leave of a payload at the limit. */
const RETOLD_TOKENS_MAX = 400
/** A stub has room for few names, and a window may have many long payloads. */
const END_CHARACTERS = 16_384

/**
 * Puts large payloads behind stubs: kind, size, first and last lines, and the fold to reopen. The message stays what it
 * was, with its role, name, ids and metadata and with all of its calls and results.
 */
export function* offload(input: StageInput, options: OffloadOptions): Pausing<readonly ProposedFold[]> {
  const proposals: ProposedFold[] = []
  for (const entry of unitsWithin(input, options).flatMap(({ unit }) => unit.entries)) {
    // What is shortened already stays so: a stub of a stub would show less and hide no more.
    if (entry.type === 'fold') continue
    yield
    const draft = withoutPlace(entry.message)
    const standIn = stubbed(draft, options)
    if (standIn === draft) continue
    const proposal = { kind: 'offload', entries: [entry], standIn: [standIn], by: 'rule' } as const
    const prompt = { name: 'shorten-payload', tokensMax: RETOLD_TOKENS_MAX } as const
    proposals.push(options.retell === true ? { ...proposal, prompt } : proposal)
  }
  return proposals
}

function stubbed(message: Draft, options: OffloadOptions): Draft {
  const chosen = largest(payloadsOf(message), options.overCharacters ?? 5_120)
  let index = 0
  return replacePayloads(message, (payload) => {
    if (!chosen.has(index++)) return undefined
    const stub = stubFor(payload, message, options)
    return payload.text !== '' && stub.length >= payload.text.length ? undefined : stub
  })
}

/** Which payloads have to go, the largest first, for the others to stay within the limit; of equal ones the earlier. */
function largest(payloads: readonly Payload[], max: number): ReadonlySet<number> {
  const bySize = payloads
    .map(({ size }, index) => ({ size, index }))
    .toSorted((a, b) => a.size - b.size || b.index - a.index)
  let sum = 0
  return new Set(bySize.filter(({ size }) => (sum += size) > max).map(({ index }) => index))
}

function stubFor(payload: Payload, message: Draft, options: OffloadOptions): string {
  const { previewCharacters = 200, vitalCharacters = 240 } = options
  const stub = (text: string): string => {
    const sizes = [
      ...payload.notes.map(inMarker),
      ...(text === '' ? [] : [`${text.length} characters`]),
      `${text === '' ? payload.size : Buffer.byteLength(text)} bytes`,
    ]
    const marker = offloadMarker(payload.kind, ...sizes)
    if (text === '') return marker
    const shown = `${marker}\n${preview(text, previewCharacters)}`
    return vitalCharacters <= 0
      ? shown
      : keepVital(shown, mentionsIn(bothEnds(text), message.role === 'user' ? 'user' : 'other'), vitalCharacters)
  }
  if (payload.kind !== 'tool-call arguments') return stub(payload.text)
  return shortenArguments(payload.text, previewCharacters * 2, stub)
}

/** Where names for a stub are looked for. The ledger of the fold has those in between too. */
function bothEnds(text: string): string {
  if (text.length <= 2 * END_CHARACTERS) return text
  return `${text.slice(0, END_CHARACTERS)}\n${text.slice(-END_CHARACTERS)}`
}

/** A name that a caller chose cannot end the marker that it stands in. */
function inMarker(note: string): string {
  return clip(dataLine(note), 80).replaceAll(/[[\]]/g, '')
}
