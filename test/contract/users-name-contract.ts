import { describe, expect, it } from 'vitest'
import type { Scope } from '../../src/api/scope.ts'
import { type OpenSubject } from './subject.ts'

const texts = async (scope: Scope, subject: string): Promise<readonly string[]> =>
  (await scope.facts({ subject })).map(({ text }) => text).toSorted()

/** The user of a scope and the name they give themselves. */
export function testUsersName(open: OpenSubject): void {
  describe("the user's name", () => {
    it('[signed-6] is another name for the user, in facts, recall and forget', async () => {
      await using memory = await open({ learn: 'patterns' })
      const scope = memory.scope('acme/ada')
      const chat = scope.session('s')
      await chat.append({ role: 'user', content: 'My name is Ada Lovelace.' })
      await chat.append({ role: 'user', content: "I'm allergic to peanuts. Ada likes tea." })
      await memory.settled()
      await scope.remember({ subject: 'Ada', predicate: 'prefers', object: 'email' })
      const all = ['user allergic to peanuts', 'user likes tea', 'user name Ada Lovelace', 'user prefers email']
      for (const subject of ['user', 'Ada', 'Ada Lovelace']) expect(await texts(scope, subject)).toEqual(all)
      const { items } = await scope.recall('What is Ada allergic to?', { kinds: ['fact'] })
      expect(items.map(({ text }) => text)).toContain('user allergic to peanuts')
      expect((await scope.forget({ subject: 'Ada' })).facts).toBe(4)
      expect(await scope.facts({ state: ['current', 'closed', 'retracted'] })).toEqual([])
    })

    it('[signed-6] [forget-1] goes with the message that gave it, and leaves no trace', async () => {
      await using memory = await open({ learn: 'patterns' })
      const scope = memory.scope('acme/ada')
      const [said] = await scope.session('s').append({ role: 'user', content: 'My name is Quillavere Ozmondi.' })
      await scope.session('s').append({ role: 'user', content: "I'm allergic to peanuts." })
      await memory.settled()
      expect(await texts(scope, 'Quillavere')).toHaveLength(2)
      const receipt = await scope.forget({ message: said.id })
      expect(await memory.verifyForgotten(receipt, ['Quillavere', 'Ozmondi'])).toMatchObject({ found: [] })
      expect(await texts(scope, 'user')).toEqual(['user allergic to peanuts'])
      expect(await texts(scope, 'Quillavere')).toEqual([])
    })

    it('[signed-6] takes what was known of that name before, and gives it back when it is undone', async () => {
      await using memory = await open({ learn: 'patterns' })
      const scope = memory.scope('acme/ada')
      await scope.remember({ subject: 'Ada', predicate: 'likes', object: 'tea' })
      await scope.session('s').append({ role: 'user', content: 'My name is Ada.' })
      await memory.settled()
      expect(await texts(scope, 'user')).toEqual(['user likes tea', 'user name Ada'])
      const [merged, ...others] = await scope.proposals({ status: 'applied' })
      expect([merged?.kind, others]).toEqual(['merge', []])
      await scope.revert(merged?.id ?? '')
      expect(await texts(scope, 'user')).toEqual(['user name Ada'])
      expect(await texts(scope, 'Ada')).toEqual(['Ada likes tea'])
    })

    it('[signed-6] goes with the fact: retracted, restored, or revised in its message', async () => {
      await using memory = await open({ learn: 'patterns' })
      const scope = memory.scope('acme/ada')
      const chat = scope.session('s')
      const [said] = await chat.append({ role: 'user', content: 'My name is Ada.' })
      await memory.settled()
      await scope.remember({ subject: 'user', predicate: 'likes', object: 'tea' })
      const [name] = await scope.facts({ predicate: 'name' })
      await scope.retract(name?.id ?? '')
      expect(await texts(scope, 'Ada')).toEqual([])
      await scope.restore(name?.id ?? '')
      expect(await texts(scope, 'Ada')).toEqual(['user likes tea', 'user name Ada'])
      await chat.revise(said.id, { content: 'My name is Eda.' })
      await memory.settled()
      expect(await texts(scope, 'Ada')).toEqual([])
      expect(await texts(scope, 'Eda')).toEqual(['user likes tea', 'user name Eda'])
    })

    it('[signed-6] is nobody else’s word: what an agent or a tool says gives the user no name', async () => {
      await using memory = await open({ learn: 'patterns' })
      const scope = memory.scope('acme/ada')
      await scope.session('s').append([
        { role: 'user', content: 'I love sushi.' },
        { role: 'assistant', content: 'My name is Hal.' },
      ])
      await memory.settled()
      expect(await texts(scope, 'Hal')).toEqual([])
    })
  })
}
