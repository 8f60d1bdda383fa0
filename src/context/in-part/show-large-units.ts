import type { Pins } from '../../api/contexts.ts'
import type { Scale } from '../assembly/scale.ts'
import { type Entry, positionOf } from '../window/entry.ts'
import { pinnedPositions } from '../window/pins.ts'
import type { Unit } from '../window/unit.ts'
import { shortenUnits } from './shorten-units.ts'

/** Of the room, what a unit that does not fit into it may take when it is shown in part: the rest is for what was said before. */
const SHARE = 0.5

/** Entries of large units as they were shown before, by session, place, revision and room. */
export type ShownBefore = Map<string, Entry>

export interface LargeUnits {
  readonly entries: readonly Entry[]
  readonly units: readonly Unit[]
  readonly pins: Pins
  /** Tokens for everything in the context. */
  readonly room: number
  readonly scale: Scale
  /** Names the session in `shown`. */
  readonly session: string
  readonly shown: ShownBefore
}

const SHOWN_MAX = 500

/**
 * The entries of a window, with every unit shown in part that no context of this room could ever show whole. What it shows
 * depends on the unit and the room alone: so it stays the same while the conversation goes on, and a provider's cache holds.
 */
export async function showLargeUnits(terms: LargeUnits): Promise<readonly Entry[]> {
  const { entries, units, pins, scale } = terms
  // Half, since the stored counts may be another tokenizer's.
  const suspects = units.filter(
    (unit) => unit.tokens > terms.room / 2 && unit.entries.some((entry) => entry.type === 'message'),
  )
  if (suspects.length === 0) return entries
  const pinned = pinnedPositions(units, pins)
  const room = terms.room - (await alwaysThere(terms, pinned))
  const replaced = new Map<Entry, Entry>()
  for (const unit of suspects) {
    if (isFixed(unit, pinned) || (await weightOf(unit, scale)) <= room) continue
    for (const [entry, shown] of await shownInPart(unit, Math.floor(room * SHARE), terms)) replaced.set(entry, shown)
  }
  return replaced.size === 0 ? entries : entries.map((entry) => replaced.get(entry) ?? entry)
}

async function shownInPart(unit: Unit, tokensMax: number, terms: LargeUnits): Promise<ReadonlyMap<Entry, Entry>> {
  const { scale, session, shown } = terms
  const key = (entry: Entry): string => {
    const { revision, tokens } = entry.type === 'message' ? entry.message : { revision: entry.fold.id, tokens: 0 }
    return JSON.stringify([
      session,
      scale.counter,
      tokensMax,
      unit.entries.map(positionOf),
      positionOf(entry),
      revision,
      tokens,
    ])
  }
  const known = new Map<Entry, Entry>()
  for (const entry of unit.entries) {
    const before = shown.get(key(entry))
    if (before !== undefined) known.set(entry, before)
  }
  if (known.size > 0) return known
  const replaced = await shortenUnits({
    units: [unit],
    count: (draft) => scale.weigh(draft),
    counter: scale.counter,
    fits: async (entries) => (await weightOf(unit, scale, entries)) <= tokensMax,
    ledger: 'with-ledger',
  })
  for (const [entry, part] of replaced ?? []) {
    shown.set(key(entry), part)
    if (shown.size > SHOWN_MAX) shown.delete(shown.keys().next().value ?? '')
  }
  return replaced ?? new Map()
}

/** System messages and pins. */
async function alwaysThere({ entries, scale }: LargeUnits, pinned: ReadonlySet<number>): Promise<number> {
  let tokens = 0
  for (const entry of entries)
    if (pinned.has(positionOf(entry)) || isSystem(entry)) tokens += await scale.weighEntry(entry)
  return tokens
}

function isFixed({ entries }: Unit, pinned: ReadonlySet<number>): boolean {
  return entries.some((entry) => pinned.has(positionOf(entry)) || isSystem(entry))
}

function isSystem(entry: Entry): boolean {
  return entry.type === 'message' && entry.message.role === 'system'
}

async function weightOf(unit: Unit, scale: Scale, replaced?: ReadonlyMap<Entry, Entry>): Promise<number> {
  let tokens = 0
  for (const entry of unit.entries) tokens += await scale.weighEntry(replaced?.get(entry) ?? entry)
  return tokens
}
