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
