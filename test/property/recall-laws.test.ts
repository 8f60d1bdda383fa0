import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { scopeChain } from '../../src/domain/scope-path.ts'
import type { Session } from '../../src/api/session.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { PostingList } from '../../src/stores/sql/posting-list.ts'
import { blocksOf } from '../../src/stores/sql/posting-rows.ts'
import { times } from '../tier.ts'
import { adversarialString } from './strings.ts'

const directory = mkdtempSync(join(tmpdir(), 'daybook-recall-'))
let files = 0
afterAll(() => rmSync(directory, { recursive: true }))

const words = [
  'apple',
  'river',
  'went',
  'Häuser',
  '咖啡馆',
  'ERR-7731',
  'the',
  'Ada',
  'mill',
  'running',
  'Why?',
  'because',
]
const text = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 90 }).map((all) => all.join(' ')),
  },
  { weight: 1, arbitrary: adversarialString },
)

type Step =
  | {
      readonly do: 'append'
      readonly text: string
      readonly role: 'user' | 'assistant' | 'system'
      readonly name: string | undefined
    }
  | { readonly do: 'revise' | 'remove'; readonly which: number; readonly text: string }
  | { readonly do: 'clear'; readonly keepSystem: boolean }
  | { readonly do: 'compact' | 'undo' | 'recall' | 'fork' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      text,
      role: fc.constantFrom('user' as const, 'assistant' as const, 'system' as const),
      name: fc.constantFrom(undefined, 'Ada', 'Bob'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('revise' as const, 'remove' as const), which: fc.nat(20), text }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const), keepSystem: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      { do: 'compact' as const },
      { do: 'undo' as const },
      { do: 'recall' as const },
      { do: 'fork' as const },
    ),
  },
)

async function take(one: Step, chat: Session, fork: Session): Promise<void> {
  switch (one.do) {
    case 'append':
      await chat.append({ role: one.role, content: one.text, ...(one.name === undefined ? {} : { name: one.name }) })
      return
    case 'revise':
    case 'remove': {
      const messages = await chat.history()
      const message = messages[one.which % Math.max(1, messages.length)]
      if (message === undefined) return
      await (one.do === 'remove' ? chat.remove(message.id) : chat.revise(message.id, { content: one.text }))
      return
    }
    case 'clear':
      await chat.clear({ keepSystem: one.keepSystem })
      return
    case 'compact':
      await chat.compact({ force: true })
      return
    case 'undo':
      await chat.undo().catch(() => undefined)
      return
    case 'fork':
      if ((await chat.count()) > 0 && (await fork.count()) === 0) await chat.fork(fork.id)
      break
    case 'recall':
  }
}

function postingsIn(database: Database.Database): unknown {
  const terms = database.prepare<[], readonly [number, string]>(`SELECT key, term FROM recall_terms`).raw().all()
  const rows = database
    .prepare<[], { kind: number; term: number; hits: Uint8Array }>(
      `SELECT s.kind, p.term, p.hits FROM recall_postings p JOIN recall_segments g ON g.key = p.segment JOIN recall_shelves s ON s.key = g.shelf`,
    )
    .all()
  const names = new Map(terms)
  return rows
    .flatMap((row) => blocksOf(row).map((block) => ({ ...block, kind: row.kind })))
    .flatMap(({ kind, term, bytes }) => {
      const list = new PostingList()
      list.addPacked(bytes)
      return list.impacts.map((impact, nth) =>
        [kind, names.get(term), impact, list.threads[nth], list.places[nth]].join(' '),
      )
    })
    .toSorted()
}

/** Everything in the index, in terms that do not depend on the order in which it was posted. */
function contents(file: string): unknown {
  const database = new Database(file, { readonly: true })
  const all = (statement: string): unknown => database.prepare(statement).raw().all()
  const dump = {
    postings: postingsIn(database),
    terms: all(
      `SELECT s.kind, t.term, t.passages FROM recall_terms t JOIN recall_shelves s ON s.key = t.shelf WHERE t.passages > 0 ORDER BY 1, 2`,
    ),
    passages: all(
      `SELECT thread, place, reference, speaker, role, at, length, cues FROM recall_passages ORDER BY 1, 2`,
    ),
    speakers: all(
      `SELECT s.scope, p.speaker, p.passages FROM recall_speakers p JOIN recall_shelves s ON s.key = p.shelf ORDER BY 1, 2`,
    ),
    threads: all(`SELECT thread, words FROM recall_threads WHERE words > 0 ORDER BY 1`),
    shelves: all(`SELECT scope, kind, passages, words FROM recall_shelves WHERE passages > 0 ORDER BY 1, 2`),
  }
  database.close()
  return dump
}

describe('the laws of recall', () => {
  it('the index after any changes is the index posted from nothing', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const file = join(directory, `${++files}.db`)
        const memory = await openMemory(file)
        const scope = memory.scope('a/b')
        for (const one of steps) {
          await take(one, scope.session('s'), scope.session('fork'))
          if (one.do === 'recall' || one.do === 'fork') await scope.recall('apple')
        }
        await scope.recall('apple river')
        const kept = contents(file)
        const answer = await scope.recall('apple river', { limit: 50 })
        await memory.rebuild()
        const again = await scope.recall('apple river', { limit: 50 })
        expect(again.items.map(({ source }) => source)).toEqual(answer.items.map(({ source }) => source))
        expect(contents(file)).toEqual(kept)
        await memory.close()
      }),
      { numRuns: times({ daily: 25, nightly: 2_000 }) },
    )
  })

  it(
    '[recall-10] no string of up to 8,000 characters is a bad question, nor any a bad message',
    { timeout: 300_000 },
    async () => {
      const memory = await openMemory(':memory:')
      const scope = memory.scope('a')
      await fc.assert(
        fc.asyncProperty(adversarialString, adversarialString, async (message, question) => {
          await scope.session('s').append({ role: 'user', content: message })
          const { items } = await scope.recall(question.slice(0, 8_000), { explain: true, neighbours: true })
          for (const item of items) expect(item.score).toBeGreaterThanOrEqual(0)
        }),
        { numRuns: times({ daily: 150, nightly: 10_000 }) },
      )
      await memory.close()
    },
  )

  it(
    '[know-5] [walls-5] nothing is found outside the scope and, on request, its ancestors, in any tree of scopes',
    { timeout: 300_000 },
    async () => {
      const segment = fc.constantFrom('a', 'b', 'ab', 'A')
      const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'))
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(path, { minLength: 2, maxLength: 10 }),
          path,
          fc.boolean(),
          async (paths, reader, ancestors) => {
            const memory = await openMemory(':memory:')
            for (const one of paths)
              await memory
                .scope(one)
                .session('s')
                .append({ role: 'user', content: `plum ${one.length}` })
            const { items, dropped } = await memory
              .scope(reader)
              .recall('plum', { limit: 50, explain: true, ancestors })
            const seen = new Set([...items, ...dropped].map(({ source }) => source.scope))
            const copies = items.flatMap((item) => (item.copies ?? []).map(({ scope }) => scope))
            const allowed = paths.filter((one) => (ancestors ? scopeChain(reader).includes(one) : one === reader))
            expect([...seen].filter((scope) => !allowed.includes(scope))).toEqual([])
            expect(new Set([...seen, ...copies])).toEqual(new Set(allowed))
            await memory.close()
          },
        ),
        { numRuns: times({ daily: 25, nightly: 2_000 }) },
      )
    },
  )
})
