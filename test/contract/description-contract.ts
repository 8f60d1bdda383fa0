import { describe, expect, it } from 'vitest'
import { type OpenSubject, texts } from './subject.ts'

/** The description of a session: before it exists, when it is changed, and when another one is given. */
export function testDescriptions(open: OpenSubject): void {
  describe('descriptions', () => {
    it('[contexts-62] a new session has its description before the first append', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s', { description: 'You are terse.' })
      const before = await chat.context({ budget: 1_000, system: 'Be kind.' })
      expect(texts(before.messages)).toEqual(['Be kind.', 'You are terse.'])
      expect(before.receipt.tokens.system).toBeGreaterThan(0)
      expect(await chat.history()).toEqual([])
      await chat.append({ role: 'user', content: 'Hello' })
      const after = await chat.context({ budget: 1_000, system: 'Be kind.' })
      expect(texts(after.messages)).toEqual(['Be kind.', 'You are terse.', 'Hello'])
    })

    it('[contexts-62] a description is changed by a revision, and the earlier one stays readable', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const chat = scope.session('s', { description: 'You are terse.' })
      await chat.append({ role: 'user', content: 'Hello' })
      const version = (await chat.stats()).version
      expect(await chat.describe('You are kind.')).toMatchObject({ role: 'system', seq: 1, revision: 1 })
      expect(texts((await chat.context({ budget: 1_000 })).messages)).toEqual(['You are kind.', 'Hello'])
      expect(texts(await chat.history({ asOf: { version } }))).toEqual(['You are terse.', 'Hello'])
      const plain = scope.session('plain')
      await plain.append({ role: 'user', content: 'Hello' })
      await plain.describe('You are terse.')
      await plain.describe('You are kind.')
      expect(texts((await plain.context({ budget: 1_000 })).messages)).toEqual(['You are kind.', 'Hello'])
      expect(texts([await scope.session('new').describe('You are new.')])).toEqual(['You are new.'])
      await expect(chat.describe('')).rejects.toMatchObject({ code: 'input/invalid' })
      expect((await memory.verify()).ok).toBe(true)
    })

    it('[contexts-62] giving another description says that it is not used', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const say = { role: 'user', content: 'Hello' } as const
      const given = async (description: string): Promise<readonly string[]> =>
        (await scope.session('s', { description }).append(say)).warnings.map(
          ({ type, message }) => `${type}: ${message}`,
        )
      expect(await given('You are terse.')).toEqual([])
      expect(await given('You are terse.')).toEqual([])
      expect(await given('You are kind.')).toEqual([
        'other-description: Session "s" has another description, so the one that was given is not used: session.describe(text) changes it',
      ])
      await scope.session('s').describe('You are kind.')
      expect(await given('You are kind.')).toEqual([])
      // What it started with is another one too, once it was changed.
      expect(await given('You are terse.')).toHaveLength(1)
      expect(await given('You are new.')).toHaveLength(1)
      await scope.session('s').describe('You are terse.')
      expect(await given('You are terse.')).toEqual([])
      const other = scope.session('t', { description: 'You are terse.' })
      const [first] = await other.append(say)
      await other.remove(first.id)
      expect((await other.append(say)).warnings).toEqual([])
      expect((await other.append(say)).warnings).toEqual([])
      await other.describe('You are kind.')
      expect((await other.append(say)).warnings).toHaveLength(1)
    })
  })
}
