import { textOf } from '../domain/text-of.ts'
import type { Session } from '../api/session.ts'
import type { TurnCall } from '../api/turn.ts'
import type { Message } from '../domain/message.ts'

const FIRST_READ = 32

/**
 * How the log ends: with a reply, a part of one, something that the model has to react to, or calls of tools. `streamed`: a reply
 * is being stored, or its process is gone.
 */
export type NewestTurn =
  | { readonly type: 'replied'; readonly text: string }
  | { readonly type: 'asked' }
  | { readonly type: 'cut'; readonly id: string }
  | { readonly type: 'streamed'; readonly message: Message }
  | { readonly type: 'called'; readonly calls: readonly TurnCall[]; readonly open: readonly TurnCall[] }

/** Finds the calls of the newest turn and those of them that have no result. The log alone decides, so a new process can go on. */
export async function newestCalls(session: Session): Promise<NewestTurn> {
  for (let limit = FIRST_READ; ; limit *= 8) {
    const messages = await session.recent(limit)
    const streamed = messages.findLast(({ incomplete }) => incomplete === 'streaming')
    if (streamed !== undefined) return { type: 'streamed', message: streamed }
    const at = messages.findLastIndex(({ role }) => role !== 'tool')
    const last = messages[at]
    // More results than were read belong to one message.
    if (last === undefined && messages.length === limit) continue
    if (last?.role !== 'assistant') return { type: 'asked' }
    if (last.incomplete !== undefined) return { type: 'cut', id: last.id }
    return endOf(messages)
  }
}

/** How messages end of which the assistant said the last one that is no result. */
export function endOf(messages: readonly Message[]): Extract<NewestTurn, { readonly type: 'replied' | 'called' }> {
  const at = messages.findLastIndex(({ role }) => role !== 'tool')
  const [parts = [], results] = [messages[at]?.parts, messages.slice(at + 1)]
  const calls = parts.flatMap((part): readonly TurnCall[] =>
    part.type === 'tool-call' && part.providerExecuted !== true
      ? [{ id: part.id, name: part.name, input: parsed(part.arguments) }]
      : [],
  )
  if (calls.length === 0) return { type: 'replied', text: textOf({ parts }) }
  const done = new Set(
    results.flatMap((result) => result.parts.flatMap((part) => (part.type === 'tool-result' ? [part.callId] : []))),
  )
  return { type: 'called', calls, open: calls.filter(({ id }) => !done.has(id)) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
