import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type OpenSubject, texts } from './subject.ts'

/** Scopes and sessions: who has what, page by page, and nobody else's. */
export function testScopes(open: OpenSubject): void {
  describe('scopes', () => {
    it('[log-1] keeps scopes apart, also those whose names begin alike', async () => {
      await using memory = await open()
      const paths = ['acme', 'acme/ada', 'acme/ad', 'acme/ada/helper', 'ACME']
      for (const path of paths)
        await memory.scope(path).session('s').append({ role: 'user', content: path, id: 'same id' })
      for (const path of paths) {
        expect(texts(await memory.scope(path).session('s').history())).toEqual([path])
        expect((await memory.scope(path).sessions()).sessions).toHaveLength(1)
      }
    })

    it('[log-1] pages through sessions, newest first, undisturbed by new ones', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      for (let index = 1; index <= 7; index++) await scope.session(`s${index}`).append({ role: 'user', content: 'x' })
      const first = await scope.sessions({ limit: 3 })
      await scope.session('s8').append({ role: 'user', content: 'x' })
      await scope.session('s1').append({ role: 'user', content: 'y' })
      const second = await scope.sessions({ limit: 3, after: first.next ?? '' })
      const third = await scope.sessions({ limit: 3, after: second.next ?? '' })
      expect([...first.sessions, ...second.sessions, ...third.sessions].map((session) => session.id)).toEqual([
        's7',
        's6',
        's5',
        's4',
        's3',
        's2',
        's1',
      ])
      expect(third.next).toBeNull()
    })

    it('[anywhere-40] lists the scopes that have something, with counts, page by page', async () => {
      await using memory = await open()
      expect(await memory.scopes()).toEqual({ scopes: [], next: null })
      for (const path of ['acme/bob', 'acme', 'acme/ada', 'acme-inc', 'zoo'])
        await memory
          .scope(path)
          .session('s')
          .append([
            { role: 'user', content: 'a' },
            { role: 'user', content: 'b' },
          ])
      await memory.scope('acme/ada').session('t').append({ role: 'user', content: 'c' })
      await memory.scope('acme/eve').remember({ subject: 'Eve', predicate: 'likes', object: 'tea' })
      const { scopes, next } = await memory.scopes()
      expect(next).toBeNull()
      expect(scopes.map(({ scope, sessions, messages, facts }) => [scope, sessions, messages, facts])).toEqual([
        ['acme', 1, 2, 0],
        ['acme-inc', 1, 2, 0],
        ['acme/ada', 2, 3, 0],
        ['acme/bob', 1, 2, 0],
        ['acme/eve', 0, 0, 1],
        ['zoo', 1, 2, 0],
      ])
      const { sessions } = await memory.scope('acme/ada').sessions({ limit: 1 })
      expect(scopes[2]?.updatedAt).toBe(sessions[0]?.updatedAt)
      const under = await memory.scopes({ under: 'acme' })
      expect(under.scopes.map(({ scope }) => scope)).toEqual(['acme', 'acme/ada', 'acme/bob', 'acme/eve'])
      const first = await memory.scopes({ under: 'acme', limit: 3 })
      const second = await memory.scopes({ under: 'acme', limit: 3, after: first.next ?? '' })
      expect([...first.scopes, ...second.scopes]).toEqual(under.scopes)
      expect(second.next).toBeNull()
      await expect(memory.scopes({ under: '' })).rejects.toMatchObject({ code: 'input/invalid' })
      await expect(memory.scopes({ limit: 0 })).rejects.toMatchObject({ code: 'input/invalid' })
    })

    it('[inspector-10] pages through sessions by their last change', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      for (let index = 1; index <= 5; index++) await scope.session(`s${index}`).append({ role: 'user', content: 'x' })
      for (const id of ['s2', 's4']) {
        await setTimeout(5)
        await scope.session(id).append({ role: 'user', content: 'y' })
      }
      const listed: string[] = []
      let after: string | undefined
      do {
        const page = await scope.sessions({ order: 'active', limit: 2, ...(after === undefined ? {} : { after }) })
        listed.push(...page.sessions.map(({ id }) => id))
        after = page.next ?? undefined
      } while (after !== undefined)
      expect(listed.slice(0, 2)).toEqual(['s4', 's2'])
      expect(listed.slice(2)).toEqual(['s5', 's3', 's1'])
      const { next } = await scope.sessions({ order: 'active', limit: 1 })
      await expect(scope.sessions({ after: next ?? '' })).rejects.toMatchObject({ code: 'input/invalid' })
    })

    it('[inspector-22] shows who spoke last and the last recorded context, if that is asked for', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      await scope.session('quiet').append({ role: 'user', name: 'Ada', content: 'x'.repeat(300) })
      const busy = scope.session('busy')
      await busy.append([
        { role: 'user', content: 'Where is it?' },
        { role: 'assistant', content: 'On its way.' },
      ])
      const { tokens } = await busy.context({ budget: 2_000 })
      const read = async (): Promise<readonly unknown[]> =>
        (await scope.sessions({ preview: true })).sessions.map(({ id, preview }) => [id, preview])
      // Nobody waits for the record of a context.
      while ((await busy.contexts()).length === 0) await setTimeout(10)
      expect(await read()).toEqual([
        [
          'busy',
          { title: null, speaker: 'assistant', text: 'On its way.', context: { tokens, budget: 2_000, cached: 0 } },
        ],
        ['quiet', { title: null, speaker: 'Ada', text: 'x'.repeat(200), context: null }],
      ])
      expect((await scope.sessions()).sessions[0]?.preview).toBeUndefined()
    })

    it('[log-1] finds sessions by text', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      for (let index = 1; index <= 30; index++)
        await scope
          .session(`s${index}`, index === 3 ? { description: 'About Orders' } : {})
          .append({ role: 'user', content: 'x' })
      expect((await scope.sessions({ text: 'ORDERS', limit: 2 })).sessions.map((session) => session.id)).toEqual(['s3'])
      expect((await scope.sessions({ text: 'S1', limit: 100 })).sessions).toHaveLength(11)
    })

    it("[log-1] refuses a cursor that is another scope's or nobody's", async () => {
      await using memory = await open()
      for (let index = 1; index <= 3; index++)
        await memory.scope('a').session(`s${index}`).append({ role: 'user', content: 'x' })
      const { next } = await memory.scope('a').sessions({ limit: 1 })
      await expect(memory.scope('b').sessions({ after: next ?? '' })).rejects.toMatchObject({ code: 'input/invalid' })
      await expect(memory.scope('a').sessions({ after: 'nonsense' })).rejects.toMatchObject({ code: 'input/invalid' })
    })

    it('a blob of one scope cannot be named in another', async () => {
      await using memory = await open()
      const [stored] = await memory
        .scope('a')
        .session('s')
        .append({ role: 'user', content: 'look', images: [new Uint8Array([1, 2, 3])] })
      const image = stored?.parts[1]
      if (image?.type !== 'image') throw new Error('expected an image')
      await memory
        .scope('a')
        .session('t')
        .append({ role: 'user', parts: [image] })
      await expect(
        memory
          .scope('b')
          .session('s')
          .append({ role: 'user', parts: [image] }),
      ).rejects.toMatchObject({ code: 'input/invalid' })
      expect(
        (
          await memory
            .scope('b')
            .session('s')
            .blobs([stored as NonNullable<typeof stored>])
        ).size,
      ).toBe(0)
    })
  })
}
