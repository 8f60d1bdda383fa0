import type { Region } from '../../api/policy.ts'
import type { Draft } from '../../domain/message.ts'
import { type Entry, positionOf, tokensOf } from '../window/entry.ts'
import type { StageInput } from './stage.ts'
import { type IndexedUnit, placedUnits } from '../window/unit.ts'

/** The units that a stage may touch, in the order of the window. */
export function unitsWithin(input: StageInput, region: Region): readonly IndexedUnit[] {
  const placed = placedUnits(input.entries)
  const after = region.where === 'current-round' ? newestRequest(input.entries) : -1
  if (after === undefined) return []
  const before = Math.min(
    whereEnds(input.entries, region),
    keptFrom(input.entries, region.keepLast ?? 0),
    roundsFrom(placed, region.keepRounds ?? 0),
    tokensFrom(input, region.keepTokens ?? 0),
  )
  const said = saidBefore(input.entries, region.olderThanMs ?? 0)
  return placed.filter(
    ({ unit, first, last }) =>
      first > after &&
      last < before &&
      (region.where !== 'current-round' || unit.open.length === 0) &&
      unit.entries.every((entry) => !input.untouchable.has(positionOf(entry)) && said(entry)),
  )
}

/** The entries of units in the order of the window: those of a bundle need not be neighbours. */
export function entriesOf(units: readonly IndexedUnit[]): readonly Entry[] {
  return units.flatMap(({ unit }) => unit.entries).toSorted((a, b) => positionOf(a) - positionOf(b))
}

/** Where the newest user message stands. */
export function newestRequest(entries: readonly Entry[]): number | undefined {
  const index = entries.findLastIndex(isRequest)
  return index < 0 ? undefined : index
}

/** How many entries a limit on entries counts: summaries and what was dropped do not. */
export function countEntries(entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => sum + (counts(entry) ? 1 : 0), 0)
}

/** Something that a user said, whole or shortened; neither results in a user's message nor a summary told as one. */
export function isRequest(entry: Entry): boolean {
  const draft = spoken(entry)
  return draft?.role === 'user' && draft.parts.some((part) => part.type !== 'tool-result')
}

/** A final answer: what the assistant said without asking for anything to be run. */
export function isFinalAnswer(entry: Entry): boolean {
  const draft = spoken(entry)
  if (draft?.role !== 'assistant') return false
  return !draft.parts.some(
    (part) => part.type === 'agent-call' || (part.type === 'tool-call' && part.providerExecuted !== true),
  )
}

/** Something that was told in other words already. */
export function isCondensed(entry: Entry): boolean {
  return entry.type === 'fold' && (entry.fold.kind === 'summary' || entry.fold.kind === 'merge')
}

export function isDropFold(entry: Entry): boolean {
  return entry.type === 'fold' && entry.fold.kind === 'drop'
}

/** The message that an entry still is: as it was said, or shortened. */
export function spoken(entry: Entry): Draft | undefined {
  if (entry.type === 'message') return entry.message
  return entry.fold.kind === 'offload' || entry.fold.kind === 'truncate' ? entry.fold.standIn[0] : undefined
}

function counts(entry: Entry): boolean {
  return entry.type === 'message' || (entry.fold.kind !== 'summary' && entry.fold.kind !== 'drop')
}

function whereEnds(entries: readonly Entry[], { where }: Region): number {
  if (where === 'before-answer') return entries.findLastIndex(isFinalAnswer)
  return where === 'before-newest-user' ? (newestRequest(entries) ?? 0) : entries.length
}

/** Where the last so many entries begin, counted as `countEntries` does. */
export function keptFrom(entries: readonly Entry[], keepLast: number): number {
  let from = entries.length
  for (let kept = 0; kept < keepLast && from > 0;) {
    from--
    if (counts(entries[from] as Entry)) kept++
  }
  return from
}

function roundsFrom(placed: readonly IndexedUnit[], keepRounds: number): number {
  if (keepRounds <= 0) return Infinity
  const rounds = placed.filter(({ unit }) => unit.entries.some((entry) => spoken(entry)?.role === 'assistant'))
  return rounds.at(-Math.min(keepRounds, rounds.length))?.first ?? 0
}

function tokensFrom({ entries, target }: StageInput, keepTokens: number): number {
  let room = Math.min(keepTokens, Math.floor(target / 2))
  let from = entries.length
  while (from > 0) {
    room -= tokensOf(entries[from - 1] as Entry)
    if (room < 0) break
    from--
  }
  return keepTokens <= 0 ? Infinity : from
}

function saidBefore(entries: readonly Entry[], olderThanMs: number): (entry: Entry) => boolean {
  if (olderThanMs <= 0) return () => true
  const newest = entries.reduce((latest, entry) => Math.max(latest, lastTime(entry)), -Infinity)
  return (entry) => lastTime(entry) < newest - olderThanMs
}

function lastTime(entry: Entry): number {
  return Date.parse(entry.type === 'fold' ? entry.fold.lastAt : entry.message.at)
}
