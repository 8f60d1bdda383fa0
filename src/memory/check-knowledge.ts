import { checkOptions } from '../domain/check-options.ts'
import { checkMoment, parseTime } from '../domain/moment.ts'
import { checkId } from '../domain/names.ts'
import { parseEntity, parseName } from '../domain/new-fact.ts'
import { refuse } from '../domain/refuse.ts'
import type { EntitiesOptions } from '../knowledge/entities.ts'
import type { FactOptions } from '../api/facts.ts'
import type { GraphOptions } from '../knowledge/graph.ts'
import type { PathOptions } from '../knowledge/path.ts'
import type { Suggestion } from '../knowledge/proposed.ts'
import { checkCount } from './check-arguments.ts'

/** Farther than any question means; near enough that no answer is the whole graph. */
const DEPTH_MAX = 16
const REASON_CHARACTERS_MAX = 2_048

export function checkReason(attempt: string, value: unknown): asserts value is string | undefined {
  if (value !== undefined && (typeof value !== 'string' || value === '' || value.length > REASON_CHARACTERS_MAX))
    refuse(attempt, 'reason', value, `a text of 1 to ${REASON_CHARACTERS_MAX} characters`)
}

function checkThen(attempt: string, { asOf, at }: FactOptions): void {
  if (asOf !== undefined) checkMoment(attempt, 'asOf', asOf)
  if (at !== undefined) parseTime(attempt, 'at', at)
}

export function checkGraph(options: GraphOptions): void {
  const attempt = 'read the graph'
  checkOptions(attempt, options, ['around', 'depth', 'limit', 'asOf', 'at'])
  checkThen(attempt, options)
  const { around, depth, limit } = options
  const names: readonly unknown[] = Array.isArray(around) ? around : [around]
  for (const name of names) parseName(attempt, 'around', name)
  if (depth !== undefined) checkDepth(attempt, 'depth', depth)
  if (limit !== undefined) checkCount(attempt, 'limit', limit)
}

export function checkPath(from: string, to: string, options: PathOptions): void {
  const attempt = 'find a path'
  checkOptions(attempt, options, ['maxDepth', 'asOf', 'at'])
  checkThen(attempt, options)
  parseName(attempt, 'from', from)
  parseName(attempt, 'to', to)
  if (options.maxDepth !== undefined) checkDepth(attempt, 'maxDepth', options.maxDepth)
}

function checkDepth(attempt: string, option: string, value: unknown): void {
  checkCount(attempt, option, value)
  if (value > DEPTH_MAX) refuse(attempt, option, value, `at most ${DEPTH_MAX}`)
}

export function checkEntities(options: EntitiesOptions): void {
  const attempt = 'list entities'
  checkOptions(attempt, options, ['type', 'limit', 'after', 'asOf'])
  checkThen(attempt, options)
  if (options.type !== undefined) parseName(attempt, 'type', options.type)
  if (options.limit !== undefined) checkCount(attempt, 'limit', options.limit)
  if (options.after !== undefined) parseName(attempt, 'after', options.after)
}

export function checkedSuggestion(suggestion: Suggestion): Suggestion {
  const attempt = 'propose'
  checkOptions(attempt, suggestion, ['merge', 'split', 'into', 'facts', 'duplicates', 'stale'], 'field')
  if ('merge' in suggestion) {
    const { merge } = suggestion
    if (!Array.isArray(merge) || merge.length !== 2) refuse(attempt, 'merge', merge, 'the names of two entities')
    return { merge: [parseName(attempt, 'merge[0]', merge[0]), parseName(attempt, 'merge[1]', merge[1])] }
  }
  if ('split' in suggestion) {
    const { split, into, facts } = suggestion
    return {
      split: parseName(attempt, 'split', split),
      into: parseEntity(attempt, 'into', into),
      facts: checkedIds(attempt, 'facts', facts),
    }
  }
  if ('duplicates' in suggestion) return { duplicates: checkedIds(attempt, 'duplicates', suggestion.duplicates) }
  if ('stale' in suggestion) return { stale: checkedIds(attempt, 'stale', suggestion.stale) }
  return refuse(attempt, 'suggestion', suggestion, '{ merge }, { split, into, facts }, { duplicates } or { stale }')
}

function checkedIds(attempt: string, option: string, value: unknown): readonly string[] {
  if (!Array.isArray(value) || value.length === 0) refuse(attempt, option, value, 'an array of ids of facts')
  for (const id of value) checkId(attempt, option, id)
  return [...new Set(value as readonly string[])]
}
