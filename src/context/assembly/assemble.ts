import type { PlacementReason } from '../../api/contexts.ts'
import type { Omission } from '../../api/contexts.ts'
import { type Entry, draftsOf, positionOf } from '../window/entry.ts'
import { isRequest, spoken } from '../compaction/region.ts'
import type { Unit } from '../window/unit.ts'

export interface PlacedUnit {
  readonly unit: Unit
  readonly as: PlacementReason
}

export interface Assembly {
  /** In the order a model sees them: system, pinned, then the rest by age. */
  readonly kept: readonly PlacedUnit[]
  readonly left: readonly { readonly unit: Unit; readonly why: Omission }[]
  /** How many of those that may be left out were taken. */
  readonly optional: number
}

/** What cannot be left out, and what it costs. */
export interface Needs {
  readonly system: number
  readonly pinned: number
  readonly newestTurn: number
}

export interface AssembleInput {
  /** The window, in the order of its units' first entries. */
  readonly units: readonly Unit[]
  readonly pinned: ReadonlySet<number>
  /** Tokens for all of it. */
  readonly budget: number
  /** What a unit costs for the model in question. */
  readonly weigh: (unit: Unit) => number
  /** How many of the units that may be left out to take at the most. @default all that fit */
  readonly optionalMax?: number
}

/**
 * Chooses what a model sees: everything that must be there, whether it fits or not, then the newest units that fit, without
 * holes. Pure and deterministic; linear in the window. What is far from the end is only looked at: a window that nothing compacts
 * has thousands of units that are left out of every context.
 */
export function assemble(input: AssembleInput): Assembly {
  const { units, weigh, budget, optionalMax = Number.POSITIVE_INFINITY } = input
  const must = requiredUnits(input)
  const needs = needsOf(must.values(), weigh)
  let room = budget - needs.system - needs.pinned - needs.newestTurn
  let optional = 0
  let first = units.length
  for (let index = units.length - 1; index >= 0; index--) {
    const unit = units[index]
    if (unit === undefined || must.has(index)) continue
    room -= weigh(unit)
    if (room < 0 || optional >= optionalMax) break
    optional += 1
    first = index
  }
  const kept: PlacedUnit[] = []
  const omitted: Unit[] = []
  for (const [index, unit] of units.entries()) {
    const required = must.get(index)
    if (required !== undefined) kept.push(required)
    else if (index < first) omitted.push(unit)
    else kept.push({ unit, as: unit.entries.every((entry) => entry.type === 'fold') ? 'fold' : 'recent' })
  }
  return place(kept, omitted, optional)
}

export function needsOf(units: Iterable<PlacedUnit>, weigh: (unit: Unit) => number): Needs {
  const needs = { system: 0, pinned: 0, newestTurn: 0 }
  for (const { unit, as } of units) {
    if (as === 'system' || as === 'pinned') needs[as] += weigh(unit)
    else if (as === 'newest-turn') needs.newestTurn += weigh(unit)
  }
  return needs
}

/** Units that cannot be left out, by their index. */
function requiredUnits({ units, pinned }: AssembleInput): ReadonlyMap<number, PlacedUnit> {
  const newest = newestTurn(units)
  const required = new Map<number, PlacedUnit>()
  for (const [index, unit] of units.entries()) {
    if (unit.entries.some(isSystem)) required.set(index, { unit, as: 'system' })
    // Before pins: what the model is to reply to now stays where it was said, at the end, and not among the pins in front.
    else if (newest.has(unit)) required.set(index, { unit, as: 'newest-turn' })
    else if (pinned.size > 0 && unit.entries.some((entry) => pinned.has(positionOf(entry))))
      required.set(index, { unit, as: 'pinned' })
  }
  return required
}

function isSystem(entry: Entry): boolean {
  return entry.type === 'message' && entry.message.role === 'system'
}

/** The newest user message, and what the model has not answered yet: without its own last step it would take it again. */
export function newestTurn(units: readonly Unit[]): ReadonlySet<Unit> {
  const newest = new Set<Unit>()
  const user = units.findLast((unit) => unit.entries.some(isRequest))
  if (user !== undefined) newest.add(user)
  // A bundle stands where it began, and its results may be the last thing that was said: so all of them are looked at.
  let lastWord = 0
  for (const { entries } of units) for (const entry of entries) lastWord = Math.max(lastWord, lastWordIn(entry))
  const last = units.at(-1)
  for (const unit of units) {
    // Nearly all end before the assistant's last word, so this comes first.
    if (positionOfLast(unit, isResult) <= lastWord) continue
    if (unit === last || unit.entries.some(isAssistant)) newest.add(unit)
  }
  if (last !== undefined && last.open.length > 0 && positionOfLast(last, isAssistant) >= lastWord) newest.add(last)
  return newest
}

/** Where the assistant last spoke, in sight or behind a fold. */
export function lastWordIn(entry: Entry): number {
  if (entry.type === 'fold') return entry.fold.answeredAt
  return entry.message.role === 'assistant' ? entry.message.seq : 0
}

function positionOfLast({ entries }: Unit, test: (entry: Entry) => boolean): number {
  let last = 0
  for (const entry of entries) {
    const position = positionOf(entry)
    if (position > last && test(entry)) last = position
  }
  return last
}

function isAssistant(entry: Entry): boolean {
  return spoken(entry)?.role === 'assistant'
}

function isResult(entry: Entry): boolean {
  return spoken(entry)?.role === 'tool'
}

function place(kept: readonly PlacedUnit[], omitted: readonly Unit[], optional: number): Assembly {
  const system = kept.filter(({ as }) => as === 'system')
  const pinned = kept.filter(({ as }) => as === 'pinned')
  const rest = kept.filter(({ as }) => as !== 'system' && as !== 'pinned')
  const isSilent = ({ unit }: PlacedUnit): boolean => unit.entries.every((entry) => draftsOf(entry).length === 0)
  const silent = rest.filter(isSilent)
  const voiced = rest.filter((one) => !isSilent(one))
  // The real beginning of a conversation is one, whoever speaks first; the middle of a turn is not.
  const cut = pinned.length === 0 && omitted.length > 0
  const start = cut ? voiced.findIndex(({ unit, as }) => as === 'newest-turn' || opens(unit)) : 0
  const begun = Math.max(0, start)
  return {
    kept: [...system, ...pinned, ...silent, ...voiced.slice(begun)],
    left: [
      ...omitted.map((unit) => ({ unit, why: 'over-budget' as const })),
      ...voiced.slice(0, begun).map(({ unit }) => ({ unit, why: 'unsafe-start' as const })),
    ],
    optional,
  }
}

/** Whether a conversation may begin here: with something that is said to the model. */
function opens(unit: Unit): boolean {
  const [first] = unit.entries
  return first !== undefined && draftsOf(first)[0]?.role === 'user'
}
