import { useEffect, useState } from 'preact/hooks'
import type { SessionSummary } from '../../api/sessions.ts'
import type { Message } from '../../domain/message.ts'
import type { Part } from '../../domain/part.ts'
import { endpoints } from './endpoints.ts'
import { request } from './request.ts'

/** Who spoke last in a session, and the beginning of what was said. */
export interface LastWords {
  readonly speaker: string
  readonly text: string
}

const CHARACTERS = 200
const KEPT_MAX = 2_000

/** By scope, session and version: a session that did not change is not read again. */
const kept = new Map<string, Promise<LastWords | undefined>>()

/** The last message of a session, read once for each version of it. */
export function useLastWords(scope: string, { id, version }: SessionSummary): LastWords | undefined {
  const [words, setWords] = useState<LastWords | undefined>()
  useEffect(() => {
    let ended = false
    const key = JSON.stringify([scope, id, version])
    const reading = kept.get(key) ?? readWords(scope, id)
    if (kept.size > KEPT_MAX) kept.clear()
    kept.set(key, reading)
    reading.then((found) => ended || setWords(found)).catch(() => kept.delete(key))
    return () => {
      ended = true
    }
  }, [scope, id, version])
  return words
}

async function readWords(scope: string, session: string): Promise<LastWords | undefined> {
  const path = endpoints.session(scope, session, 'recent?n=1')
  const message = (await request<{ readonly messages: readonly Message[] }>(path)).messages[0]
  if (message === undefined) return undefined
  const text = message.parts.map(wordsOf).join(' ')
  return { speaker: message.name ?? message.role, text: text.slice(0, CHARACTERS) }
}

function wordsOf(part: Part): string {
  if (part.type === 'text' || part.type === 'reasoning') return part.text
  if (part.type === 'tool-call') return `${part.name}(…)`
  if (part.type !== 'tool-result') return `[${part.type}]`
  return part.output.type === 'text'
    ? part.output.text
    : JSON.stringify(part.output.type === 'json' ? part.output.value : [])
}
