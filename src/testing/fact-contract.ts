import { describe, expect, it } from 'vitest'
import type { Fact } from '../domain/fact.ts'
import { ManualClock, type OpenSubject } from './subject.ts'

const sentences = (facts: readonly Fact[]): readonly string[] => facts.map(({ text }) => text)

/** Facts: what they hold, when they are the same, what closes what, and who sees them. */
export function testFacts(open: OpenSubject): void {
  describe('facts', () => {
    it('[fact-1] [fact-2] keeps every kind of object and gives it back unchanged', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const objects = [
        'text \u0000 \ud800 é',
        -0.5,
        0,
        true,
        { date: '1990-05-01' },
        { json: { deep: [1, null, { key: 'value' }] } },
        { entity: 'Paris', type: 'city' },
      ] as const
      const stored = await scope.remember(
        objects.map((object) => ({
          subject: 'Ada',
          predicate: 'has',
          object,
          confidence: 0.5,
          tags: ['x'],
          validFrom: '2020-01-01',
          validTo: new Date('2120-01-01'),
        })),
      )
      expect(stored.map(({ object }) => object)).toEqual(objects)
      const read = await scope.facts({ order: 'oldest', subject: 'Ada' })
      expect(read.map(({ object }) => object)).toEqual(objects)
      expect(read[0]).toMatchObject({
        confidence: 0.5,
        tags: ['x'],
        trust: 2,
        validFrom: '2020-01-01T00:00:00.000Z',
        validTo: '2120-01-01T00:00:00.000Z',
        retractedAt: null,
        sources: [{ type: 'told', channel: 'user' }],
        sourceCount: 1,
        scope: 'a',
        state: 'current',
      })
    })

    it('[fact-4] the same fact in another spelling is one row with one more source', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const [first] = await scope.remember({ subject: 'Ada  Lovelace', predicate: 'works on', object: 'The Engine' })
      const [second] = await scope.remember({ subject: ' ADA lovelace', predicate: 'worksOn', object: 'the  engine' })
      expect(second).toMatchObject({ id: first.id, outcome: 'confirmed', sourceCount: 2 })
      expect(await scope.facts()).toHaveLength(1)
      expect((await scope.facts())[0]?.sources).toHaveLength(2)
      await scope.remember({ subject: 'Ada Lovelace', predicate: 'works_on', object: 'the engine!' })
      expect(await scope.facts()).toHaveLength(2)
    })

    it('[fact-4] a message teaches a fact once', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const [message] = await scope.session('s').append({ role: 'user', content: 'I like tea' })
      const fact = { subject: 'Ada', predicate: 'likes', object: 'tea', sources: [message.id] }
      expect((await scope.remember(fact))[0].outcome).toBe('added')
      expect((await scope.remember(fact))[0]).toMatchObject({ outcome: 'unchanged', sourceCount: 1 })
      expect((await scope.remember([fact, fact])).map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged'])
    })

    it('[fact-5] a single-valued predicate closes the earlier value, keeps both and says so', async () => {
      const clock = new ManualClock()
      await using memory = await open({ clock })
      const scope = memory.scope('a')
      const [paris] = await scope.remember({ subject: 'Ada', predicate: 'favourite_city', object: 'Paris' })
      clock.time += 1_000
      const [berlin] = await scope.remember({ subject: 'Ada', predicate: 'favourite_city', object: 'Berlin' })
      expect(berlin).toMatchObject({ outcome: 'added', closed: [paris.id] })
      expect(sentences(await scope.facts({ order: 'oldest' }))).toEqual(['Ada favourite city Berlin'])
      expect(await scope.facts({ order: 'oldest', includeClosed: true })).toMatchObject([
        { id: paris.id, state: 'closed', validTo: berlin.validFrom, closedBy: berlin.id },
        { id: berlin.id, state: 'current' },
      ])
    })

    it('[fact-5] several values stay several unless a scope declares otherwise, for itself and deeper', async () => {
      await using memory = await open()
      const [root, child] = [memory.scope('a'), memory.scope('a/b')]
      await root.predicate('favourite colour', { single: true })
      await root.predicate('favourite_city', { single: false })
      for (const scope of [root, child]) {
        for (const object of ['red', 'blue']) {
          await scope.remember({ subject: 'Ada', predicate: 'favourite_colour', object })
          await scope.remember({ subject: 'Ada', predicate: 'likes', object })
          await scope.remember({ subject: 'Ada', predicate: 'favourite_city', object })
        }
      }
      const own = (await child.facts({ order: 'oldest' })).filter(({ scope }) => scope === 'a/b')
      expect(sentences(own)).toEqual([
        'Ada likes red',
        'Ada favourite city red',
        'Ada favourite colour blue',
        'Ada likes blue',
        'Ada favourite city blue',
      ])
      expect((await child.predicates()).find(({ name }) => name === 'favourite_colour')).toEqual({
        name: 'favourite_colour',
        single: true,
        scope: 'a',
      })
    })

    it('[fact-5] a value of the past does not close the present one, and one in between leaves a gap', async () => {
      const clock = new ManualClock(Date.UTC(2026, 0, 1))
      await using memory = await open({ clock })
      const scope = memory.scope('a')
      const lived = (object: string, validFrom?: string, validTo?: string): Promise<unknown> =>
        scope.remember({
          subject: 'Ada',
          predicate: 'favourite_city',
          object,
          ...(validFrom === undefined ? {} : { validFrom }),
          ...(validTo === undefined ? {} : { validTo }),
        })
      await lived('Paris', '2010-01-01')
      await lived('Rome', '2005-01-01')
      await lived('Oslo', '2015-01-01', '2016-01-01')
      const at = async (time: string): Promise<readonly string[]> =>
        (await scope.facts({ order: 'oldest', at: time })).map(({ object }) => String(object))
      expect(await at('2004-01-01')).toEqual([])
      expect(await at('2006-01-01')).toEqual(['Rome'])
      expect(await at('2012-01-01')).toEqual(['Paris'])
      expect(await at('2015-06-01')).toEqual(['Oslo'])
      expect(await at('2016-01-01')).toEqual(['Paris'])
      expect(sentences(await scope.facts({ order: 'oldest' }))).toEqual(['Ada favourite city Paris'])
      expect((await scope.facts({ order: 'oldest' }))[0]?.except).toEqual([
        { from: '2015-01-01T00:00:00.000Z', to: '2016-01-01T00:00:00.000Z' },
      ])
    })

    it('[fact-5] telling when a fact ended ends it', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      await scope.remember({ subject: 'Ada', predicate: 'member_of', object: { entity: 'Chess Club' } })
      const [ended] = await scope.remember({
        subject: 'Ada',
        predicate: 'member_of',
        object: { entity: 'Chess Club' },
        validTo: '2020-01-01',
      })
      expect(ended).toMatchObject({ outcome: 'confirmed', state: 'closed', validTo: '2020-01-01T00:00:00.000Z' })
      expect(await scope.facts()).toEqual([])
      const [again] = await scope.remember({ subject: 'Ada', predicate: 'member_of', object: { entity: 'Chess Club' } })
      expect(again.outcome).toBe('added')
      expect(await scope.facts()).toHaveLength(1)
    })

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

    it('[fact-12] nothing is expected of what was retracted', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const fact = { subject: 'Ada', predicate: 'likes', object: 'tea', expect: 0 }
      const [tea] = await scope.remember(fact)
      await expect(scope.remember(fact)).rejects.toMatchObject({ code: 'knowledge/conflict' })
      await scope.retract(tea.id)
      expect((await scope.remember(fact))[0]).toMatchObject({ id: tea.id, outcome: 'restored' })
    })

    it('[fact-8] free text is a fact too, about somebody or nobody', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      await scope.remember('User prefers verbose output')
      await scope.remember({ text: 'user prefers  VERBOSE output' })
      await scope.remember({ text: 'asks for sources', subject: 'Ada' })
      expect(await scope.facts({ order: 'oldest' })).toMatchObject([
        { subject: null, predicate: 'note', text: 'User prefers verbose output', sourceCount: 2 },
        { subject: 'Ada', text: 'Ada: asks for sources' },
      ])
    })

    it('[fact-12] compare-and-set: a stale revision is refused with the numbers, and nothing is stored', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      await scope.predicate('status', { single: true })
      const status = (object: string, expect_: number): Promise<readonly Fact[]> =>
        scope.remember({ subject: 'order', predicate: 'status', object, expect: expect_ })
      const [first] = await status('new', 0)
      await expect(status('other', 0)).rejects.toMatchObject({
        code: 'knowledge/conflict',
        details: { expected: 0, found: first?.revision },
      })
      const [second] = await status('paid', first?.revision ?? -1)
      await expect(status('lost', first?.revision ?? -1)).rejects.toMatchObject({ code: 'knowledge/conflict' })
      expect(sentences(await scope.facts({ order: 'oldest' }))).toEqual(['order status paid'])
      await expect(scope.retract(second?.id ?? '', 'x', { expect: 0 })).rejects.toMatchObject({
        code: 'knowledge/conflict',
      })
      const race = await Promise.allSettled([1, 2, 3].map((n) => status(`race ${n}`, second?.revision ?? -1)))
      expect(race.filter(({ status: outcome }) => outcome === 'fulfilled')).toHaveLength(1)
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
      expect(await scope.forget({ subject: 'ADA' })).toMatchObject({ facts: 2, entities: 1 })
      expect(sentences(await scope.facts({ order: 'oldest', includeClosed: true }))).toEqual(['Bob likes cake'])
      expect(await scope.entity('Ada')).toBeUndefined()
      expect(await scope.forget({ subject: 'Ada' })).toMatchObject({ facts: 0, entities: 0 })
    })
  })
}
