import { checkOptions } from '../domain/check-options.ts'
import { type FactState, factStates } from '../domain/fact.ts'
import { checkMoment, parseTime } from '../domain/moment.ts'
import { checkId } from '../domain/names.ts'
import { parseEntity, parseExpect, parseName, parseObject, parsePredicate } from '../domain/new-fact.ts'
import { refuse } from '../domain/refuse.ts'
import { type Channel, channels } from '../domain/trust.ts'
import type { EntitiesOptions } from '../knowledge/entities.ts'
import type { FactsOptions, Then } from '../knowledge/facts.ts'
import type { GraphOptions } from '../knowledge/graph.ts'
import type { PathOptions } from '../knowledge/path.ts'
import type { Suggestion } from '../knowledge/proposed.ts'
import { checkCount, checkFlag } from './check-arguments.ts'

/** Farther than any question means; near enough that no answer is the whole graph. */
const DEPTH_MAX = 16
const REASON_CHARACTERS_MAX = 2_048

export function checkChannel(attempt: string, value: unknown): asserts value is Channel | undefined {
  if (value !== undefined && !channels.includes(value as Channel))
    refuse(attempt, 'channel', value, `one of ${channels.join(', ')}`)
}

export function checkReason(attempt: string, value: unknown): asserts value is string | undefined {
  if (value !== undefined && (typeof value !== 'string' || value === '' || value.length > REASON_CHARACTERS_MAX))
    refuse(attempt, 'reason', value, `a text of 1 to ${REASON_CHARACTERS_MAX} characters`)
}

function checkThen(attempt: string, { asOf, at }: Then): void {
  if (asOf !== undefined) checkMoment(attempt, 'asOf', asOf)
  if (at !== undefined) parseTime(attempt, 'at', at)
}

export function checkedFacts(options: FactsOptions): FactsOptions {
  const attempt = 'read facts'
  checkOptions(attempt, options, [
    'subject',
    'predicate',
    'object',
    'tag',
    'includeClosed',
    'state',
    'limit',
    'after',
    'asOf',
    'at',
    'stale',
  ])
  const { subject, predicate, object, tag, includeClosed, state, limit, after, stale } = options
  if (stale !== undefined) checkFlag(attempt, 'stale', stale)
  checkThen(attempt, options)
  if (subject !== undefined) parseName(attempt, 'subject', subject)
  if (tag !== undefined) parseName(attempt, 'tag', tag)
  if (includeClosed !== undefined) checkFlag(attempt, 'includeClosed', includeClosed)
  if (state !== undefined) checkStates(attempt, state)
  if (limit !== undefined) checkCount(attempt, 'limit', limit)
  if (after !== undefined) checkId(attempt, 'after', after)
  return {
    ...options,
    ...(predicate === undefined ? {} : { predicate: parsePredicate(attempt, 'predicate', predicate) }),
    ...(object === undefined ? {} : { object: parseObject('object', object, attempt) }),
  }
}

function checkStates(attempt: string, state: NonNullable<FactsOptions['state']>): void {
  const list: readonly unknown[] = Array.isArray(state) ? state : [state]
  if (list.length === 0 || list.some((one) => !factStates.includes(one as FactState)))
    refuse(attempt, 'state', state, `one or several of ${factStates.join(', ')}`)
}

export function checkFactAsked(id: string, then: Then): void {
  checkId('read a fact', 'id', id)
  checkOptions('read a fact', then, ['asOf', 'at'])
  checkThen('read a fact', then)
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

/** For calls that change one fact: its id, and whatever else they take. */
export function checkFactChange(
  attempt: string,
  id: string,
  options: { readonly channel?: Channel; readonly reason?: string; readonly expect?: number },
  known: readonly string[],
): void {
  checkId(attempt, 'id', id)
  checkOptions(attempt, options, known)
  checkChannel(attempt, options.channel)
  checkReason(attempt, options.reason)
  parseExpect(attempt, 'expect', options.expect)
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
