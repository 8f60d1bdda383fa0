import { PassageSpans } from '../../src/recall/passage-spans.ts'
import { Posting } from '../../src/recall/posting.ts'
import { describe, expect, it } from 'vitest'
import { openMemoryWith } from '../../src/memory/open-memory-with.ts'
import { loadAnalyser } from '../../src/recall/analyser.ts'
import { postFacts } from '../../src/recall/post-facts.ts'
import { type RecallWiring, recall } from '../../src/recall/recall.ts'
import type { FactReader, FactToPost, RecalledFact } from '../../src/recall/sources.ts'
import { wrapLog } from '../../src/sealing/wrap-log.ts'
import { openSqliteStore } from '../../src/stores/sqlite/store.ts'

const NOW = Date.UTC(2026, 0, 1)

interface Known extends FactToPost {
  readonly scope: string
  readonly version: number
  readonly reads?: RecalledFact
  readonly edge?: string
}

/** Facts as the knowledge of a memory would give them. */
function factSource(known: readonly Known[]): FactReader {
  return {
    changes: async (scope, after) => {
      const facts = known.filter((fact) => fact.scope === scope && fact.version > after)
      return { through: Math.max(after, ...facts.map(({ version }) => version)), facts, gone: [] }
    },
    read: async (_, id) => {
      const fact = known.find((one) => one.id === id)
      if (fact === undefined) return { state: 'removed' }
      return fact.reads ?? { state: 'current', text: fact.text, trust: fact.trust, at: fact.at }
    },
    around: async (scopes) =>
      known.flatMap(({ scope, id, edge }) =>
        edge !== undefined && scopes.includes(scope) ? [{ scope, id, edge }] : [],
      ),
  }
}

async function parts(facts?: FactReader): Promise<RecallWiring & { readonly close: () => Promise<void> }> {
  const store = await openSqliteStore(':memory:', () => NOW)
  const memory = await openMemoryWith(store, { clock: { now: () => NOW } })
  await memory
    .scope('acme/ada')
    .session('s')
    .append([
      { role: 'user', content: 'We talked about the garden.' },
      { role: 'assistant', content: 'The roses need water.' },
      { role: 'user', content: 'Goodbye then.' },
    ])
  const analyser = await loadAnalyser()
  const index = {
    log: wrapLog(store.log, undefined, 'searchable'),
    recall: store.recall,
    analyser,
    spans: new PassageSpans(analyser),
    ...(facts === undefined ? {} : { facts }),
  }
  return {
    ...index,
    posting: new Posting(async () => index),
    count: async (text) => text.length,
    close: () => memory.close(),
  }
}

const request = { scope: 'acme/ada', query: 'what does Ada prefer?', now: NOW }

describe('facts in recall', () => {
  it('[recall-6] are found beside messages, with their own text, trust and id', async () => {
    const known = [
      { scope: 'acme/ada', id: 'f1', text: 'Ada prefers email', trust: 2 as const, at: NOW, version: 1 },
      { scope: 'acme', id: 'f2', text: 'The company prefers invoices by post', trust: 3 as const, at: NOW, version: 1 },
      { scope: 'acme/bob', id: 'f3', text: 'Bob prefers faxes', trust: 2 as const, at: NOW, version: 1 },
    ]
    const ready = await parts(factSource(known))
    const { items } = await recall(ready, request)
    expect(items.map(({ source }) => source.id)).toEqual(expect.arrayContaining(['f1', 'f2']))
    expect(items.map(({ source }) => source.id)).not.toContain('f3')
    expect(items.find(({ source }) => source.id === 'f1')).toMatchObject({
      kind: 'fact',
      text: 'Ada prefers email',
      trust: 2,
      source: { scope: 'acme/ada', session: null, seq: null },
    })
    expect(
      (await recall(ready, { ...request, kinds: ['message'] })).items.filter(({ kind }) => kind === 'fact'),
    ).toEqual([])
    await ready.close()
  })

  it('[recall-8] are dropped with the reason when they may not be shown', async () => {
    const base = { scope: 'acme/ada', trust: 2 as const, at: NOW, version: 1 }
    const quarantined = { state: 'quarantined' as const, text: 'Ada prefers gifts', trust: 0 as const, at: NOW }
    const ready = await parts(
      factSource([
        { ...base, id: 'f1', text: 'Ada prefers email' },
        { ...base, id: 'f2', text: 'Ada prefers letters', reads: { state: 'superseded' } },
        { ...base, id: 'f3', text: 'Ada prefers gifts', reads: quarantined },
        { ...base, id: 'f4', text: 'Ada prefers tea', reads: { state: 'not-true-then' } },
      ]),
    )
    const { items, dropped } = await recall(ready, { ...request, kinds: ['fact'], explain: true })
    expect(items.map(({ source }) => source.id)).toEqual(['f1'])
    expect(Object.fromEntries(dropped.map(({ source, reason }) => [source.id, reason]))).toEqual({
      f2: 'superseded',
      f3: 'quarantined',
      f4: 'not-true-then',
    })
    const all = await recall(ready, { ...request, kinds: ['fact'], includeQuarantined: true })
    expect(all.items.map(({ source, trust }) => [source.id, trust])).toContainEqual(['f3', 0])
    await ready.close()
  })

  it('[recall-3] come through the graph as well, and say by which edge', async () => {
    const fact = {
      scope: 'acme/ada',
      id: 'f1',
      text: 'Contact goes to the Lisbon office',
      trust: 2 as const,
      at: NOW,
      version: 1,
      edge: 'Ada works_at Lisbon office',
    }
    const ready = await parts(factSource([fact]))
    const { items } = await recall(ready, { ...request, query: 'Ada?' })
    expect(items[0]).toMatchObject({ source: { id: 'f1' }, why: { edge: 'Ada works_at Lisbon office', words: [] } })
    await ready.close()
  })

  it('are posted once a version, replaced by id, and taken out when they are gone', async () => {
    const ready = { ...(await parts()), pause: async () => undefined }
    const fact = { id: 'f1', text: 'Ada prefers email', trust: 2 as const, at: NOW }
    expect(await postFacts(ready, 'acme/ada', [fact], { after: 0, through: 1 })).toBe(true)
    expect(await postFacts(ready, 'acme/ada', [fact], { after: 0, through: 1 })).toBe(false)
    expect(
      await postFacts(ready, 'acme/ada', [{ ...fact, text: 'Ada prefers carrots' }], { after: 1, through: 2 }),
    ).toBe(true)
    const passages = async (): Promise<number> => {
      const { shelves } = await ready.recall.shelves(['acme/ada'])
      return shelves.find(({ kind }) => kind === 'fact')?.passages ?? -1
    }
    expect(await passages()).toBe(1)
    await postFacts(ready, 'acme/ada', [], { after: 2, through: 3, gone: ['f1'] })
    expect(await passages()).toBe(0)
    await ready.close()
  })
})

describe('vectors in recall', () => {
  it('[recall-3] bring what shares no word with the question, and say how like it is', async () => {
    const ready = await parts()
    const { shelves } = await ready.recall.shelves(['acme/ada'])
    expect(shelves).toEqual([])
    const session = (await ready.log.session('acme/ada', 's'))?.key ?? 0
    const vectors = { near: async () => [{ session, seq: 2, vector: 0.9 }], waiting: async () => [] }
    const { items } = await recall({ ...ready, vectors }, { ...request, query: 'thirsty flowers' })
    expect(items[0]).toMatchObject({ text: 'The roses need water.', why: { words: [], vector: expect.any(Number) } })
    await ready.close()
  })
})
