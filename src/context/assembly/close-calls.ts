import { defined } from '../../domain/defined.ts'
import type { Draft } from '../../domain/message.ts'
import type { Unit } from '../window/unit.ts'
import { type Entry, draftsOf } from '../window/entry.ts'

const INTERRUPTED = '[no result: interrupted]'

/** A result that says so for every call of a bundle that has none. In the context only: the log records what happened. */
export function closingDrafts(unit: Unit): readonly Draft[] {
  if (unit.open.length === 0) return []
  const names = new Map(unit.entries.flatMap(callsOf))
  return [
    {
      role: 'tool',
      parts: unit.open.map((callId) => {
        const name = names.get(callId)
        return {
          type: 'tool-result',
          callId,
          ...defined({ name }),
          output: { type: 'text', text: INTERRUPTED },
          outcome: 'interrupted',
        }
      }),
    },
  ]
}

function callsOf(entry: Entry): readonly (readonly [id: string, name: string])[] {
  return draftsOf(entry).flatMap((draft) =>
    draft.parts.flatMap((part) => (part.type === 'tool-call' ? [[part.id, part.name] as const] : [])),
  )
}
