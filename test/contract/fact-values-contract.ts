import { describe, expect, it } from 'vitest'
import { ManualClock, type OpenSubject } from './subject.ts'

/** Which values of a predicate stay side by side. */
export function testFactValues(open: OpenSubject): void {
  describe('values of a fact', () => {
    it('[signed-4] what can be true at once stays: two addresses, a place within a place', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      for (const object of ['ada@example.com', 'ada@work.example'])
        expect(await scope.remember({ subject: 'Ada', predicate: 'email', object })).toMatchObject([{ closed: [] }])
      for (const entity of ['France', 'Europe'])
        await scope.remember({ subject: 'Paris', predicate: 'located in', object: { entity } })
      expect(await scope.facts({ subject: 'Ada' })).toHaveLength(2)
      expect(await scope.facts({ subject: 'Paris' })).toHaveLength(2)
    })

    it('[signed-5] a value given alongside others closes none, whatever is stored, retracted or restored after', async () => {
      const clock = new ManualClock()
      await using memory = await open({ clock })
      const scope = memory.scope('a')
      const capital = (object: string, alongside: boolean) => ({
        subject: 'Bolivia',
        predicate: 'capital',
        object,
        alongside,
      })
      await scope.remember(capital('Sucre', false))
      clock.time += 1_000
      const [paz] = await scope.remember(capital('La Paz', true))
      expect(paz).toMatchObject({ outcome: 'added', closed: [], state: 'current' })
      const capitals = async (): Promise<readonly string[]> =>
        (await scope.facts()).map(({ object }) => String(object)).toSorted()
      expect(await capitals()).toEqual(['La Paz', 'Sucre'])
      clock.time += 1_000
      const [cobija] = await scope.remember(capital('Cobija', false))
      expect(await capitals()).toEqual(['Cobija', 'La Paz'])
      await scope.retract(cobija.id)
      expect(await capitals()).toEqual(['La Paz', 'Sucre'])
      await scope.retract(paz.id)
      await scope.restore(paz.id)
      expect(await capitals()).toEqual(['La Paz', 'Sucre'])
    })

    it('[signed-8] facts are read newest first, page by page, or oldest first', async () => {
      await using memory = await open()
      const scope = memory.scope('a/b')
      for (const object of ['1', '2', '3', '4', '5'])
        await (object === '3' ? memory.scope('a') : scope).remember({ subject: 'Ada', predicate: 'has', object })
      const objects = (facts: readonly { readonly object: unknown }[]): string =>
        facts.map(({ object }) => object).join('')
      expect(objects(await scope.facts())).toBe('54321')
      expect(objects(await scope.facts({ order: 'oldest' }))).toBe('12345')
      const first = await scope.facts({ subject: 'Ada', limit: 2 })
      const second = await scope.facts({ subject: 'Ada', limit: 2, after: first[1]?.id ?? '' })
      expect([objects(first), objects(second)]).toEqual(['54', '32'])
    })

    it('[signed-8] facts are read by the role and by the source they were learned from', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const ids: string[] = []
      for (const [session, role] of [
        ['s', 'user'],
        ['s', 'assistant'],
        ['s, t', 'user'],
      ] as const)
        ids.push(...(await scope.session(session).append({ role, content: 'x' })).map(({ id }) => id))
      for (const [index, id] of ids.entries())
        await scope.remember({ subject: 'Ada', predicate: 'has', object: String(index), sources: [id] })
      await scope.remember({ subject: 'Ada', predicate: 'has', object: 'told' }, { channel: 'agent' })
      const objects = async (options: object): Promise<string> =>
        (await scope.facts({ order: 'oldest', ...options })).map(({ object }) => object).join()
      expect(await objects({ role: 'user' })).toBe('0,2')
      expect(await objects({ role: 'assistant' })).toBe('1')
      expect(await objects({ source: ids[1] })).toBe('1')
      expect(await objects({ source: { session: 's' } })).toBe('0,1')
      expect(await objects({ source: { session: 's, t' } })).toBe('2')
      expect(await objects({ source: { session: 's' }, limit: 1 })).toBe('0')
      expect(await objects({ source: { session: 's' }, role: 'user', predicate: 'has' })).toBe('0')
      expect(await objects({ source: { session: 's' }, predicate: 'lacks' })).toBe('')
      expect(await objects({ source: { channel: 'agent' } })).toBe('told')
      expect(await objects({ source: { session: 'none' } })).toBe('')
    })

    it('[signed-9] all that a source taught is endorsed with one call, and nothing else', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const tool = { role: 'tool', content: 'x' } as const
      const [one] = await scope.session('one').append({ ...tool, toolCallId: 'c' })
      const [two] = await scope.session('two').append({ ...tool, toolCallId: 'd' })
      for (const [object, source] of [
        ['1', one],
        ['2', one],
        ['3', two],
      ] as const)
        await scope.remember({ subject: 'Ada', predicate: 'has', object, sources: [source.id] })
      expect(await scope.facts()).toEqual([])
      await expect(scope.endorseAll({ session: 'one' }, { channel: 'agent' })).rejects.toMatchObject({
        code: 'input/invalid',
      })
      const endorsed = await scope.endorseAll({ session: 'one' }, { reason: 'checked' })
      expect(endorsed).toMatchObject([
        { object: '1', state: 'current', trust: 2, reason: 'checked' },
        { object: '2', state: 'current', trust: 2 },
      ])
      expect(await scope.facts({ state: 'quarantined' })).toMatchObject([{ object: '3' }])
      expect(await scope.endorseAll({ session: 'none' })).toEqual([])
      await scope.importBatch({ session: 'old', messages: [{ id: 'said', role: 'user', content: 'I have a cat' }] })
      await scope.remember({ subject: 'Ada', predicate: 'has', object: 'a cat', sources: ['said'] })
      expect(await scope.endorseAll({ channel: 'import' })).toMatchObject([{ object: 'a cat', state: 'current' }])
      expect(await scope.facts({ state: 'quarantined' })).toMatchObject([{ object: '3' }])
    })
  })
}
