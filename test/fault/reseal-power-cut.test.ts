import { randomBytes } from 'node:crypto'
import { cpSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

import { expect, it } from 'vitest'
import { openMemory } from '../../src/index.ts'
import { LocalMemory } from '../../src/memory/memory.ts'
import { times } from '../tier.ts'
import { Child } from './harness/child.ts'
import { describeWithShim } from './harness/describe-with-shim.ts'
import { Disk } from './harness/disk.ts'
import { figures } from './harness/figures.ts'
import { Folder, memoryFolder } from './harness/folder.ts'
import { writeImage } from './harness/image.ts'
import { type DiskCall, readJournal } from './harness/journal.ts'
import { seeded } from './harness/seeded.ts'
import { shimEnvironment } from './harness/shim.ts'

const WRITER = new URL('children/resealing-writer.ts', import.meta.url)
const NAME = 'powercut'
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
      const random = seeded()
      using outside = new Folder()
      using folder = new Folder(outside.path, NAME)
      const file = folder.file(`${NAME}.db`)
      const backup = outside.file('monday.db')
      const env = shimEnvironment(library, { match: NAME, journal: outside.file('journal') })
      await new Child(WRITER, [file, content, backup], { env }).run()
      const marks = readFileSync(`${file}.mark`, 'utf8').trim().split('\n')
      const calls = readJournal(outside.file('journal')).map((call) =>
        call.file === basename(folder.path) ? { ...call, file: NAME } : call,
      ) as readonly DiskCall[]
      const said = calls.findIndex(({ kind }) => kind === 'ack')
      const near = calls.flatMap((call, index) => (index > said && call.kind === 'sync' ? [index, index + 1] : []))
      const count = times({ daily: 30, nightly: 1_000 })
      const points = Array.from({ length: count }, () =>
        random.chance(0.7) ? random.pick(near) : said + 1 + random.below(calls.length - said),
      ).toSorted((a, b) => a - b)

      const disk = new Disk(NAME)
      let [at, acks, promised, shredded] = [0, 0, 0, 0]
      for (const point of points) {
        for (; at < point; at++) {
          const call = calls[at]
          if (call === undefined) break
          disk.apply(call)
          if (call.kind !== 'ack') continue
          const mark = JSON.parse(marks[acks++] ?? '{}') as { kind: string; number: number }
          if (mark.kind === 'forgot') promised = mark.number + 1
        }
        using image = memoryFolder()
        writeImage(image.path, disk.afterCut(random))
        using copy = memoryFolder()
        cpSync(image.path, copy.path, { recursive: true })
        const here = copy.file(`${NAME}.db`)
        const texts = await textsOf(here, `${here}.keys`, 'chat')
        const words = (number: number): string => `words of m${number}, %PDF-1.4 the same in all`
        const left = texts.filter((text) => text.startsWith('words of'))
        expect(left.slice(-3)).toEqual([words(4), words(5), words(6)])
        const forgotten = 7 - left.length
        // Of the next one, all or nothing.
        expect([promised, promised + 1]).toContain(forgotten)
        expect(texts.at(-1)).toBe('other words of m7, %PDF-1.4 the same in all')
        expect(await textsOf(here, `${here}.keys`, 'other')).toEqual(['words of other'])

        cpSync(backup, copy.file('monday.db'))
        await using old = await openMemory(copy.file('monday.db'), {
          learn: false,
          encryption: { content, keys: `${here}.keys` },
        })
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
      figures('power cuts while a session gets another key', { cuts: points.length, shredded })
      expect(promised).toBeGreaterThan(0)
    },
  )
})
