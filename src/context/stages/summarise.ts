import type { SummariseRange, SummariseRounds } from '../../api/policy.ts'
import type { Pausing } from '../../log/with-pauses.ts'
import { totalTokens } from '../window/entry.ts'
import type { SummariseFolds } from '../../api/policy.ts'
import {
  countEntries,
  isFinalAnswer,
  isCondensed,
  isDropFold,
  isRequest,
  keptFrom,
  newestRequest,
  unitsWithin,
} from '../compaction/region.ts'
import type { ProposedFold, StageInput } from '../compaction/stage.ts'
import { tell, tokensFor } from '../summary/summary-size.ts'
import { type IndexedUnit, placedUnits } from '../window/unit.ts'
import { summariseFolds } from './summarise-folds.ts'

export type SummariseOptions = SummariseRounds | SummariseRange | SummariseFolds

/** Puts summaries in place of old rounds, of a range, or of older summaries. */
export function summarise(input: StageInput, options: SummariseOptions): Pausing<readonly ProposedFold[]> {
  switch (options.unit) {
    case 'round':
      return summariseRounds(input, options)
    case 'range':
      return summariseRange(input, options)
    case 'folds':
      return summariseFolds(input, options)
  }
}

function* summariseRounds(input: StageInput, options: SummariseRounds): Pausing<readonly ProposedFold[]> {
  const { tokensMin = 0, take = 'all' } = options
  const all: ProposedFold[] = []
  let excess = take === 'all' ? Infinity : input.tokens - input.target
  for (const round of roundsOf(input, options)) {
    const tokens = round.reduce((sum, { unit }) => sum + unit.tokens, 0)
    if (excess <= 0 || tokens < tokensMin) continue
    const proposals = yield* tell(round, 'summarise-round', options)
    if (proposals.length > 0) excess -= tokens - tokensFor(tokens, options)
    all.push(...proposals)
  }
  return all
}

/** What may be summarised of each finished round, oldest first. A round without an answer is not finished, a summary needs no other. */
function roundsOf(input: StageInput, options: SummariseRounds): readonly (readonly IndexedUnit[])[] {
  const touchable = new Set(unitsWithin(input, options).map(({ first }) => first))
  const rounds: IndexedUnit[][] = []
  for (const placed of placedUnits(input.entries)) {
    if (placed.unit.entries.some(isRequest)) rounds.push([placed])
    else rounds.at(-1)?.push(placed)
  }
  return rounds.flatMap(([request, ...followed]) => {
    const entries = followed.flatMap(({ unit }) => unit.entries)
    if (!entries.some(isFinalAnswer) || (options.between === true && followed.length < 2)) return []
    const body = followed.filter(({ unit, first }) => touchable.has(first) && !unit.entries.every(isDropFold))
    if (body.every(({ unit }) => unit.entries.every(isCondensed))) return []
    const withUser = options.keepUser !== true && request !== undefined && touchable.has(request.first)
    return [withUser ? [request, ...body] : body]
  })
}

function* summariseRange(input: StageInput, options: SummariseRange): Pausing<readonly ProposedFold[]> {
  if (countEntries(input.entries) <= (options.entriesOver ?? 0)) return []
  const newest = newestRequest(input.entries) ?? -1
  const chosen = taken(unsummarised(input, options), input, options)
  const before = chosen.filter(({ first }) => first <= newest)
  const after = chosen.filter(({ first }) => first > newest)
  const proposals = [
    ...(yield* tell(before, 'summarise-round', options)),
    ...(yield* tell(after, 'summarise-current', options)),
  ]
  const saved = proposals.reduce((sum, { entries, prompt }) => sum + totalTokens(entries) - (prompt?.tokensMax ?? 0), 0)
  return saved < (options.savesMin ?? 0) ? [] : proposals
}

/**
 * What a range may take: what stands after the last summary, so that summaries stay in place and in order (those before are
 * for `folds`). In the current round an earlier summary of it goes along: there is to be one, as in step 6 of AgentScope.
 */
function unsummarised(input: StageInput, options: SummariseRange): readonly IndexedUnit[] {
  const within = unitsWithin(input, options).filter(({ unit }) => !unit.entries.every(isDropFold))
  const kept = options.keepUser === true ? within.filter(({ unit }) => !unit.entries.some(isRequest)) : within
  if (options.where === 'current-round') {
    return kept.every(({ unit }) => unit.entries.every(isCondensed)) ? [] : kept
  }
  const last = input.entries.findLastIndex((entry) => entry.type === 'fold' && entry.fold.kind === 'summary')
  return kept.filter(({ first }) => first > last)
}

function taken(units: readonly IndexedUnit[], input: StageInput, options: SummariseRange): readonly IndexedUnit[] {
  if (options.take === 'half') {
    const newer = keptFrom(input.entries, Math.ceil(countEntries(input.entries) / 2))
    return units.filter(({ last }) => last < newer)
  }
  if (options.take !== 'to-target') return units
  const excess = input.tokens - input.target
  let tokens = 0
  return units.filter(({ unit }) => {
    if (tokens - tokensFor(tokens, options) >= excess) return false
    tokens += unit.tokens
    return true
  })
}
