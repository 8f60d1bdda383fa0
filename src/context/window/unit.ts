import { bundlesIn } from '../../domain/bundle.ts'
import type { Message } from '../../domain/message.ts'
import { type Pausing, atOnce, withPauses } from '../../log/with-pauses.ts'
import { loopTurn } from '../../tokens/count-text.ts'
import { type Entry, positionOf, tokensOf } from './entry.ts'

/** Looked at in a step: less than a millisecond. */
const UNITS_PER_STEP = 1_000

/** What a cut may not part: a bundle's messages, or one fold. The unit in which every stage and the assembly think. */
export interface Unit {
  /** By position; the entries of a bundle need not be neighbours in the window. */
  readonly entries: readonly Entry[]
  readonly tokens: number
  /** Calls of the bundle without a result. */
  readonly open: readonly string[]
}

/** A unit with the indices of its first and last entry in the window. */
export interface IndexedUnit {
  readonly unit: Unit
  readonly first: number
  readonly last: number
}

interface Grouped {
  readonly units: readonly Unit[]
  readonly placed: readonly IndexedUnit[]
}

/** By window: a compaction asks for the units of one many times. */
const known = new WeakMap<readonly Entry[], Grouped>()

/** A window as units, in the order of their first entries. A bundle of which a part was shortened by a fold stays one unit. */
export function unitsOf(entries: readonly Entry[]): readonly Unit[] {
  return (known.get(entries) ?? atOnce(group(entries))).units
}

/** All units of a window, with their places. */
export function placedUnits(entries: readonly Entry[]): readonly IndexedUnit[] {
  return (known.get(entries) ?? atOnce(group(entries))).placed
}

/** Too long to find its units at once. */
export function isLongWindow(entries: readonly Entry[]): boolean {
  return entries.length > 5_000
}

/** If a window is long, lets others run, and finds its units in steps. Whoever asks for them afterwards has them at once. */
export async function findUnits(entries: readonly Entry[]): Promise<void> {
  if (!isLongWindow(entries)) return
  await loopTurn()
  if (!known.has(entries)) await withPauses(group(entries))
}

function* group(entries: readonly Entry[]): Pausing<Grouped> {
  const placed: IndexedUnit[] = []
  for (const { members, open } of yield* bundlesIn(entries.map(shownMessage))) {
    if (placed.length % UNITS_PER_STEP === 0) yield
    const own = members.map((index) => entries[index] as Entry)
    const unit = { entries: own, tokens: own.reduce((sum, entry) => sum + tokensOf(entry), 0), open }
    placed.push({ unit, first: members[0] ?? 0, last: members.at(-1) ?? 0 })
  }
  const grouped = { units: placed.map(({ unit }) => unit), placed }
  known.set(entries, grouped)
  return grouped
}

/** A fold of one message still carries its calls and results; a summary carries none. */
function shownMessage(entry: Entry): Message {
  if (entry.type === 'message') return entry.message
  const { fold } = entry
  const [draft] = fold.standIn
  const base = {
    id: fold.id,
    seq: positionOf(entry),
    at: fold.firstAt,
    tokens: fold.tokens,
    tokenizer: '',
    revision: 0,
  }
  return draft === undefined ? { ...base, role: 'user', parts: [] } : { ...draft, ...base }
}
