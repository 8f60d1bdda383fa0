import type { AskedIndex } from './asked-index.ts'
import { idf } from './bm25.ts'
import type { Ranked } from './rank.ts'

/** Rarity needs the frequency of every word of a passage, so that only those that may be shown are asked for. */
const PASSAGES_MIN = 60
/** Among fewer passages than this almost every word is rare, and how rare it is tells little. */
const PASSAGES_TELLING = 100

/** Adds to the best of the ranked how rare their words are, and puts them in order again: best first, newer first among equals. */
export async function addRarity(
  asked: AskedIndex,
  ranked: readonly Ranked[],
  totals: { readonly passages: number; readonly wanted: number },
): Promise<readonly Ranked[]> {
  const sorted = ranked.toSorted(byScore)
  const head = sorted.slice(0, Math.max(PASSAGES_MIN, totals.wanted * 4))
  const found = new Set<number>()
  for (const { passage } of head) for (let at = 0; at < passage.terms.length; at += 2) found.add(passage.terms[at] ?? 0)
  const keys = [...found]
  const frequencies = await asked.store.frequencies(asked.scopes, keys)
  const rarities = new Map(keys.map((key, index) => [key, idf(totals.passages, frequencies[index] ?? 0)]))
  const highest = idf(totals.passages, 1)
  const telling = Math.min(1, totals.passages / PASSAGES_TELLING)
  const again = head.map((one) => {
    const { terms } = one.passage
    let sum = 0
    for (let at = 0; at < terms.length; at += 2) sum += rarities.get(terms[at] ?? -1) ?? 0
    const rarity = terms.length === 0 ? 0 : (telling * sum) / (terms.length / 2) / highest
    return one.withRarity(rarity)
  })
  return [...again.toSorted(byScore), ...sorted.slice(head.length)]
}

function byScore(a: Ranked, b: Ranked): number {
  return (
    b.score - a.score ||
    b.passage.at - a.passage.at ||
    b.passage.thread - a.passage.thread ||
    b.passage.place - a.passage.place
  )
}
