import { describe, expect, it } from 'vitest'
import { type OpenSubject, texts } from './subject.ts'

/** Revising, removing, clearing, forking: the window changes, the log keeps. */
export function testAmendments(open: OpenSubject): void {
  describe('amendments', () => {
    it('[log-1] revise replaces content, keeps the rest, and keeps the earlier revision', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      const [stored] = await chat.append({
        role: 'user',
        content: 'first',
        name: 'Ada',
        tags: ['t'],
        metadata: { a: 1 },
      })
      const id = stored?.id ?? ''
      const revised = await chat.revise(id, { content: 'second' })
      expect(revised).toMatchObject({
        id,
        seq: 1,
        revision: 1,
        name: 'Ada',
        tags: ['t'],
        metadata: { a: 1 },
        parts: [{ type: 'text', text: 'second' }],
      })
      expect(await chat.revise(id, { name: null, metadata: { b: 2 } })).toMatchObject({
        revision: 2,
        metadata: { b: 2 },
        parts: [{ text: 'second' }],
      })
      expect(await chat.get(id)).not.toHaveProperty('name')
      expect(await chat.get(id, { asOf: { version: 1 } })).toEqual(stored)
      expect(await chat.history()).toHaveLength(1)
    })

    it('[log-1] revise of a tool message keeps the id of its call', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      const [, result] = await chat.append([
        { role: 'assistant', toolCalls: [{ id: 'c', name: 'f', arguments: '{}' }] },
        { role: 'tool', content: 'long', toolCallId: 'c' },
      ])
      expect(await chat.revise(result?.id ?? '', { content: 'short' })).toMatchObject({
        parts: [{ type: 'tool-result', callId: 'c', output: { text: 'short' } }],
      })
    })

    it('[log-1] concurrent revisions are all kept, one after the other', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      const [stored] = await chat.append({ role: 'user', content: 'x' })
      const revised = await Promise.all(
        Array.from({ length: 8 }, (_, index) => chat.revise(stored?.id ?? '', { content: `r${index}` })),
      )
      expect(revised.map((message) => message.revision).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
      expect((await chat.stats()).revisions).toBe(8)
    })

    it('[log-1] revise refuses what it cannot change and ids it does not know', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      const [stored] = await chat.append({ role: 'user', content: 'x' })
      await expect(chat.revise('unknown', { content: 'y' })).rejects.toMatchObject({ code: 'log/not-found' })
      await expect(chat.revise(stored?.id ?? '', { role: 'system' } as object)).rejects.toMatchObject({
        code: 'input/invalid',
      })
      await expect(chat.revise(stored?.id ?? '', {})).rejects.toMatchObject({ code: 'input/invalid' })
      await expect(chat.revise(stored?.id ?? '', { content: '' })).rejects.toMatchObject({ code: 'input/invalid' })
    })

    it('[log-1] remove takes out of the window, not out of the history', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      const stored = await chat.append(['a', 'b', 'c'].map((content) => ({ role: 'user' as const, content })))
      expect(await chat.remove(stored[1]?.id ?? '')).toBe(true)
      expect(await chat.remove(stored[1]?.id ?? '')).toBe(false)
      expect(await chat.remove('unknown')).toBe(false)
      expect(texts(await chat.window())).toEqual(['a', 'c'])
      expect(texts(await chat.recent(2))).toEqual(['a', 'c'])
      expect(await chat.count()).toBe(2)
      expect((await chat.history()).map((message) => message.removed === true)).toEqual([false, true, false])
      expect(texts(await chat.append({ role: 'user', content: 'd' }))).toEqual(['d'])
      expect((await chat.recent(1))[0]?.seq).toBe(4)
    })

    it('[log-1] clear keeps system messages unless told otherwise', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      await chat.append([
        { role: 'user', content: 'a' },
        { role: 'system', content: 'rule' },
        { role: 'user', content: 'b' },
      ])
      expect(await chat.clear()).toEqual({ through: 3 })
      await chat.append({ role: 'user', content: 'c' })
      expect(texts(await chat.window())).toEqual(['rule', 'c'])
      expect(texts(await chat.recent(10))).toEqual(['rule', 'c'])
      expect(await chat.count()).toBe(2)
      await chat.clear({ keepSystem: false })
      expect(await chat.window()).toEqual([])
      expect(await chat.recent(3)).toEqual([])
      expect(await chat.count()).toBe(0)
      expect(await chat.history()).toHaveLength(4)
    })

    it('[log-1] recent after a clear of many pages finds what is left', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      await chat.append([
        { role: 'system', content: 'rule' },
        ...Array.from({ length: 900 }, (_, index) => ({ role: 'user' as const, content: String(index) })),
      ])
      await chat.clear()
      await chat.append({ role: 'user', content: 'new' })
      expect(texts(await chat.recent(600))).toEqual(['rule', 'new'])
      expect(texts(await chat.byRole('user', 600))).toEqual(['new'])
    })

    it('[log-1] the window after clears of many pages is what is left, in forks too', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      const fill = async (name: string, count: number): Promise<void> => {
        await chat.append([
          { role: 'system', content: `${name} system` },
          ...Array.from({ length: count }, (_, index) => ({ role: 'user' as const, content: `${name} ${index}` })),
        ])
      }
      await fill('first', 300)
      await chat.clear({ keepSystem: false })
      await fill('second', 300)
      const fork = await chat.fork('fork')
      await chat.clear()
      await fill('third', 2)
      expect(texts(await chat.window())).toEqual(['second system', 'third system', 'third 0', 'third 1'])
      await fork.append({ role: 'user', content: 'of the fork' })
      expect(texts(await fork.window())).toEqual([
        'second system',
        ...Array.from({ length: 300 }, (_, index) => `second ${index}`),
        'of the fork',
      ])
      await fork.clear()
      expect(texts(await fork.window())).toEqual(['second system'])
      await chat.clear({ keepSystem: false })
      expect(await chat.window()).toEqual([])
      expect(await chat.history()).not.toEqual([])
    })

    it('[log-1] fork shares history and goes its own way', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      const stored = await chat.append(['a', 'b', 'c', 'd'].map((content) => ({ role: 'user' as const, content })))
      await chat.remove(stored[0]?.id ?? '')
      const branch = await chat.fork('branch', { at: 3 })
      await chat.append({ role: 'user', content: 'parent goes on' })
      await chat.revise(stored[1]?.id ?? '', { content: 'parent changed b' })
      await branch.append({ role: 'user', content: 'branch goes on' })
      await branch.revise(stored[2]?.id ?? '', { content: 'branch changed c' })
      expect(texts(await branch.window())).toEqual(['b', 'branch changed c', 'branch goes on'])
      expect((await branch.history()).map((message) => message.seq)).toEqual([1, 2, 3, 4])
      expect(texts(await chat.window())).toEqual(['parent changed b', 'c', 'd', 'parent goes on'])
      expect(await branch.get(stored[3]?.id ?? '')).toBeUndefined()
      expect(await branch.count()).toBe(3)
      expect((await branch.append({ role: 'user', content: 'a', id: stored[0]?.id ?? '' }))[0]?.seq).toBe(1)
      expect((await memory.verify()).ok).toBe(true)
    })

    it('[log-1] forks of forks, also from before the first fork, see the right messages', async () => {
      await using memory = await open()
      const root = memory.scope('a').session('root')
      await root.append(['1', '2', '3', '4'].map((content) => ({ role: 'user' as const, content })))
      const middle = await root.fork('middle', { at: 3 })
      await middle.append({ role: 'user', content: 'm4' })
      await middle.clear()
      await middle.append({ role: 'user', content: 'm5' })
      const early = await middle.fork('early', { at: 2 })
      await early.append({ role: 'user', content: 'e3' })
      const past = await middle.fork('past', { at: { version: 5 } })
      expect(texts(await early.window())).toEqual(['e3'])
      expect(texts(await early.history())).toEqual(['1', '2', 'e3'])
      expect(texts(await past.window())).toEqual(['1', '2', '3', 'm4'])
      expect(texts(await middle.window())).toEqual(['m5'])
      expect(texts(await root.window())).toEqual(['1', '2', '3', '4'])
      expect(await memory.verify()).toMatchObject({ ok: true, damage: [] })
    })

    it('[log-1] fork refuses a taken id, a missing session and a point that is not there', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      await expect(chat.fork('x')).rejects.toMatchObject({ code: 'log/not-found' })
      await chat.append({ role: 'user', content: 'a' })
      await expect(chat.fork('s')).rejects.toMatchObject({ code: 'log/exists' })
      await expect(chat.fork('x', { at: 2 })).rejects.toMatchObject({ code: 'input/invalid' })
    })
  })
}
