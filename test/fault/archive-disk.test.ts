import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'

import { expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { fill, textOf } from '../archive/scene.ts'
import { times } from '../tier.ts'
import { Child } from './harness/child.ts'
import { describeWithShim } from './harness/describe-with-shim.ts'
import { Disk } from './harness/disk.ts'
import { figures } from './harness/figures.ts'
import { Folder, memoryFolder } from './harness/folder.ts'
import { writeImage } from './harness/image.ts'
import { type DiskCall, readJournal } from './harness/journal.ts'
import { seeded } from './harness/seeded.ts'
import { type ShimTask, shimEnvironment } from './harness/shim.ts'

const ARCHIVIST = new URL('children/archivist.ts', import.meta.url)
const NAME = 'archived'
const timeout = times({ daily: 5, nightly: 60 }) * 60_000

type Told = { readonly messages: number } | { readonly code: string } | { readonly raw: string }

/** A memory with something of everything, and its archive. */
async function prepare(
  folder: Folder,
): Promise<{ readonly archive: string; readonly text: string; readonly file: string }> {
  const file = folder.file('source.db')
  await using memory = await openMemory(file, { learn: false })
  await fill(memory)
  const text = await textOf(memory.export())
  const archive = folder.file('all.daybook')
  writeFileSync(archive, text)
  return { archive, text, file }
}

/** Whatever happened: it verifies, and the same import again makes it whole, to the byte. */
async function completes(file: string, text: string): Promise<number> {
  await using memory = await openMemory(file, { learn: false })
  const before = await memory.verify()
  expect(before).toMatchObject({ ok: true, damage: [] })
  const { stored } = await memory.import([text])
  expect(await textOf(memory.export())).toBe(text)
  expect((await memory.verify()).ok).toBe(true)
  return stored
}

describeWithShim('archives on a disk that fails', (library) => {
  it(
    '[arc-2] a power cut in an import leaves a beginning that verifies; the import again makes it whole',
    { timeout },
    async () => {
      const random = seeded()
      using outside = new Folder()
      const { archive, text } = await prepare(outside)
      using folder = new Folder(outside.path, NAME)
      const env = shimEnvironment(library, { match: NAME, journal: outside.file('journal') })
      await new Child(ARCHIVIST, [folder.file(`${NAME}.db`), archive], { env }).run()
      const calls = readJournal(outside.file('journal')).map((call) =>
        call.file === basename(folder.path) ? { ...call, file: NAME } : call,
      ) as readonly DiskCall[]
      const acknowledged = calls.findIndex(({ kind }) => kind === 'ack')
      expect(acknowledged).toBeGreaterThan(0)
      const near = calls.flatMap((call, index) => (call.kind === 'sync' ? [index, index + 1] : []))
      const points = Array.from({ length: times({ daily: 15, nightly: 500 }) }, () =>
        random.chance(0.5) ? random.pick(near) : random.below(calls.length + 1),
      )
      points.push(acknowledged + 1)
      const disk = new Disk(NAME)
      let [at, missing] = [0, 0]
      for (const point of points.toSorted((a, b) => a - b)) {
        for (; at < point; at++) if (calls[at] !== undefined) disk.apply(calls[at] as DiskCall)
        using image = memoryFolder()
        writeImage(image.path, disk.afterCut(random))
        const stored = await completes(image.file(`${NAME}.db`), text)
        if (point > acknowledged) expect(stored).toBe(0)
        else if (stored > 0) missing += 1
      }
      figures('power cuts while importing', { cuts: points.length, missing })
    },
  )

  it('[arc-2] an import on a disk that fails says so in our words, and again makes it whole', { timeout }, async () => {
    const random = seeded()
    using outside = new Folder()
    const { archive, text } = await prepare(outside)
    const told: Told[] = []
    for (let run = 0; run < times({ daily: 6, nightly: 200 }); run++) {
      using folder = new Folder(outside.path, `${NAME}-${run}`)
      const file = folder.file(`${NAME}.db`)
      const fail: NonNullable<ShimTask['fail']> = {
        at: 1 + random.below(run % 2 === 0 ? 60 : 600),
        errno: random.pick([5, 28] as const),
        sticky: random.chance(0.5),
      }
      const env = shimEnvironment(library, { match: `${NAME}.db`, fail })
      told.push(...((await new Child(ARCHIVIST, [file, archive], { env }).run()) as readonly Told[]))
      const stored = await completes(file, text)
      if ('messages' in (told.at(-1) ?? {})) expect({ fail, stored }).toEqual({ fail, stored: 0 })
    }
    expect(told.filter((one) => 'raw' in one || ('code' in one && !one.code.startsWith('store/')))).toEqual([])
    figures('failing disks while importing', { runs: told.length, failed: told.filter((one) => 'code' in one).length })
  })

  it('[keep-5] a backup on a disk that fails is whole or none, and the memory is as it was', { timeout }, async () => {
    const random = seeded()
    using outside = new Folder()
    const { text, file } = await prepare(outside)
    const told: Told[] = []
    for (let run = 0; run < times({ daily: 8, nightly: 200 }); run++) {
      using folder = new Folder(outside.path, `${NAME}-${run}`)
      const to = folder.file(`${NAME}.db`)
      const fail: NonNullable<ShimTask['fail']> = {
        at: 1 + random.below(run % 2 === 0 ? 5 : 300),
        errno: random.pick([5, 28] as const),
        sticky: random.chance(0.5),
      }
      const env = shimEnvironment(library, { match: `${NAME}.db`, fail })
      const [one] = (await new Child(ARCHIVIST, [file, to, 'backup'], { env }).run()) as readonly [Told]
      told.push(one)
      if ('messages' in one) await whole(to, text)
      else {
        expect({ fail, one }).toMatchObject({ one: { code: expect.stringMatching(/^store\//) as string } })
        if (existsSync(to)) await whole(to, text)
        else expect(readdirSync(folder.path)).toEqual([])
      }
      await whole(file, text)
    }
    figures('failing disks while backing up', { runs: told.length, failed: told.filter((one) => 'code' in one).length })
  })
})

async function whole(file: string, text: string): Promise<void> {
  await using memory = await openMemory(file, { learn: false })
  expect((await memory.verify()).ok).toBe(true)
  expect(await textOf(memory.export())).toBe(text)
}
