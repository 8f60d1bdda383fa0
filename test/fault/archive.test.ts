import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { exportToFile, importFromFile } from '../../src/archive/files.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { restore } from '../../src/archive/restore.ts'
import { textOf } from '../archive/scene.ts'
import { times } from '../tier.ts'
import { Child, warm } from './harness/child.ts'
import { Folder } from './harness/folder.ts'
import { seeded } from './harness/seeded.ts'

const IMPORTER = new URL('children/importer.ts', import.meta.url)
const WRITER = new URL('children/burst-writer.ts', import.meta.url)

beforeAll(() => Promise.all([IMPORTER, WRITER].map(warm)))

/** An archive with enough in it to be killed in the middle of. */
async function largeArchive(folder: Folder): Promise<string> {
  await using memory = await openMemory(':memory:', { learn: false })
  for (const name of ['one', 'two', 'three']) {
    const session = memory.scope('acme/ada').session(name)
    for (let batch = 0; batch < 4; batch++)
      await session.append(
        Array.from({ length: 500 }, (_, index) => ({
          role: 'user' as const,
          content: `${name} ${batch} ${index} ${'x'.repeat(200)}`,
        })),
      )
    await session.revise((await session.recent(1))[0]?.id ?? '', { content: 'revised' })
  }
  await (
    await memory.scope('acme/ada').session('two').fork('branch', { at: 700 })
  ).append({ role: 'user', content: 'b' })
  await memory
    .scope('acme/ada')
    .remember(
      Array.from({ length: 100 }, (_, index) => ({ subject: `S${index}`, predicate: 'is', object: `${index}` })),
    )
  const file = folder.file('archive')
  await exportToFile(memory, file)
  return file
}

describe('[arc-2] an import that is killed', () => {
  it('leaves beginnings of sessions that verify, and goes on to the same bytes when it is done again', async () => {
    using folder = new Folder()
    const archive = await largeArchive(folder)
    const whole = readFileSync(archive, 'utf8')
    const random = seeded()
    for (let round = 0; round < times({ daily: 5, nightly: 60 }); round++) {
      const file = folder.file(`memory-${round}.db`)
      for (let attempt = 0; attempt < 2; attempt++) {
        const child = new Child(IMPORTER, [file, archive])
        // Killed while it waits, or at some progress before: in the middle, whatever the speed of the machine.
        const early = random.chance(0.5) ? random.below(5_000) : Number.POSITIVE_INFINITY
        const hit = new Promise<void>((resolve) => {
          child.onLine((line) => {
            const { waiting, records = -1 } = line as { waiting?: true; records?: number }
            if (waiting === true || records >= early) resolve()
          })
        })
        await child.go({ bytes: random.below(whole.length - 1) })
        await hit
        await child.kill()
        await using memory = await openMemory(file, { learn: false })
        expect((await memory.verify()).damage).toEqual([])
      }
      await using memory = await openMemory(file, { learn: false })
      await importFromFile(memory, archive)
      expect((await textOf(memory.export())) === whole).toBe(true)
      expect((await memory.verify()).ok).toBe(true)
    }
  })
})

describe('[keep-5] a backup', () => {
  it('under load is a beginning of what was written: everything acknowledged before it began, in order, verified', async () => {
    using folder = new Folder()
    const file = folder.file('memory.db')
    await using memory = await openMemory(file, { learn: false })
    await memory.scope('acme/ada').session('watched').append({ role: 'user', content: 'first' })
    const writers = [1, 2].map(() => new Child(WRITER, [file]))
    for (const [index, writer] of writers.entries()) await writer.go({ seed: index, bursts: null })
    const backups: { file: string; least: number; messages: number; ms: number }[] = []
    for (let round = 0; round < times({ daily: 4, nightly: 40 }); round++) {
      const least = await memory.scope('acme/ada').session('watched').count()
      const started = performance.now()
      const { messages, file: made } = await memory.backup(folder.file(`backup-${round}`))
      backups.push({ file: made, least, messages, ms: Math.round(performance.now() - started) })
      await setTimeout(20)
    }
    await Promise.all(writers.map((writer) => writer.kill()))
    const all = await memory.scope('acme/ada').session('watched').history()
    for (const { file: made, least, messages } of backups) {
      expect(messages).toBeGreaterThanOrEqual(least)
      const to = `${made}.restored`
      await restore(made, to)
      await using restored = await openMemory(to, { learn: false })
      expect(await restored.scope('acme/ada').session('watched').history()).toEqual(all.slice(0, messages))
      expect((await restored.scope('acme/ada').recall('first')).items).not.toEqual([])
    }
    console.log(
      `backups under load: ${backups.map(({ messages, ms }) => `${messages} messages in ${ms} ms`).join(', ')}`,
    )
  })

  it('that is killed leaves no file of its name that is not whole, and the memory as it was', async () => {
    using folder = new Folder()
    const file = folder.file('memory.db')
    {
      await using memory = await openMemory(file, { learn: false })
      await importFromFile(memory, await largeArchive(folder))
    }
    const random = seeded()
    for (let round = 0; round < times({ daily: 4, nightly: 40 }); round++) {
      const child = new Child(IMPORTER, [file, folder.file(`b-${round}`), 'backup'])
      const begun = new Promise<void>((resolve) => child.onLine(() => resolve()))
      await child.go({ bytes: 0 })
      await begun
      await setTimeout(random.below(300))
      await child.kill()
    }
    for (const name of readdirSync(folder.path).filter((found) => /^b-\d+-\d+$/.test(found))) {
      await using copy = await openMemory(folder.file(name), { learn: false })
      expect(await copy.verify()).toMatchObject({ ok: true, messages: 6_001 })
    }
    await using memory = await openMemory(file, { learn: false })
    expect(await memory.verify()).toMatchObject({ ok: true, messages: 6_001 })
  })
})
