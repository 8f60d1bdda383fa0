import { describe, expect, it } from 'vitest'
import type { Fact } from '../../src/domain/fact.ts'
import { ManualClock, type OpenSubject } from './subject.ts'

const sentences = (facts: readonly Fact[]): readonly string[] => facts.map(({ text }) => text)

/** Facts: what they hold, when two are the same, and what closes what. */
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
  })
}
