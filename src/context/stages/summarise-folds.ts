import type { SummariseFolds } from '../../api/policy.ts'
import type { Pausing } from '../../log/with-pauses.ts'
import { totalTokens } from '../window/entry.ts'
import type { Region } from '../../api/policy.ts'
import { isCondensed, isDropFold, unitsWithin } from '../compaction/region.ts'
import type { IndexedUnit } from '../window/unit.ts'
import type { ProposedFold, StageInput } from '../compaction/stage.ts'
import { tell, tokensFor } from '../summary/summary-size.ts'

/** Of the target, so that there is room for the messages themselves. */
const TARGET_SHARE_MAX = 0.6
/** The newest of it stays as it is, up to this share of the budget: so it happens rarely, and in big steps. */
const KEPT_SHARE = 0.35
/** What the summary of a batch may take: so many tokens, or so much of the budget if that is more. */
const BATCH_TOKENS = 2_000
const BATCH_SHARE = 0.4
/** What one summary of the rest may take if batches are not enough. */
const LAST_RESORT_SHARE = 0.6

export function* summariseFolds(input: StageInput, options: SummariseFolds): Pausing<readonly ProposedFold[]> {
  const budget = Math.min(options.summaryTokensMax ?? 4_000, Math.floor(input.target * TARGET_SHARE_MAX))
  const told = toldAlready(input, options)
  const all = told.reduce((sum, { unit }) => sum + unit.tokens, 0)
  if (all <= budget) return []
  const old = olderThanKept(told, budget * KEPT_SHARE)
  const tokensMax = Math.max(BATCH_TOKENS, Math.floor(budget * BATCH_SHARE))
  const telling = { tokensMax, ratio: 0.5, vitalShare: 0.8, ...options }
  const batches: ProposedFold[] = []
  for (const batch of batchesOf(old, options)) batches.push(...(yield* tell(batch, 'fold-summaries', telling)))
  const saved = batches.reduce(
    (sum, { entries }) => sum + totalTokens(entries) - tokensFor(totalTokens(entries), telling),
    0,
  )
  if (batches.length > 0 && all - saved <= budget) return batches
  return yield* tell(old, 'fold-summaries', {
    ...telling,
    ratio: 1,
    tokensMax: Math.floor(budget * LAST_RESORT_SHARE),
  })
}

/** Up to the last summary or record, everything that may be touched. */
function toldAlready(input: StageInput, region: Region): readonly IndexedUnit[] {
  const last = input.entries.findLastIndex(isCondensed)
  return unitsWithin(input, region).filter((placed) => placed.last <= last && !placed.unit.entries.every(isDropFold))
}

function olderThanKept(told: readonly IndexedUnit[], tokens: number): readonly IndexedUnit[] {
  let room = tokens
  const kept = told.toReversed().findIndex(({ unit }) => (room -= unit.tokens) < 0)
  return kept < 0 ? [] : told.slice(0, told.length - kept)
}

/** Neighbours of one level, in batches; messages between them go along with the summary that follows. */
function batchesOf(
  units: readonly IndexedUnit[],
  { foldsMin = 3, foldsMax = 6 }: SummariseFolds,
): readonly (readonly IndexedUnit[])[] {
  const batches: { level: number; folds: number; units: IndexedUnit[] }[] = []
  let waiting: IndexedUnit[] = []
  for (const placed of units) {
    const level = levelOf(placed)
    waiting.push(placed)
    if (level === undefined) continue
    const batch = batches.at(-1)
    if (batch !== undefined && batch.level === level && batch.folds < foldsMax) {
      batch.units.push(...waiting)
      batch.folds++
    } else batches.push({ level, folds: 1, units: waiting })
    waiting = []
  }
  return batches.filter(({ folds }) => folds >= foldsMin).map((batch) => batch.units)
}

function levelOf({ unit }: IndexedUnit): number | undefined {
  const [entry] = unit.entries
  return entry !== undefined && entry.type === 'fold' && isCondensed(entry) ? entry.fold.level : undefined
}
