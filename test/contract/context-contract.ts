import { describe, expect, it } from 'vitest'
import type { Session } from '../../src/api/session.ts'
import { type OpenSubject, texts } from './subject.ts'

async function fill(chat: Session, turns: number): Promise<void> {
  for (let turn = 1; turn <= turns; turn++) {
    await chat.append([
      { role: 'user', content: `Question ${turn} about order ORD-${turn}` },
      { role: 'assistant', toolCalls: [{ id: `c${turn}`, name: 'look', arguments: { turn } }] },
      {
        role: 'tool',
        toolCallId: `c${turn}`,
        content: `Result ${turn}: `.padEnd(900, 'all is well, nothing to see. '),
      },
      { role: 'assistant', content: `Answer ${turn}` },
    ])
  }
}

/** Contexts and compaction: whatever store keeps them, a window can be folded, read again and unfolded. */
export function testContexts(open: OpenSubject): void {
  describe('contexts', () => {
    it('[ctx-1] [ctx-8] fit their budget, tell what they are made of, and are the same the second time', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s', { description: 'You are terse.' })
      await fill(chat, 20)
      const context = await chat.context({ budget: 3_000 })
      expect(context.tokens).toBeLessThanOrEqual(3_000)
      expect(texts(context.messages)[0]).toBe('You are terse.')
      expect(texts(context.messages).at(-1)).toBe('Answer 20')
      const again = await chat.context({ budget: 3_000 })
      expect(JSON.stringify(again.messages)).toBe(JSON.stringify(context.messages))
      expect(again.cache.firstDifference).toBeNull()
    })

    it('[cmp-4] compact by hand, by force and as a dry run', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      await fill(chat, 20)
      expect(await chat.compact({ budget: 1_000_000 })).toEqual({ type: 'not-needed' })
      const { version } = await chat.stats()
      expect(await chat.compact({ budget: 3_000, dryRun: true })).toMatchObject({ type: 'dry-run' })
      expect((await chat.stats()).version).toBe(version)
      expect(await chat.compact({ budget: 1_000_000, force: true })).toMatchObject({ type: 'compacted' })
      expect((await chat.window()).length).toBeLessThan(80)
    })

    it('[cmp-8] undo gives the window and the context back to the byte, through several compactions', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      await fill(chat, 20)
      const windows: string[] = []
      const names: (number | null)[] = []
      for (const budget of [4_000, 2_000, 1_000]) {
        windows.push(JSON.stringify(await chat.window()))
        const outcome = await chat.compact({ budget, force: true })
        names.push(outcome.type === 'compacted' ? outcome.receipt.compaction : null)
      }
      expect(await chat.undo()).toEqual([names[2]])
      expect(JSON.stringify(await chat.window())).toBe(windows[2])
      expect(await chat.undo(names[0] ?? 0)).toEqual([names[1], names[0]])
      expect(JSON.stringify(await chat.window())).toBe(windows[0])
      await expect(chat.undo()).rejects.toMatchObject({ code: 'context/not-found' })
      expect(await memory.verify()).toMatchObject({ ok: true })
    })

    it('[cmp-9] reopen gives the originals by page, and nothing of another session', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      await fill(chat, 20)
      await chat.compact({ budget: 1_500, force: true })
      const folds = (await chat.window()).flatMap((item) => ('standIn' in item ? [item] : []))
      expect(folds.length).toBeGreaterThan(0)
      for (const fold of folds) {
        let text = ''
        for (let offset: number | null = 0; offset !== null;) {
          const page = await chat.reopen(fold.id, { offset, limit: 500 })
          expect(page.text.length).toBeLessThanOrEqual(500)
          text += page.text
          offset = page.next
        }
        for (const { from, through } of fold.sources) {
          for (const message of await chat.history({ after: from - 1, limit: through - from + 1 }))
            expect(text).toContain(`[${message.seq}] ${message.role}: `)
        }
        expect(await memory.scope('a').session('t').sibling('s').reopen(fold.id)).toMatchObject({ fold: fold.id })
        await expect(memory.scope('a').session('t').reopen(fold.id)).rejects.toMatchObject({
          code: 'context/not-found',
        })
        await expect(memory.scope('b').session('s').reopen(fold.id)).rejects.toMatchObject({
          code: 'context/not-found',
        })
      }
    })

    it('[cmp-5] what is appended during a compaction survives it', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      await fill(chat, 20)
      const [outcome, ...appended] = await Promise.all([
        chat.compact({ budget: 1_500, force: true }),
        ...Array.from({ length: 10 }, (_, index) => chat.append({ role: 'user', content: `meanwhile ${index}` })),
      ])
      expect(outcome.type).toBe('compacted')
      const shown = texts(await chat.window())
      for (const [message] of appended) expect(shown).toContain(texts([message])[0])
    })

    it('[ctx-5] says with numbers what does not fit, and changes nothing', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s', { description: 'x '.repeat(500) })
      await fill(chat, 3)
      const before = await chat.stats()
      await expect(chat.context({ budget: 100, policy: 'recency' })).rejects.toMatchObject({
        code: 'context/over-budget',
        details: {
          budget: 100,
          system: expect.any(Number) as number,
          pinned: 0,
          newestTurn: expect.any(Number) as number,
        },
      })
      expect(await chat.stats()).toEqual(before)
    })

    it('a fold whose message was revised or removed since gives it back', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      await fill(chat, 20)
      await chat.compact({ budget: 1_500, force: true })
      const [first, second] = await chat.history({ limit: 2 })
      await chat.revise(first?.id ?? '', { content: 'A revised question' })
      expect(texts(await chat.window())[0]).toBe('A revised question')
      await chat.remove(second?.id ?? '')
      expect(await memory.verify()).toMatchObject({ ok: true })
      await chat.clear()
      expect(await chat.window()).toEqual([])
    })

    it('a fork of a compacted session has its window, and one from before has not', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      await fill(chat, 20)
      await chat.compact({ budget: 1_500, force: true })
      const late = await chat.fork('late')
      const early = await chat.fork('early', { at: 40 })
      expect(await late.window()).toEqual(await chat.window())
      expect(await early.window()).toHaveLength(40)
      await late.undo()
      expect(await late.window()).toHaveLength(80)
      expect((await chat.window()).length).toBeLessThan(80)
    })
  })
}
