import type { RecallItem } from '../api/recall.ts'

/** What covers less of a question is hardly what was asked for. */
const RELEVANCE_ENOUGH = 0.5

/** Whether one of the items covers enough of the question. */
export function hasFoundEnough(items: readonly RecallItem[]): boolean {
  return items.some(({ relevance }) => relevance >= RELEVANCE_ENOUGH)
}
