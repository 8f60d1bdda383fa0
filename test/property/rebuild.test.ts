import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { NewMessage } from '../../src/domain/new-message.ts'
import { hashEmbedder } from '../../src/providers/hash-embedder.ts'
import type { Memory } from '../../src/api/memory.ts'
import { LocalMemory } from '../../src/memory/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { openMemoryWith } from '../../src/memory/open-memory-with.ts'
import { dropIndex } from '../../src/recall/drop-index.ts'
import { openSqliteStore } from '../../src/stores/sqlite/store.ts'
import { times } from '../tier.ts'

const SCOPES = ['acme', 'acme/ada', 'acme/bob'] as const
const WORDS = [
  'river',
  'mill',
  'orchard',
  'order 7731',
  'Ada',
  'Lisbon',
  'tea',
  'report.pdf',
  'late',
  'invoice',
] as const

const step = fc.record({
  do: fc.constantFrom('say', 'say', 'say', 'call', 'remember', 'compact', 'remove', 'fork'),
  scope: fc.constantFrom(...SCOPES),
  session: fc.constantFrom('s1', 's2'),
  words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }),
})
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

async function take(memory: Memory, { do: what, scope: name, session: id, words }: Step, index: number): Promise<void> {
  const scope = memory.scope(name)
  const session = scope.session(id)
  const text = `In round ${index} we spoke of ${words.join(' and ')}.`
  if (what === 'say')
    await session.append([
      { role: 'user', content: text },
      { role: 'assistant', content: `Noted: ${words[0]}.` },
    ])
  if (what === 'call') await session.append(round(index, text))
  if (what === 'remember')
    await scope.remember({ subject: words[0] ?? '', predicate: 'goes with', object: words.at(-1) ?? '' })
  if (what === 'compact') await session.compact({ force: true })
  if (what === 'remove') {
    const [first] = await session.recent(1)
    if (first !== undefined) await session.remove(first.id)
  }
  if (what === 'fork' && (await session.count()) > 0) await session.fork(`fork-${index}`)
}

function round(index: number, text: string): readonly NewMessage[] {
  return [
    { role: 'user', content: text },
    { role: 'assistant', toolCalls: [{ id: `c${index}`, name: 'look', arguments: {} }] },
    { role: 'tool', toolCallId: `c${index}`, content: text },
  ]
}

/** All that a memory answers. */
async function answers(memory: Memory): Promise<unknown> {
  const found: unknown[] = []
  for (const name of SCOPES) {
    const scope = memory.scope(name)
    for (const question of ['What about order 7731?', 'river', 'who is in Lisbon', '']) {
      // The hint for an embedder is given once for each memory that is opened.
      const { hint: _hint, ...recalled } = await scope.recall(question, { limit: 30, explain: true, neighbours: true })
      found.push(recalled)
    }
    found.push(await scope.facts({ includeClosed: true }), await scope.sessions())
    for (const { id } of (await scope.sessions()).sessions) {
      const session = scope.session(id)
      const { messages, tokens } = await session.context({ budget: 4_000 })
      found.push(messages, tokens, await session.history(), await session.window(), await session.stats())
    }
  }
  return structuredClone(found)
}

async function vectorsOf(memory: Memory): Promise<readonly (readonly [string, string])[]> {
  const { vectors } = LocalMemory.partsOf(memory).store
  const found: [string, string][] = []
  for (const scope of SCOPES)
    for (const set of await vectors.sets([scope]))
      for (const { passage, values } of await vectors.read(set, { after: 0, limit: 10_000 }))
        found.push([`${scope} ${passage}`, values.join(' ')])
  return found.toSorted(([a], [b]) => (a < b ? -1 : 1))
}

it('[doc-4] rebuild drops every projection, and answers are the same when it was posted again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), fc.boolean(), async (steps, embeds) => {
      let now = Date.UTC(2026, 0, 1)
      let ticking = true
      const clock = { now: () => (ticking ? (now += 1_000) : now) }
      const memory = await openMemory(':memory:', { clock, ...(embeds ? { embedder: hashEmbedder() } : {}) })
      for (const [index, each] of steps.entries()) await take(memory, each, index)
      await memory.settled()
      // Recency is part of an answer.
      ticking = false
      const before = await answers(memory)
      await memory.settled()
      const vectors = await vectorsOf(memory)
      await memory.rebuild()
      // Whoever asks posts the words; the job posts the vectors.
      for (const scope of SCOPES) await memory.scope(scope).recall('')
      await memory.settled()
      expect(await answers(memory)).toEqual(before)
      expect(await vectorsOf(memory)).toEqual(vectors)
      expect(await memory.verify()).toMatchObject({ ok: true })
      await memory.close()
    }),
    { numRuns: times({ daily: 12, nightly: 400 }) },
  )
})

it('[doc-4] rebuild leaves nothing of what was derived, and keeps vectors that it could not make again', async () => {
  const store = await openSqliteStore(':memory:', Date.now)
  const memory = await openMemoryWith(store, { embedder: hashEmbedder(), learn: false })
  await memory.scope('acme').session('s').append({ role: 'user', content: 'The heron is grey.' })
  await memory.settled()
  await memory.scope('acme').recall('heron')
  expect(await vectorsOf(memory)).toHaveLength(1)
  expect(await store.recall.scopes({ after: '', limit: 9 })).toEqual(['acme'])

  const plain = await openMemoryWith(store, { learn: false })
  await plain.rebuild()
  expect(await store.recall.scopes({ after: '', limit: 9 })).toEqual([])
  expect(await vectorsOf(memory)).toHaveLength(1)

  await dropIndex(store, true)
  expect(await vectorsOf(memory)).toEqual([])
  await memory.close()
})
