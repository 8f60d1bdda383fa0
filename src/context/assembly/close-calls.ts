import type { Draft } from '../../domain/message.ts'
import type { Unit } from '../window/unit.ts'

const INTERRUPTED = '[no result: interrupted]'

/**
 * A result that says so for every call of a bundle that has none. In the context only: the log records what happened. Without the name of
 * the tool, which the call has: with hundreds of open calls, names would take what the law promises for each.
 */
export function closingDrafts(unit: Unit): readonly Draft[] {
  if (unit.open.length === 0) return []
  return [
    {
      role: 'tool',
      parts: unit.open.map((callId) => ({
        type: 'tool-result',
        callId,
        output: { type: 'text', text: INTERRUPTED },
        outcome: 'interrupted',
      })),
    },
  ]
}
