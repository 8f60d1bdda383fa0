import { describe, expect, it } from 'vitest'
import type { Fact } from '../../src/domain/fact.ts'
import { ManualClock, type OpenSubject } from './subject.ts'

const sentences = (facts: readonly Fact[]): readonly string[] => facts.map(({ text }) => text)

/** Facts over time: what was known when, what retracting and forgetting leave, and which scopes see them. */
export function testFactHistory(open: OpenSubject): void {
  describe('the history of facts', () => {
    it('[fact-3] `asOf` is what was known, `at` is what was true', async () => {
      const clock = new ManualClock(Date.UTC(2026, 0, 1))
      await using memory = await open({ clock })
      const scope = memory.scope('a')
      await scope.remember({
        subject: 'Ada',
        predicate: 'favourite_employer',
        object: { entity: 'Acme' },
        validFrom: '2020-01-01',
      })
      const version = await scope.knowledgeVersion()
      clock.time = Date.UTC(2026, 5, 1)
      await scope.remember({
        subject: 'Ada',
        predicate: 'favourite_employer',
        object: { entity: 'Globex' },
        validFrom: '2025-01-01',
      })
      const works = async (options: object): Promise<readonly string[]> =>
        sentences(await scope.facts({ order: 'oldest', ...options }))
      expect(await works({})).toEqual(['Ada favourite employer Globex'])
      expect(await works({ asOf: '2026-03-01' })).toEqual(['Ada favourite employer Acme'])
      expect(await works({ asOf: { version } })).toEqual(['Ada favourite employer Acme'])
      expect(await works({ at: '2024-06-01' })).toEqual(['Ada favourite employer Acme'])
      expect(await works({ asOf: '2026-03-01', at: '2025-06-01' })).toEqual(['Ada favourite employer Acme'])
      expect(await works({ at: '2025-06-01' })).toEqual(['Ada favourite employer Globex'])
      expect(await works({ asOf: '2025-12-31' })).toEqual([])
      expect((await scope.graph({ around: 'Acme', asOf: '2026-03-01' })).facts).toHaveLength(1)
      expect((await scope.graph({ around: 'Acme' })).facts).toHaveLength(0)
      expect((await scope.graph({ around: 'Acme', at: '2024-06-01' })).facts).toHaveLength(1)
      expect((await scope.path('Ada', 'Acme')).found).toBe(false)
      expect((await scope.path('Ada', 'Acme', { asOf: { version } })).found).toBe(true)
    })

    it('[fact-7] retract, restore and the history of a fact', async () => {
      const clock = new ManualClock()
      await using memory = await open({ clock })
      const scope = memory.scope('a')
      await scope.remember({ subject: 'Ada', predicate: 'favourite_city', object: 'Paris' })
      clock.time += 1
      const [berlin] = await scope.remember({ subject: 'Ada', predicate: 'favourite_city', object: 'Berlin' })
      clock.time += 1
      expect(await scope.retract(berlin.id, 'a joke')).toMatchObject({
        state: 'retracted',
        reason: 'a joke',
        retractedAt: new Date(clock.time).toISOString(),
      })
      expect(sentences(await scope.facts({ order: 'oldest' }))).toEqual(['Ada favourite city Paris'])
      expect(sentences(await scope.facts({ order: 'oldest', state: 'retracted' }))).toEqual([
        'Ada favourite city Berlin',
      ])
      clock.time += 1
      expect(await scope.restore(berlin.id)).toMatchObject({ state: 'current', retractedAt: null })
      expect(sentences(await scope.facts({ order: 'oldest' }))).toEqual(['Ada favourite city Berlin'])
      const history = await scope.factHistory(berlin.id)
      expect(history.map(({ state }) => state)).toEqual(['current', 'retracted', 'current'])
      expect(history.map(({ knownTo }) => knownTo)).toEqual([history[1]?.knownFrom, history[2]?.knownFrom, null])
      await expect(scope.restore(berlin.id)).rejects.toMatchObject({ code: 'knowledge/conflict' })
      await expect(scope.retract('unknown')).rejects.toMatchObject({ code: 'knowledge/not-found' })
      expect(await scope.factHistory('unknown')).toEqual([])
    })

    it('[fact-7] what a user took back is not brought back by an agent', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const fact = { subject: 'Ada', predicate: 'likes', object: 'fish' }
      const [stored] = await scope.remember(fact)
      await scope.retract(stored.id)
      expect((await scope.remember(fact, { channel: 'agent' }))[0]).toMatchObject({ state: 'retracted' })
      expect((await scope.remember(fact))[0]).toMatchObject({ id: stored.id, outcome: 'restored', state: 'current' })
    })

    it('[fact-4] a source alone is no new version, and the history shows it', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const fact = { subject: 'Ada', predicate: 'wrote', object: 'x'.repeat(20_000) }
      const [first] = await scope.remember(fact)
      for (let n = 0; n < 3; n++)
        expect((await scope.remember(fact))[0]).toMatchObject({ outcome: 'confirmed', revision: first.revision })
      expect(await scope.knowledgeVersion()).toBe(4)
      await scope.remember({ ...fact, tags: ['long'] })
      const history = await scope.factHistory(first.id)
      expect(history.map(({ tags, sourceCount }) => [tags, sourceCount])).toEqual([
        [[], 4],
        [['long'], 5],
      ])
      expect(await scope.facts({ order: 'oldest', asOf: { version: 2 } })).toMatchObject([{ sourceCount: 2 }])
      expect((await scope.factHistory(first.id, { limit: 1 })).map(({ tags }) => tags)).toEqual([['long']])
      await expect(scope.factHistory(first.id, { limit: 0 })).rejects.toMatchObject({ code: 'input/invalid' })
    })

    it('[fact-1] what a forgotten fact had closed or stood against is settled without it', async () => {
      const clock = new ManualClock()
      await using memory = await open({ clock })
      const scope = memory.scope('a')
      const lives = (object: string) => ({ subject: 'Ada', predicate: 'favourite_city', object: { entity: object } })
      await scope.remember(lives('Paris'))
      clock.time += 1
      const [berlin] = await scope.remember(lives('Berlin'), { channel: 'operator' })
      await scope.remember({ subject: 'Bob', predicate: 'status', object: 'red' }, { channel: 'operator' })
      await scope.remember({ subject: 'Bob', predicate: 'status', object: 'green' })
      await scope.forget({ fact: berlin.id })
      expect(await scope.facts({ order: 'oldest', subject: 'Ada', includeClosed: true })).toMatchObject([
        { object: { entity: 'Paris' }, state: 'current', validTo: null },
      ])
      expect((await scope.facts({ subject: 'Ada' }))[0]?.closedBy).toBeUndefined()
      clock.time += 1
      await scope.remember(lives('Rome'))
      await scope.forget({ subject: 'Rome' })
      expect(sentences(await scope.facts({ order: 'oldest', subject: 'Ada' }))).toEqual(['Ada favourite city Paris'])
      const [red] = await scope.facts({ order: 'oldest', subject: 'Bob' })
      await scope.forget({ fact: red?.id ?? '' })
      expect(sentences(await scope.facts({ order: 'oldest', subject: 'Bob' }))).toEqual(['Bob status green'])
    })

    it('[fact-13] a scope sees its ancestors and never a sibling or a child', async () => {
      await using memory = await open()
      const paths = ['a', 'a/b', 'a/b/c', 'a/d', 'ab']
      for (const path of paths)
        await memory.scope(path).remember({ subject: path, predicate: 'knows', object: { entity: 'Ada' } })
      const seen = async (path: string): Promise<readonly string[]> =>
        (await memory.scope(path).facts({ order: 'oldest' })).map(({ subject }) => subject ?? '').toSorted()
      expect(await seen('a')).toEqual(['a'])
      expect(await seen('a/b')).toEqual(['a', 'a/b'])
      expect(await seen('a/b/c')).toEqual(['a', 'a/b', 'a/b/c'])
      expect(await seen('a/d')).toEqual(['a', 'a/d'])
      expect(await seen('a/x')).toEqual(['a'])
      expect(await seen('ab')).toEqual(['ab'])
      const hidden =
        (await memory.scope('a/b').facts({ order: 'oldest' })).find(({ scope }) => scope === 'a/b')?.id ?? ''
      for (const path of ['a', 'a/d', 'ab']) {
        expect(await memory.scope(path).fact(hidden)).toBeUndefined()
        expect(await memory.scope(path).factHistory(hidden)).toEqual([])
        expect((await memory.scope(path).path('a/b', 'Ada')).found).toBe(false)
      }
      expect(await memory.scope('a/b/c').fact(hidden)).toMatchObject({ scope: 'a/b' })
      expect(await memory.scope('a/b/c').factHistory(hidden)).toHaveLength(1)
      expect((await memory.scope('a/b/c').path('a/b', 'Ada')).found).toBe(true)
      const proposal = await memory.scope('a/b').propose({ stale: [hidden] })
      for (const path of ['a', 'a/d', 'a/b/c', 'ab']) {
        expect(await memory.scope(path).proposals()).toEqual([])
        await expect(memory.scope(path).apply(proposal.id)).rejects.toMatchObject({ code: 'knowledge/not-found' })
        await expect(memory.scope(path).propose({ stale: [hidden] })).rejects.toMatchObject({
          code: 'knowledge/not-found',
        })
      }
      const around = await memory.scope('a/d').graph({ around: 'Ada' })
      expect(around.facts.map(({ subject }) => subject)).toEqual(['a', 'a/d'])
      const [foreign] = await memory.scope('a').facts({ order: 'oldest' })
      await expect(memory.scope('a/b').retract(foreign?.id ?? '')).rejects.toMatchObject({
        code: 'knowledge/not-found',
      })
      await expect(memory.scope('a/b').forget({ fact: foreign?.id ?? '' })).rejects.toMatchObject({
        code: 'knowledge/not-found',
      })
    })

    it('[fact-1] pages through facts without gaps or repeats, and filters by everything', async () => {
      await using memory = await open()
      const scope = memory.scope('a/b')
      await memory.scope('a').remember({ subject: 'Ada', predicate: 'likes', object: 0, tags: ['t'] })
      for (let n = 1; n <= 24; n++)
        await scope.remember({ subject: 'Ada', predicate: n % 2 ? 'likes' : 'hates', object: n, tags: [`t${n % 3}`] })
      const pages: Fact[] = []
      for (let after: string | undefined; ;) {
        const page = await scope.facts({
          order: 'oldest',
          subject: 'ada',
          limit: 7,
          ...(after === undefined ? {} : { after }),
        })
        pages.push(...page)
        if (page.length < 7) break
        after = page.at(-1)?.id
      }
      expect(pages.map(({ object }) => object)).toEqual(Array.from({ length: 25 }, (_, n) => n))
      expect(await scope.facts({ predicate: 'hates' })).toHaveLength(12)
      expect(await scope.facts({ subject: 'Ada', predicate: 'likes', limit: 5 })).toHaveLength(5)
      expect(await scope.facts({ order: 'oldest', object: 7 })).toMatchObject([{ object: 7 }])
      expect(await scope.facts({ order: 'oldest', tag: 't2', limit: 3 })).toMatchObject([
        { object: 2 },
        { object: 5 },
        { object: 8 },
      ])
      expect(await scope.facts({ subject: 'nobody' })).toEqual([])
    })

    it('[fact-1] forget destroys a fact, or a subject with all its versions, and counts what it destroyed', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const [tea] = await scope.remember({ subject: 'Ada', predicate: 'likes', object: 'tea' })
      await scope.remember({ subject: 'Ada', predicate: 'likes', object: 'tea' })
      await scope.remember({ subject: 'Ada', predicate: 'favourite_city', object: 'Paris' })
      await scope.remember({ subject: 'Bob', predicate: 'knows', object: { entity: 'Ada' } })
      await scope.remember({ subject: 'Bob', predicate: 'likes', object: 'cake' })
      expect(await scope.forget({ fact: tea.id })).toMatchObject({ facts: 1, versions: 1, sources: 2, ids: [tea.id] })
      expect(await scope.factHistory(tea.id)).toEqual([])
      expect(await scope.facts({ asOf: { version: 1 } })).toEqual([])
      expect(await scope.forget({ subject: 'ADA' })).toMatchObject({ facts: 2, entities: 1, found: true })
      expect(sentences(await scope.facts({ order: 'oldest', includeClosed: true }))).toEqual(['Bob likes cake'])
      expect(await scope.entity('Ada')).toBeUndefined()
      for (const subject of ['Ada', 'Nobody'])
        for (const dryRun of [true, false])
          expect(await scope.forget({ subject }, { dryRun })).toMatchObject({ facts: 0, entities: 0, found: false })
    })
  })
}
