import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Hit, NewPassage, RecallCursor, RecallStore } from '../../src/ports/recall-store.ts'
import { planOf } from '../../src/stores/sql/join-segments.ts'
import { PostingList } from '../../src/stores/sql/posting-list.ts'
import { RowPacker, listOf } from '../../src/stores/sql/posting-rows.ts'
import { cursorAfter } from '../../src/recall/cursor-after.ts'
import { readPairs, writeTerms } from '../../src/stores/sql/term-bytes.ts'
import { openSqliteStore } from '../../src/stores/sqlite/store.ts'

const posting = fc.record({
  impact: fc.nat(255),
  thread: fc.integer({ min: 1, max: 2 ** 40 }),
  place: fc.nat(2 ** 45),
})
const better = (a: Omit<Hit, 'term'>, b: Omit<Hit, 'term'>): number =>
  b.impact - a.impact || b.thread - a.thread || b.place - a.place

it('[found-41] postings are unpacked as they were packed, the best in the first rows', () => {
  fc.assert(
    fc.property(fc.uniqueArray(posting, { maxLength: 700, selector: ({ place }) => place }), (postings) => {
      const list = new PostingList()
      for (const { impact, thread, place } of postings) list.add(impact, thread, place)
      const packer = new RowPacker()
      const [one, other] = [new PostingList(), new PostingList()]
      one.add(1, 2, 3)
      other.add(255, 2 ** 40, 2 ** 45)
      packer.add(7, one)
      packer.add(1_000, list)
      packer.add(2 ** 31, other)
      const rows = packer.end()
      const unpacked = rows.map((row) => {
        const found = listOf([row], 1_000)
        return found.impacts.map((impact, nth) => ({
          impact,
          thread: found.threads[nth] ?? 0,
          place: found.places[nth] ?? 0,
        }))
      })
      expect(unpacked.flatMap((row) => row.toSorted(better))).toEqual(postings.toSorted(better))
      expect(listOf(rows, 7)).toEqual(one)
      expect(listOf(rows, 2 ** 31)).toEqual(other)
    }),
    { numRuns: 100 },
  )
})

it('the terms of a passage are read as they were written', () => {
  const entry = fc.record({ key: fc.nat(2 ** 32 - 1), weight: fc.nat(255), impact: fc.nat(255) })
  fc.assert(
    fc.property(fc.uniqueArray(entry, { maxLength: 60, selector: ({ key }) => key }), (entries) => {
      const terms = entries.map(({ key, weight, impact }) => ({ term: `t${key}`, weight, impact }))
      const pairs = readPairs(writeTerms(terms, new Map(entries.map(({ key }) => [`t${key}`, key]))))
      const found = entries.map((_, nth) => [pairs[nth * 2], pairs[nth * 2 + 1]])
      const wanted = entries.map(({ key, weight, impact }) => [key, weight * 256 + impact])
      expect(new Map(found as [number, number][])).toEqual(new Map(wanted as [number, number][]))
    }),
  )
})

const WORDS = ['always', 'often', 'rarely'] as const

function passageOf(seq: number): NewPassage {
  const terms = WORDS.filter((_, nth) => seq % (nth * 3 + 1) === 0)
  const weights = terms.map((term, nth) => ({ term, weight: 5, impact: (seq * 37 + nth) % 7 }))
  return { place: seq * 2 ** 20, reference: '', speaker: '', role: 1, at: 1, length: 3, cues: 0, terms: weights }
}

/** Adds and removes the passages of one thread, and knows what has to be found. */
class Thread {
  readonly present = new Map<number, NewPassage>()
  readonly #recall: RecallStore
  #cursor: RecallCursor | null = null

  constructor(recall: RecallStore) {
    this.#recall = recall
  }

  async change(add: readonly number[], remove: readonly number[], by = this.#recall): Promise<void> {
    const next = { version: (this.#cursor?.version ?? 0) + 1, seq: 0 }
    const passages = add.map(passageOf)
    const places = remove.map((seq) => ({ from: seq * 2 ** 20, through: seq * 2 ** 20 }))
    const change = { thread: 4, expected: this.#cursor, next, remove: places, add: passages, posted: [], unposted: [] }
    expect(await by.change({ scope: 'a', kind: 'message', threads: [change] })).toEqual([true])
    this.#cursor = cursorAfter(change)
    for (const seq of remove) this.present.delete(seq)
    for (const [nth, seq] of add.entries()) if (passages[nth] !== undefined) this.present.set(seq, passages[nth])
  }

  /** The best hits of each word: those of the index, and those that it should have. */
  async hits(limit: number): Promise<{ readonly found: unknown; readonly wanted: unknown }> {
    const { shelves } = await this.#recall.shelves(['a'])
    const keys = shelves.map(({ key }) => key)
    const terms = await this.#recall.terms(['a'], keys, WORDS)
    const hits = await this.#recall.hits(
      ['a'],
      terms.map(({ key }) => key),
      limit,
    )
    const found = terms.map(({ key, term, passages }) => ({
      term,
      passages,
      hits: hits.filter((hit) => hit.term === key).map(({ impact, thread, place }) => ({ impact, thread, place })),
    }))
    const wanted = WORDS.flatMap((term) => {
      const all = [...this.present.values()].flatMap(({ place, terms: own }) =>
        own.filter((one) => one.term === term).map(({ impact }) => ({ impact, thread: 4, place })),
      )
      return all.length === 0 ? [] : [{ term, passages: all.length, hits: all.toSorted(better).slice(0, limit) }]
    })
    return { found, wanted }
  }
}

it('[found-41] the best hits are the same before, while and after segments are joined, whatever leaves meanwhile', async () => {
  const store = await openSqliteStore(':memory:', Date.now)
  const thread = new Thread(store.recall)
  let seq = 0
  for (let round = 0; round < 90; round++) {
    const add = Array.from({ length: round % 10 === 0 ? 300 : 3 }, () => ++seq)
    const remove = [...thread.present.keys()].filter((one) => (one * 31 + round) % 97 === 0).slice(0, 20)
    await thread.change(add, remove)
    if (round % 3 === 0) await store.recall.tidy('a', 'message')
    if (round % 9 !== 0) continue
    for (const limit of [16, 400, 10_000]) {
      const { found, wanted } = await thread.hits(limit)
      expect(found).toEqual(wanted)
    }
  }
  while (await store.recall.tidy('a', 'message'));
  const { found, wanted } = await thread.hits(2_000)
  expect(found).toEqual(wanted)
  await thread.change([], [...thread.present.keys()])
  expect((await thread.hits(2_000)).found).toEqual([])
  await store.close()
})

it('[found-41] words that somebody else took out of the index meanwhile are counted anew', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'daybook-')), 'a.db')
  const [one, other] = [await openSqliteStore(file, Date.now), await openSqliteStore(file, Date.now)]
  const thread = new Thread(one.recall)
  await thread.change([1, 2, 4, 7, 8], [])
  await thread.change([], [4, 7, 8], other.recall)
  await thread.change([12, 28], [])
  const { found, wanted } = await thread.hits(100)
  expect(found).toEqual(wanted)
  await other.recall.clear()
  const again = new Thread(one.recall)
  await again.change([1, 28], [])
  const after = await again.hits(100)
  expect(after.found).toEqual(after.wanted)
  await one.close()
  await other.close()
})

it('small segments are joined first, and full ones never', () => {
  const segments = (
    count: number,
    postings: number,
    from: number,
  ): { key: number; postings: number; target: number }[] =>
    Array.from({ length: count }, (_, nth) => ({ key: from + nth, postings, target: 0 }))
  expect(planOf(segments(7, 100, 1))).toBeUndefined()
  expect(planOf(segments(40, 2 ** 18, 1))).toBeUndefined()
  const plan = planOf([...segments(8, 5_000, 1), ...segments(9, 100, 20)])
  expect(plan?.from.map(({ key }) => key)).toEqual([20, 21, 22, 23, 24, 25, 26, 27])
  const begun = planOf([
    { key: 1, postings: 10, target: 3 },
    { key: 2, postings: 0, target: 3 },
    { key: 3, postings: 5, target: 0 },
  ])
  expect(begun).toMatchObject({ target: 3, from: [{ key: 1 }], empty: [{ key: 2 }] })
})
