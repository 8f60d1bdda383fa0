import type { Pins } from '../../api/contexts.ts'
import type { Fold } from '../../domain/fold.ts'
import type { Draft } from '../../domain/message.ts'
import { type Entry, draftsOf, positionOf } from './entry.ts'
import type { Unit } from './unit.ts'

/** Tools by which the agents of seed 002 keep their plan: their traffic is the plan, so no summary speaks for it. */
const PLAN_TOOLS: readonly string[] = [
  'create_plan',
  'update_plan_info',
  'revise_current_plan',
  'update_subtask_state',
  'finish_subtask',
  'view_subtasks',
  'get_subtask_count',
  'finish_plan',
  'view_historical_plans',
  'recover_historical_plan',
]

const PINNED_TAGS: readonly string[] = ['pinned']

/** The same pins and some tags more. */
export function withTags(pins: Pins, tags: readonly string[]): Pins {
  return tags.length === 0 ? pins : { ...pins, tags: [...(pins.tags ?? PINNED_TAGS), ...tags] }
}

/** Whether a fold hides something with a pinned tag, or of a pinned tool. */
export function hidesPinned({ tags, tools }: Pick<Fold, 'tags' | 'tools'>, pins: Pins): boolean {
  return (
    tags.some((tag) => (pins.tags ?? PINNED_TAGS).includes(tag)) ||
    tools.some((tool) => pins.tools?.includes(tool) === true)
  )
}

/** Positions of the entries of every pinned unit. */
export function pinnedPositions(units: readonly Unit[], pins: Pins): ReadonlySet<number> {
  const { messages = [], tags = PINNED_TAGS, tools = [] } = pins
  const isNamed = ({ id, tags: own }: Draft): boolean =>
    (id !== undefined && messages.length > 0 && messages.includes(id)) ||
    (own !== undefined && own.some((tag) => tags.includes(tag)))
  // A message that was shortened before it was pinned still has its id and tags.
  const pinned = (entry: Entry): boolean =>
    (entry.type === 'message' ? isNamed(entry.message) : entry.fold.standIn.some(isNamed)) ||
    (tools.length > 0 && usesTool(entry, tools))
  return positionsWhere(units, pinned)
}

/** Positions of the entries of every unit that no summary may speak for. */
export function exemptPositions(units: readonly Unit[], pins: Pins): ReadonlySet<number> {
  const tools = [...(pins.exemptTools ?? []), ...PLAN_TOOLS]
  return positionsWhere(units, (entry) => usesTool(entry, tools))
}

/** A unit is pinned whole: a call without its result would be of no use. */
function positionsWhere(units: readonly Unit[], test: (entry: Entry) => boolean): ReadonlySet<number> {
  const positions = new Set<number>()
  for (const { entries } of units) if (entries.some(test)) for (const entry of entries) positions.add(positionOf(entry))
  return positions
}

function usesTool(entry: Entry, tools: readonly string[]): boolean {
  return draftsOf(entry).some((draft) =>
    draft.parts.some(
      (part) =>
        (part.type === 'tool-call' || part.type === 'tool-result') &&
        part.name !== undefined &&
        tools.includes(part.name),
    ),
  )
}
