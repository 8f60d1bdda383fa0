import { describe, expect, it } from 'vitest'
import type { MemoryHead } from '../../src/api/upkeep.ts'
import type { OpenSubject } from './subject.ts'

/** Statements of where everything ends. */
export function testHeads(open: OpenSubject): void {
  describe('head', () => {
    it('[walls-210] states where sessions and facts end, and stays true while they grow and are forgotten', async () => {
      await using memory = await open({ learn: false })
      const ada = memory.scope('acme/ada')
      await ada.session('chat').append([
        { role: 'user', content: 'one' },
        { role: 'user', content: 'two' },
      ])
      await ada.session('gone').append({ role: 'user', content: 'three' })
      await ada.remember({ subject: 'Ada', predicate: 'likes', object: 'tea' })
      for (const id of ['chat', 'gone', 'only-state']) {
        await ada.session(id).state.set('mood', 'calm')
        await ada.session(id).state.set('mood', 'glad')
      }
      const head = await memory.head()
      expect(head.state).toMatchObject(
        ['chat', 'gone', 'only-state'].map((session) => ({ scope: 'acme/ada', session, version: 2 })),
      )
      expect(head.sessions).toMatchObject([
        { scope: 'acme/ada', session: 'chat', seq: 2, version: 2 },
        { scope: 'acme/ada', session: 'gone', seq: 1, version: 1 },
      ])
      expect(head.knowledge).toMatchObject([{ root: 'acme' }])
      expect(await memory.verify({ head })).toMatchObject({ ok: true, head: { sessions: 2, forgotten: 0 } })
      const [first] = await ada.session('chat').append({ role: 'user', content: 'four' })
      await ada.session('chat').revise(first.id, { content: 'five' })
      await (await ada.session('chat').fork('again')).append({ role: 'user', content: 'six' })
      await ada.forget({ message: first.id })
      await ada.session('chat').state.set('mood', 'calm')
      for (const session of ['gone', 'only-state']) await ada.forget({ session })
      const report = await memory.verify({ head })
      expect(report).toMatchObject({ ok: true, damage: [], head: { sessions: 2, forgotten: 1 } })
    })

    it('[walls-210] a statement stays true when what it names is changed, replaced, removed and forgotten', async () => {
      await using memory = await open({ learn: false })
      const ada = memory.scope('acme/ada')
      await ada.session('chat').append({ role: 'user', content: 'I like tea.', id: 'm' }, { operationId: 'o' })
      await ada.remember([
        { subject: 'Ada', predicate: 'likes', object: 'tea', sources: [{ session: 'chat', message: 'm' }] },
        { subject: 'Ada', predicate: 'knows', object: { entity: 'Bob' } },
        { subject: 'Carl', predicate: 'is', object: 'tall' },
      ])
      await ada.predicate('likes', { single: true })
      const { id } = await ada.propose({ merge: ['Ada', 'Carl'] })
      await ada.retention.set({ days: 900 })
      await ada.blocks.set('persona', 'You are terse.')
      for (const name of ['a', 'b']) await ada.records('drafts').put(name, { name })
      await memory.scope('acme').remember({ subject: 'Dora', predicate: 'is', object: 'here' })
      const holds = async (): Promise<void> => {
        expect(await memory.verify({ head, index: false })).toMatchObject({ ok: true, damage: [] })
        head = await memory.head()
        expect(head.rows.length).toBeGreaterThan(8)
      }
      let head = await memory.head()
      await ada.retention.set(null)
      await ada.predicate('likes', { single: false })
      await ada.apply(id)
      await ada.blocks.set('persona', 'You are kind.')
      await ada.records('drafts').put('a', { name: 'other' })
      await ada.records('drafts').delete('b')
      await ada.remember({ subject: 'Ada', predicate: 'likes', object: 'coffee' })
      await holds()
      await ada.forget({ message: 'm', session: 'chat' })
      await holds()
      for (const fact of await ada.facts()) if (fact.scope === 'acme/ada') await ada.forget({ fact: fact.id })
      for (const entity of ['Bob', 'Ada']) await ada.forget({ subject: entity }).catch(() => undefined)
      await holds()
      await ada.forget({ everything: true })
      await holds()
    })

    it('[walls-211] verify names what was cut off or replaced since a statement', async () => {
      await using memory = await open({ learn: false })
      const ada = memory.scope('acme/ada')
      await ada.session('chat').append({ role: 'user', content: 'one' })
      await ada.remember({ subject: 'Ada', predicate: 'likes', object: 'tea' })
      await ada.session('chat').state.set('mood', 'calm')
      const head = await memory.head()
      const [session] = head.sessions
      if (session === undefined) throw new Error('no session in the statement')
      const later = (change: Partial<MemoryHead>): MemoryHead => ({ ...head, ...change })
      const statements: readonly (readonly [MemoryHead, string])[] = [
        [later({ sessions: [{ ...session, version: 2, seq: 2 }] }), 'cut off'],
        [later({ sessions: [{ ...session, link: '00'.repeat(32) }] }), 'replaced'],
        [later({ sessions: [{ ...session, session: 'other', key: 999_999 }] }), 'missing'],
        [later({ knowledge: [{ root: 'acme', version: 99 }] }), 'earlier it ended at 99'],
        [later({ state: [{ scope: 'acme/ada', session: 'chat', version: 9 }] }), 'earlier it ended at 9'],
        [later({ audit: { number: 1_000_000, chain: '00' } }), 'cut off'],
      ]
      for (const [statement, word] of statements) {
        const { ok, damage } = await memory.verify({ head: statement })
        expect({ ok, damage }).toMatchObject({
          ok: false,
          damage: [{ data: 'primary', remedy: 'restore', message: expect.stringContaining(word) as string }],
        })
      }
    })

    it('[walls-204] verify compares the search index and tool calls with the log', async () => {
      await using memory = await open({ learn: false })
      const ada = memory.scope('acme/ada')
      const [first] = await ada.session('chat').append([
        { role: 'user', name: 'Ada', content: 'Where is order 7731?' },
        { role: 'assistant', content: [{ type: 'tool-call', id: 'c', name: 'find', arguments: {} }] },
        { role: 'tool', content: [{ type: 'tool-result', callId: 'c', output: 'in Rome' }] },
      ])
      await ada.session('chat').fork('again')
      await ada.session('chat').revise(first?.id ?? '', { content: 'Where is order 7732?' })
      await ada.remember({ subject: 'Ada', predicate: 'likes', object: 'tea' })
      await ada.recall('order', { fresh: true })
      expect(await memory.verify()).toMatchObject({ ok: true, damage: [], index: { scopes: 1, skipped: 0 } })
      expect(await memory.verify({ index: false })).not.toHaveProperty('index')
    })

    it('[walls-211] a statement of another kind is refused', async () => {
      await using memory = await open({ learn: false })
      const verify = memory.verify({ head: { format: 'other' } as unknown as MemoryHead })
      await expect(verify).rejects.toMatchObject({ code: 'input/invalid' })
    })
  })
}
