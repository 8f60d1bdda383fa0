import { randomBytes } from 'node:crypto'
import { cpSync } from 'node:fs'

import { expect, it } from 'vitest'
import { openMemory } from '../../src/index.ts'
import { LocalMemory } from '../../src/memory/memory.ts'
import { times } from '../tier.ts'
import { describeWithShim } from './harness/describe-with-shim.ts'
import { figures } from './harness/figures.ts'
import { Folder } from './harness/folder.ts'
import { forgettingCuts } from './harness/forgetting-cuts.ts'

const WRITER = new URL('children/resealing-writer.ts', import.meta.url)
const CUTS = times({ daily: 30, nightly: 1_000 })
const timeout = times({ daily: 4, nightly: 40 }) * 60_000
const content = randomBytes(32).toString('hex')

/** Texts of a session, with those of what is attached. */
async function textsOf(file: string, keys: string, session: string): Promise<readonly string[]> {
  await using memory = await openMemory(file, { learn: false, encryption: { content, keys } })
  await memory.settled()
  const chat = memory.scope('acme/ada').session(session)
  const history = await chat.history()
  const blobs = await chat.blobs(history)
  const report = await memory.verify()
  expect(report).toMatchObject({ ok: true, damage: [] })
  expect(report).not.toHaveProperty('sealed')
  expect(await LocalMemory.partsOf(memory).store.erasure.unfinished()).toEqual([])
  return history.map(({ parts }) =>
    parts
      .map((part) => {
        if (part.type === 'text') return part.text
        return part.type === 'file' && part.source.type === 'blob'
          ? Buffer.from(blobs.get(part.source.hash) ?? []).toString()
          : part.type
      })
      .join(', '),
  )
}

describeWithShim('power cuts while a session gets another key', (library) => {
  it(
    '[keep-4] [forget-1] leave everything readable that was not forgotten, and no old backup of what was',
    { timeout },
    async () => {
      using outside = new Folder()
      const backup = outside.file('monday.db')
      let [kept, shredded] = [0, 0]
      for await (const { file, promised } of forgettingCuts(library, {
        writer: WRITER,
        args: [content, backup],
        count: CUTS,
        besideSyncs: 0.7,
      })) {
        kept = promised.size
        const keys = `${file}.keys`
        const texts = await textsOf(file, keys, 'chat')
        const words = (number: number): string => `words of m${number}, %PDF-1.4 the same in all`
        const left = texts.filter((text) => text.startsWith('words of'))
        expect(left.slice(-3)).toEqual([words(4), words(5), words(6)])
        const forgotten = 7 - left.length
        // Of the next one, all or nothing.
        expect([kept, kept + 1]).toContain(forgotten)
        expect(texts.at(-1)).toBe('other words of m7, %PDF-1.4 the same in all')
        expect(await textsOf(file, keys, 'other')).toEqual(['words of other'])

        const tuesday = outside.file('tuesday.db')
        cpSync(backup, tuesday)
        await using old = await openMemory(tuesday, { learn: false, encryption: { content, keys } })
        const read = await old
          .scope('acme/ada')
          .session('chat')
          .history()
          .then(
            () => 'read',
            (error: { readonly code?: string }) => error.code,
          )
        if (forgotten > 0) {
          expect(read).toBe('encryption/key-destroyed')
          shredded += 1
        } else expect(read).toBe('read')
        expect((await old.scope('acme/ada').session('other').history()).length).toBe(1)
      }
      figures('power cuts while a session gets another key', { cuts: CUTS, shredded })
      expect(kept).toBeGreaterThan(0)
    },
  )
})
