import { within } from '../model/within.ts'
import type { RecalledItem } from '../recall/block/shown-item.ts'
import type { LongTermScope } from './long-term-scope.ts'

const KEYWORDS_MAX = 10
const QUESTION_CHARACTERS = 2_000
/** How long a look-up waits until what was just recorded can be found. */
const FRESH_WAIT_MS = 2_000
/** The greater it is, the more it counts how many keywords find something, and the less how high. */
const RANKS_EVEN = 10

type Found = Awaited<ReturnType<LongTermScope['recall']>>

/**
 * Recalls by keywords that are alternatives: what any of them finds is found, and what several of them find comes first. A keyword
 * that occurs nowhere changes nothing. A phrase that finds nothing is searched by its words.
 */
export async function recallKeywords(
  scope: Pick<LongTermScope, 'recall'>,
  keywords: readonly string[],
  budget: number,
): Promise<Found> {
  const options = { budget, relevant: true }
  const distinct = [...new Set(keywords.map((keyword) => keyword.trim().slice(0, QUESTION_CHARACTERS)))]
  const together = distinct.join(' ').slice(0, QUESTION_CHARACTERS)
  const fresh = await within(FRESH_WAIT_MS, new AbortController().signal, () =>
    scope.recall(together, { ...options, fresh: true }),
  )
  // Where the index cannot be waited for, the result says how far behind it is.
  const all = fresh.ok ? fresh.value : await scope.recall(together, options)
  const search = (texts: readonly string[]) =>
    Promise.all(texts.slice(0, KEYWORDS_MAX).map(async (text) => (await scope.recall(text, options)).items))
  const each = distinct.length === 1 ? [all.items] : await search(distinct)
  const words = each.flatMap((items, index) => (items.length === 0 ? wordsOf(distinct[index] ?? '') : []))
  if (distinct.length === 1 && words.length === 0) return all
  const byWord = await search([...new Set(words)].filter((word) => !distinct.includes(word)))
  return { ...all, items: bestOfAll([all.items, ...each, ...byWord]) }
}

/** The words of a phrase; none of a single word. */
function wordsOf(phrase: string): readonly string[] {
  const words = phrase.split(/\s+/u)
  return words.length === 1 ? [] : words
}

function bestOfAll(lists: readonly (readonly RecalledItem[])[]): readonly RecalledItem[] {
  const found = new Map<string, { readonly item: RecalledItem; readonly worth: number }>()
  for (const items of lists)
    for (const [rank, item] of items.entries()) {
      const { session = null, id } = item.source
      const key = JSON.stringify([item.kind, session, id])
      const before = found.get(key)
      found.set(key, { item: before?.item ?? item, worth: (before?.worth ?? 0) + 1 / (RANKS_EVEN + rank) })
    }
  return [...found.values()].toSorted((a, b) => b.worth - a.worth).map(({ item }) => item)
}
