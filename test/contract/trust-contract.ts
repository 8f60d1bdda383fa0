import { describe, expect, it } from 'vitest'
import type { Scope } from '../../src/api/scope.ts'
import { ManualClock, type OpenSubject } from './subject.ts'

const home = (object: string): { subject: string; predicate: string; object: string } => ({
  subject: 'Ada',
  predicate: 'favourite_city',
  object,
})

/** Trust: where it comes from, what it protects, and what takes it away. */
export function testTrust(open: OpenSubject): void {
  describe('trust', () => {
    it('[learn-5] is stamped from the role of the message, and is the lowest of all', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const chat = scope.session('s')
      const [system, user, assistant, tool] = await chat.append([
        { role: 'system', content: 'rules' },
        { role: 'user', content: 'question' },
        { role: 'assistant', content: 'answer', toolCalls: [{ id: 'c', name: 'f', arguments: '{}' }] },
        { role: 'tool', content: 'page', toolCallId: 'c' },
      ])
      const trust = async (object: string, ...messages: readonly { readonly id: string }[]): Promise<number> => {
        const sources = messages.map(({ id }) => id)
        return (await scope.remember({ subject: 's', predicate: 'p', object, sources }))[0].trust
      }
      if (system === undefined || user === undefined || assistant === undefined || tool === undefined)
        throw new Error('expected the messages')
      expect(await trust('1', system)).toBe(3)
      expect(await trust('2', user)).toBe(2)
      expect(await trust('3', assistant)).toBe(1)
      expect(await trust('4', tool)).toBe(0)
      expect(await trust('5', system, user, assistant)).toBe(1)
      expect(await trust('6', user, tool)).toBe(0)
      const [derived] = await scope.remember({
        subject: 's',
        predicate: 'p',
        object: '7',
        sources: [{ fact: (await scope.facts({ object: '3' }))[0]?.id ?? '' }, { session: 's', message: user.id }],
      })
      expect(derived).toMatchObject({ trust: 1, sources: [{ type: 'fact' }, { type: 'message', role: 'user' }] })
      await expect(trust('8', { id: 'unknown' })).rejects.toMatchObject({ code: 'knowledge/not-found' })
      expect(
        (
          await scope.remember({ subject: 's', predicate: 'p', object: '9', sources: [user.id] }, { channel: 'tool' })
        )[0].trust,
      ).toBe(0)
    })

    it('[learn-5] what a tool taught is quarantined until somebody endorses it', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const [fact] = await scope.remember(
        { subject: 'Ada', predicate: 'knows', object: { entity: 'Bob' } },
        { channel: 'tool' },
      )
      expect(fact).toMatchObject({ trust: 0, state: 'quarantined' })
      expect(await scope.facts()).toEqual([])
      expect((await scope.graph({ around: 'Ada' })).facts).toEqual([])
      expect((await scope.path('Ada', 'Bob')).found).toBe(false)
      expect(await scope.facts({ state: 'quarantined' })).toHaveLength(1)
      expect(await scope.endorse(fact.id, { reason: 'checked' })).toMatchObject({
        trust: 2,
        state: 'current',
        sources: [
          { type: 'told', channel: 'tool' },
          { type: 'endorsed', channel: 'user', reason: 'checked' },
        ],
      })
      expect(await scope.facts()).toHaveLength(1)
      expect((await scope.factHistory(fact.id)).map(({ trust }) => trust)).toEqual([0, 2])
    })

    it('[fact-6] a contradiction of something more trusted is kept and not applied', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const [paris] = await scope.remember(home('Paris'))
      const [moon] = await scope.remember(home('the Moon'), { channel: 'tool' })
      const [rome] = await scope.remember(home('Rome'), { channel: 'agent' })
      expect([moon, rome]).toMatchObject([
        { outcome: 'disputed', state: 'disputed', disputedBy: [paris.id], closed: [] },
        { outcome: 'disputed', disputedBy: [paris.id] },
      ])
      expect(await scope.facts({ order: 'oldest' })).toMatchObject([{ object: 'Paris', revision: paris.revision }])
      expect(await scope.facts({ state: 'disputed' })).toHaveLength(2)
      expect(await scope.endorse(rome.id)).toMatchObject({ state: 'current', trust: 2 })
      expect(await scope.facts({ order: 'oldest' })).toMatchObject([{ object: 'Rome' }])
      for (const channel of ['agent', 'tool'] as const)
        await expect(scope.endorse(moon.id, { channel })).rejects.toMatchObject({ code: 'input/invalid' })
      expect(await scope.fact(moon.id)).toMatchObject({ state: 'disputed', trust: 0, sourceCount: 1 })
    })

    it('[fact-6] what is disputed is applied when what stood against it is gone', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const [red] = await scope.remember(home('Rome'), { channel: 'operator' })
      const [green] = await scope.remember(home('Oslo'))
      const state = async (): Promise<unknown> => (await scope.fact(green.id))?.state
      expect(await state()).toBe('disputed')
      await scope.retract(red.id, 'wrong', { channel: 'operator' })
      expect(await scope.facts({ order: 'oldest' })).toMatchObject([{ id: green.id, state: 'current' }])
      await scope.restore(red.id)
      expect(await state()).toBe('disputed')
      await scope.retract(red.id)
      expect(await state()).toBe('current')
      expect((await scope.remember(home('Oslo')))[0]).toMatchObject({ outcome: 'confirmed', disputedBy: [] })
    })

    it('[fact-6] what is disputed is applied when it is told again after the other is over', async () => {
      const clock = new ManualClock(Date.UTC(2026, 4, 1))
      await using memory = await open({ clock })
      const scope = memory.scope('a')
      const [rome] = await scope.remember({ ...home('Rome'), validTo: '2026-06-01' }, { channel: 'operator' })
      expect((await scope.remember(home('Oslo')))[0]).toMatchObject({ outcome: 'disputed', disputedBy: [rome.id] })
      clock.time = Date.UTC(2026, 7, 1)
      expect((await scope.remember(home('Oslo'), { channel: 'tool' }))[0].outcome).toBe('disputed')
      expect((await scope.remember(home('Oslo')))[0]).toMatchObject({
        outcome: 'confirmed',
        state: 'current',
        validFrom: '2026-08-01T00:00:00.000Z',
      })
      expect((await scope.remember(home('Bonn')))[0].outcome).toBe('added')
    })

    it("[fact-6] what only an ancestor's word stood against is applied when that is gone", async () => {
      const takeAway: readonly ((root: Scope, id: string, message: string) => Promise<unknown>)[] = [
        (root, id) => root.retract(id),
        (root, id) => root.forget({ fact: id }),
        (root, _, message) => root.rollBack(message),
      ]
      for (const take of takeAway) {
        await using memory = await open()
        const [root, child, deep] = [memory.scope('a'), memory.scope('a/b'), memory.scope('a/b/c')]
        const [message] = await root.session('s').append({ role: 'system', content: 'rules' })
        const [rome] = await root.remember({ ...home('Rome'), sources: [message.id] })
        for (const scope of [child, deep])
          expect((await scope.remember(home('Oslo')))[0]).toMatchObject({ disputedBy: [rome.id] })
        await child.remember({ subject: 'Bob', predicate: 'favourite_city', object: 'Oslo' })
        await take(root, rome.id, message.id)
        expect(await deep.facts({ order: 'oldest', subject: 'Ada' })).toMatchObject([
          { scope: 'a/b' },
          { scope: 'a/b/c' },
        ])
        expect(await deep.facts({ state: 'disputed' })).toEqual([])
      }
    })

    it("[fact-6] an operator's word in an ancestor is not contradicted from below", async () => {
      await using memory = await open()
      await memory.scope('a').remember(home('Paris'), { channel: 'operator' })
      const child = memory.scope('a/b')
      expect((await child.remember(home('Rome')))[0].outcome).toBe('disputed')
      expect(await child.facts({ order: 'oldest' })).toMatchObject([{ object: 'Paris' }])
    })

    it('[fact-5] of single values along the scopes the more trusted prevails, then the nearest', async () => {
      await using memory = await open()
      const [root, child] = [memory.scope('a'), memory.scope('a/b')]
      const colour = (object: string) => ({ subject: 'Ada', predicate: 'favourite colour', object })
      const shown = async (options: object = {}): Promise<readonly string[]> =>
        (await child.facts({ order: 'oldest', ...options })).map(({ text }) => text)
      await root.remember(colour('red'))
      await child.remember(colour('blue'))
      expect(await shown()).toEqual(['Ada favourite colour blue'])
      const version = await child.knowledgeVersion()
      await root.remember(colour('green'), { channel: 'operator' })
      expect(await shown()).toEqual(['Ada favourite colour green'])
      expect(await shown({ asOf: { version } })).toEqual(['Ada favourite colour blue'])
      expect(await shown({ subject: 'Ada', includeClosed: true })).toHaveLength(3)
      expect(await root.facts({ order: 'oldest' })).toMatchObject([{ object: 'green' }])
      expect((await child.graph({ around: 'Ada' })).facts).toMatchObject([{ object: 'green' }])
      const recalled = await child.recall('What is the favourite colour of Ada?', { kinds: ['fact'] })
      expect(recalled.items.map(({ text }) => text)).toEqual(['Ada favourite colour green'])
    })

    it('[learn-5] an independent better source lends its trust, a worse one takes none', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      await scope.remember(home('Paris'), { channel: 'tool' })
      expect((await scope.remember(home('paris')))[0]).toMatchObject({ outcome: 'confirmed', trust: 2 })
      expect((await scope.remember(home('Paris'), { channel: 'tool' }))[0]).toMatchObject({ trust: 2, sourceCount: 3 })
    })

    it('[learn-6] a source that is rolled back takes along all it taught, also through other facts', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const [good, bad] = await scope.session('s').append([
        { role: 'user', content: 'good' },
        { role: 'user', content: 'bad' },
      ])
      if (good === undefined || bad === undefined) throw new Error('expected the messages')
      const learn = async (object: string, ...sources: readonly (string | { readonly fact: string })[]) =>
        (await scope.remember({ subject: 'Ada', predicate: 'likes', object, sources }))[0]
      await scope.remember(home('Paris'))
      const [wrong] = await scope.remember({ ...home('Hell'), sources: [bad.id] })
      const only = await learn('only bad', bad.id)
      const both = await learn('told by both', good.id)
      await learn('told by both', bad.id)
      const together = await learn('needs both', good.id, bad.id)
      const derived = await learn('derived', { fact: only.id })
      const receipt = await scope.rollBack(bad.id)
      expect(receipt.retracted.toSorted()).toEqual([wrong.id, only.id, together.id, derived.id].toSorted())
      expect(receipt.kept).toEqual([both.id])
      expect((await scope.facts({ order: 'oldest' })).map(({ text }) => text)).toEqual([
        'Ada favourite city Paris',
        'Ada likes told by both',
      ])
      expect((await scope.fact(both.id))?.sources).toMatchObject([{ id: good.id }])
      expect(await scope.rollBack(bad.id)).toEqual({ retracted: [], kept: [], deeper: [] })
      for (const unknown of ['nobody said', { fact: 'nobody knows' }])
        await expect(scope.rollBack(unknown)).rejects.toMatchObject({ code: 'knowledge/not-found' })
    })

    it('[learn-6] nobody has taken back what was rolled back: any source that says it again brings it back', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const [first, second] = await scope.session('s').append([
        { role: 'assistant', content: 'Ada favourite city Paris' },
        { role: 'assistant', content: 'Ada favourite city Paris. Bob favourite city Rome' },
      ])
      if (first === undefined || second === undefined) throw new Error('expected the messages')
      const [fact] = await scope.remember({ ...home('Paris'), sources: [first.id] })
      await scope.rollBack(first.id)
      expect(await scope.fact(fact.id)).toMatchObject({ state: 'retracted', trust: 0, sourceCount: 0 })
      expect((await scope.remember({ ...home('Paris'), sources: [second.id] }))[0]).toMatchObject({
        id: fact.id,
        outcome: 'restored',
        state: 'current',
        trust: 1,
      })
    })

    it('[learn-5] [learn-6] a fact is never trusted more than the best of the sources it has left', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const [user, tool] = await scope.session('s').append([
        { role: 'user', content: 'x' },
        { role: 'tool', content: 'y', toolCallId: 'c' },
      ])
      if (user === undefined || tool === undefined) throw new Error('expected the messages')
      const [fact] = await scope.remember({ ...home('Paris'), sources: [user.id] })
      await scope.rollBack(user.id)
      await expect(scope.restore(fact.id)).rejects.toMatchObject({ code: 'knowledge/conflict' })
      await scope.remember({ ...home('Paris'), sources: [tool.id] })
      expect(await scope.fact(fact.id)).toMatchObject({ trust: 0, state: 'quarantined' })
      await scope.remember({ ...home('Paris'), sources: [user.id] })
      await scope.retract(fact.id)
      await scope.rollBack(user.id)
      expect(await scope.restore(fact.id)).toMatchObject({ trust: 0, state: 'quarantined', sourceCount: 1 })
    })

    it('[learn-6] a roll-back reaches deeper scopes that learned from the source or from what it taught', async () => {
      await using memory = await open()
      const [root, child, deep, other] = ['a', 'a/b', 'a/b/c', 'ab'].map((path) => memory.scope(path))
      if (root === undefined || child === undefined || deep === undefined || other === undefined)
        throw new Error('expected the scopes')
      const [message] = await root.session('s').append({ role: 'user', content: 'x', id: 'm' })
      await other.session('s').append({ role: 'user', content: 'x', id: 'm' })
      const likes = (object: string) => ({ subject: 'Ada', predicate: 'likes', object })
      const [tea] = await root.remember({ ...likes('tea'), sources: [message.id] })
      const [cake] = await child.remember({ ...likes('cake'), sources: [message.id] })
      const [scones] = await child.remember({ ...likes('scones'), sources: [{ fact: tea.id }] })
      const [jam] = await deep.remember({ ...likes('jam'), sources: [{ fact: scones.id }] })
      await deep.remember(likes('butter'))
      await other.remember({ ...likes('tea'), sources: ['m'] })
      const before = await deep.knowledgeVersion()
      expect(await root.rollBack(message.id)).toEqual({
        retracted: [tea.id],
        kept: [],
        deeper: [
          { scope: 'a/b', retracted: [cake.id, scones.id], kept: [] },
          { scope: 'a/b/c', retracted: [jam.id], kept: [] },
        ],
      })
      expect((await deep.facts({ order: 'oldest' })).map(({ object }) => object)).toEqual(['butter'])
      expect(await other.facts()).toHaveLength(1)
      expect(await deep.facts({ asOf: { version: before } })).toHaveLength(5)
      expect(await root.rollBack(message.id)).toEqual({ retracted: [], kept: [], deeper: [] })
    })

    it('[learn-6] facts that were joined do not hold each other up', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const [message] = await scope.session('s').append({ role: 'user', content: 'x' })
      const likes = (object: string) => ({ subject: 'Ada', predicate: 'likes', object })
      const [tea] = await scope.remember({ ...likes('tea'), sources: [message.id] })
      const [drink] = await scope.remember({ ...likes('a hot drink'), sources: [{ fact: tea.id }] })
      const [same] = await scope.remember({ ...likes('tea!'), sources: [{ fact: drink.id }] })
      await scope.apply((await scope.propose({ duplicates: [tea.id, same.id] })).id)
      expect(await scope.fact(tea.id)).toMatchObject({ sourceCount: 1 })
      await scope.rollBack(message.id)
      expect(await scope.facts()).toEqual([])
    })

    it('[learn-6] messages of two sessions are two sources, also when they share an id', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      for (const session of ['s', 't'])
        await scope.session(session).append({ role: 'user', content: 'Paris', id: 'm1' })
      const [fact] = await scope.remember({ ...home('Paris'), sources: [{ session: 's', message: 'm1' }] })
      expect((await scope.remember({ ...home('Paris'), sources: [{ session: 't', message: 'm1' }] }))[0]).toMatchObject(
        {
          outcome: 'confirmed',
          sourceCount: 2,
        },
      )
      expect(await scope.rollBack({ session: 's', message: 'm1' })).toMatchObject({ retracted: [], kept: [fact.id] })
      expect(await scope.rollBack('m1')).toMatchObject({ retracted: [fact.id], kept: [] })
    })

    it('[learn-6] a fact that loses its best source loses the trust that came with it', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const [user, tool] = await scope.session('s').append([
        { role: 'user', content: 'x' },
        { role: 'tool', content: 'y', toolCallId: 'c' },
      ])
      if (user === undefined || tool === undefined) throw new Error('expected the messages')
      const [fact] = await scope.remember({ ...home('Paris'), sources: [user.id] })
      await scope.remember({ ...home('Paris'), sources: [tool.id] })
      const [derived] = await scope.remember({
        subject: 'Ada',
        predicate: 'is',
        object: 'French',
        sources: [{ fact: fact.id }],
      })
      expect(derived.trust).toBe(2)
      await scope.rollBack({ session: 's', message: user.id })
      expect(await scope.fact(fact.id)).toMatchObject({ trust: 0, state: 'quarantined' })
      expect(await scope.fact(derived.id)).toMatchObject({ trust: 0, state: 'quarantined' })
    })
  })
}
