import type { Pins } from '../../api/contexts.ts'
import type { Policy } from '../../api/policy.ts'
import { type Entry, positionOf } from './entry.ts'
import { pinnedPositions } from './pins.ts'
import { type Unit, unitsOf } from './unit.ts'

/** How much of a context is for important messages where a policy does not say. */
const WEIGHT = 0.2
/** What is left for the newest turn, whatever is important. */
const ROOM_MIN = 300

/**
 * Ids of the messages that stay because they are important: those with `metadata.important: true`, newest first, as far as the
 * weight of the policy goes. What is left of the room is for the newest messages, so both count: importance and recency.
 */
export function importantMessages(
  entries: readonly Entry[],
  pins: Pins,
  { policy, room }: { readonly policy: Policy; readonly room: number },
): ReadonlySet<string> {
  const kept = new Set<string>()
  if (!entries.some(isImportant)) return kept
  const units = unitsOf(entries)
  const pinned = pinnedPositions(units, pins)
  const must = new Set(
    units.filter((unit) => unit.entries.some((entry) => pinned.has(positionOf(entry)) || isSystem(entry))),
  )
  const taken = [...must].reduce((sum, unit) => sum + tokensOf(unit), 0)
  let left = Math.min(room * (policy.importance ?? WEIGHT), (room - taken) / 2 - ROOM_MIN)
  for (const unit of units.toReversed()) {
    const important = unit.entries.filter(isImportant)
    if (important.length === 0 || must.has(unit)) continue
    left -= tokensOf(unit)
    if (left < 0) break
    for (const entry of important) if (entry.type === 'message') kept.add(entry.message.id)
  }
  return kept
}

/** The same pins and some messages more. */
export function withMessages(pins: Pins, messages: ReadonlySet<string>): Pins {
  return messages.size === 0 ? pins : { ...pins, messages: [...(pins.messages ?? []), ...messages] }
}

/** Nothing but true: a text such as "false" must not count. */
function isImportant(entry: Entry): boolean {
  return entry.type === 'message' && entry.message.metadata?.['important'] === true
}

function isSystem(entry: Entry): boolean {
  return entry.type === 'message' && entry.message.role === 'system'
}

function tokensOf({ entries }: Unit): number {
  return entries.reduce((sum, entry) => sum + (entry.type === 'fold' ? entry.fold : entry.message).tokens, 0)
}
