import { readdirSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Disk, nodeDisk } from '../../src/documents/disk.ts'
import { Documents } from '../../src/documents/documents.ts'
import { openDocuments } from '../../src/documents/open-documents.ts'
import { newDocument } from '../../src/state/document/document.ts'
import { hostileIds } from '../documents/hostile-ids.ts'
import { times } from '../tier.ts'
import { Child } from './harness/child.ts'
import { Folder } from './harness/folder.ts'
import { seeded } from './harness/seeded.ts'

const WRITER = new URL('children/document-writer.ts', import.meta.url)

/** A disk that does so many things more and then nothing, as if the process had died there. */
function dyingDisk(steps: number): { readonly disk: Disk; readonly died: () => boolean } {
  let left = steps
  const step =
    <Args extends readonly unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (left-- <= 0) throw new Error('died')
      return work(...args)
    }
  return {
    disk: {
      ...nodeDisk,
      write: step(nodeDisk.write),
      copy: step(nodeDisk.copy),
      rename: step(nodeDisk.rename),
      remove: step(nodeDisk.remove),
      syncDirectory: step(nodeDisk.syncDirectory),
    },
    died: () => left < 0,
  }
}

describe('[docs-6] a crash', () => {
  it('between any two steps of a save leaves the old document or the new one, whole', async () => {
    let survived = 0
    for (let steps = 0; ; steps++) {
      using folder = new Folder()
      const documents = openDocuments(folder.path)
      const first = await documents.save({ ...newDocument('s'), facts: ['first'] })
      const old = await documents.save({ ...first, facts: ['old'] })
      const { disk, died } = dyingDisk(steps)
      const dying = new Documents(folder.path, {}, disk)
      const saved = await dying.save({ ...old, facts: ['new'] }).catch(() => undefined)
      const { facts, version } = await documents.load('s')
      if (saved !== undefined) expect(facts).toEqual(['new'])
      expect([
        ['old', 2],
        ['new', 3],
      ]).toContainEqual([...facts, version])
      expect(await documents.list()).toEqual(['s'])
      await documents.initialize()
      expect(readdirSync(folder.path).filter((name) => name.startsWith('.daybook-tmp'))).toEqual([])
      expect(await documents.save({ ...(await documents.load('s')), facts: ['after'] })).toMatchObject({
        version: (version ?? 0) + 1,
      })
      if (!died()) {
        expect(saved).toBeDefined()
        break
      }
      survived++
    }
    expect(survived).toBeGreaterThanOrEqual(5)
  })

  it('a writer that is killed loses nothing that it said was saved, and holds no lock', async () => {
    using folder = new Folder()
    const random = seeded()
    let acknowledged = 0
    const kills = times({ daily: 15, nightly: 300 })
    for (let kill = 0; kill < kills; kill++) {
      const child = new Child(WRITER, [folder.path, 's'])
      const first = Promise.withResolvers<void>()
      child.onLine((line) => {
        acknowledged = (line as { readonly version: number }).version
        first.resolve()
      })
      await child.go({ saves: 1_000_000 })
      await Promise.race([first.promise, child.ended])
      expect(child.errors).toBe('')
      await setTimeout(random.next() * 30)
      await child.kill()
      const { version = 0, facts, long_term_summary: summary } = await openDocuments(folder.path).load('s')
      expect([acknowledged, acknowledged + 1]).toContain(version)
      expect(facts).toEqual([`version ${version}`])
      expect(summary).toHaveLength(100_000)
    }
    await openDocuments(folder.path).initialize()
    expect(readdirSync(folder.path).toSorted()).toEqual(['.daybook-lock', 's.good', 's.json'])
  })
})

describe('[docs-6] several processes', () => {
  it('that load, change and save lose no update', async () => {
    using folder = new Folder()
    const saves = times({ daily: 10, nightly: 100 })
    const children = Array.from({ length: 3 }, () => new Child(WRITER, [folder.path, 's']))
    const told = await Promise.all(children.map((child) => child.run({ saves })))
    const versions = told.flat().map((line) => (line as { readonly version: number }).version)
    expect(versions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 3 * saves }, (_, n) => n + 1))
    expect((await openDocuments(folder.path).load('s')).version).toBe(3 * saves)
  })
})

describe('[docs-2] [docs-6] files', () => {
  it('of 200 hostile ids are listed back exactly, all inside the directory', async () => {
    using folder = new Folder()
    const directory = folder.file('documents')
    const documents = openDocuments(directory)
    for (const [index, id] of hostileIds.entries()) await documents.save({ ...newDocument(id), facts: [String(index)] })
    expect(await documents.list()).toEqual([...hostileIds].toSorted())
    for (const [index, id] of hostileIds.entries()) expect((await documents.load(id)).facts).toEqual([String(index)])
    const files = readdirSync(folder.path, { recursive: true, encoding: 'utf8' })
    expect(files.filter((name) => name.endsWith('.json'))).toHaveLength(hostileIds.length)
    expect(readdirSync(folder.path)).toEqual(['documents'])
    for (const id of hostileIds) await documents.delete(id)
    expect(readdirSync(directory)).toEqual(['.daybook-lock'])
  })
})
