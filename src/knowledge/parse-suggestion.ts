import type { Suggestion } from '../api/graph.ts'
import { checkOptions } from '../domain/check-options.ts'
import { checkId } from '../domain/names.ts'
import { parseEntity, parseName } from '../domain/new-fact.ts'
import { refuse } from '../domain/refuse.ts'

/**
 * A suggestion with its names in normal form.
 *
 * @throws {MemoryError} `input/invalid`
 */
export function parseSuggestion(attempt: string, suggestion: Suggestion): Suggestion {
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
