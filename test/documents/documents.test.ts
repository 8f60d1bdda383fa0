import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { DocumentsOptions } from '../../src/documents/documents.ts'
import { withLock } from '../../src/documents/lock.ts'
import { openDocuments } from '../../src/documents/open-documents.ts'
import { newDocument } from '../../src/state/document/document.ts'

const directories: string[] = []
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true })
})

function scene(options: DocumentsOptions = {}) {
  const root = mkdtempSync(join(tmpdir(), 'daybook-documents-'))
  directories.push(root)
  const directory = join(root, 'data', 'context')
  const documents = openDocuments(directory, options)
  return { root, directory, documents, file: (name: string) => join(directory, name) }
}

describe('[docs-2] documents in a directory', () => {
  it('are new when absent, saved with a version, listed, and deleted once', async () => {
    const { documents, directory } = scene({ clock: { now: () => 5_000 } })
    expect(await documents.list()).toEqual([])
    expect(existsSync(directory)).toBe(false)
    await documents.initialize()
    await documents.initialize()
    const fresh = await documents.load('user:agent:1')
    expect(fresh).toEqual(newDocument('user:agent:1'))
    const saved = await documents.save({ ...fresh, facts: ['one'] })
    expect(saved).toMatchObject({ version: 1, updated_at: 5, facts: ['one'] })
    expect(await documents.load('user:agent:1')).toEqual(saved)
    expect(await documents.list()).toEqual(['user:agent:1'])
    expect(await documents.delete('user:agent:1')).toBe(true)
    expect(await documents.delete('user:agent:1')).toBe(false)
    expect(await documents.list()).toEqual([])
    expect(await documents.load('user:agent:1')).toEqual(fresh)
  })

  it('refuses ids that are none', async () => {
    const { documents } = scene()
    for (const id of ['', 'a\u0000b', 'x'.repeat(513), '\ud800', 7 as never])
      await expect(documents.load(id)).rejects.toMatchObject({ code: 'input/invalid' })
  })

  it('keep every text and what others wrote', async () => {
    const { documents } = scene()
    const document = {
      ...newDocument('s'),
      recent_history: [{ timestamp: 1, role: 'user', content: 'NUL \u0000, half \ud800, \u2028' }],
      approval_history: [{ by: 'Ada' }],
    }
    await documents.save(document)
    expect(await documents.load('s')).toMatchObject(document)
  })

  it('are read when fields are missing, and refused when a newer version wrote them', async () => {
    const { documents, directory, file } = scene()
    mkdirSync(directory, { recursive: true })
    writeFileSync(
      file('old.json'),
      '{"session_id":"old","recent_history":[{"timestamp":1708654321,"role":"USER","content":"x","token_count":null}]}',
    )
    expect(await documents.load('old')).toMatchObject({
      schema: 1,
      facts: [],
      recent_history: [{ timestamp: 1708654321, role: 'user', content: 'x' }],
    })
    const newer = '{"session_id":"new","schema":2}'
    writeFileSync(file('new.json'), newer)
    await expect(documents.load('new')).rejects.toMatchObject({ code: 'store/newer-schema' })
    await expect(documents.save(newDocument('new'), { overwrite: true })).rejects.toMatchObject({
      code: 'store/newer-schema',
    })
    expect(readFileSync(file('new.json'), 'utf8')).toBe(newer)
  })

  it('are not read through a link that leads elsewhere', async () => {
    const { documents, root, directory, file } = scene()
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(root, 'secret.json'), JSON.stringify(newDocument('s')))
    symlinkSync(join(root, 'secret.json'), file('s.json'))
    await expect(documents.load('s')).rejects.toMatchObject({ code: 'input/forbidden-path' })
  })

  it('[docs-6] whose session is called like a damaged one of another is neither in its way nor deleted with it', async () => {
    const { documents, file } = scene()
    const names = ['x.corrupt-1', 'x.corrupt-', 'x.corrupt-2026-01-01t00-00-00-000z-0a1b2c3d', 'x.good', 'x.json']
    for (const id of [...names, 'x']) await documents.save(newDocument(id))
    writeFileSync(file('x.json'), '{')
    await expect(documents.load('x')).rejects.toMatchObject({ code: 'documents/corrupt' })
    expect(await documents.delete('x')).toBe(true)
    expect(await documents.list()).toEqual(names.toSorted())
    expect(readdirSync(file('')).filter((name) => name.startsWith('x.corrupt-') && !name.endsWith('.json'))).toEqual([])
    expect(await documents.load('x')).toEqual(newDocument('x'))
    for (const id of names) expect((await documents.load(id)).session_id).toBe(id)
  })

  it('files that are none of ours are left alone', async () => {
    const { documents, directory, file } = scene()
    await documents.save(newDocument('s'))
    for (const name of ['README.json', '.daybook-tmp-left', 'notes.txt', `x~${'0'.repeat(64)}.json`])
      writeFileSync(file(name), '{}')
    writeFileSync(file('Package.json'), '{"session_id":"of another"}')
    expect(await documents.list()).toEqual(['s'])
    expect(await documents.load('README')).toEqual(newDocument('README'))
    expect(await documents.delete('Package')).toBe(false)
    await documents.initialize()
    expect(readdirSync(directory).toSorted()).toEqual(
      ['.daybook-lock', 'Package.json', 'README.json', 'notes.txt', 's.json', `x~${'0'.repeat(64)}.json`].toSorted(),
    )
  })
})

describe.skipIf(process.platform === 'win32')(
  '[surface-21] files that another program named after their session',
  () => {
    const names = ['user1:agent1:123', 'user1:agent2:456', 'user2:agent1:789']
    const write = (file: string, id: string, facts: readonly string[] = []): void =>
      writeFileSync(file, JSON.stringify({ session_id: id, facts, recent_history: [] }))

    it('are listed, loaded, saved under their name, and deleted', async () => {
      const { documents, directory, file } = scene()
      mkdirSync(directory, { recursive: true })
      for (const name of names) write(file(`${name}.json`), name, [`of ${name}`])
      expect(await documents.list()).toEqual(names)
      for (const name of names) expect((await documents.load(name)).facts).toEqual([`of ${name}`])
      const [first = ''] = names
      const saved = await documents.save({ ...(await documents.load(first)), facts: ['new'] })
      expect(saved).toMatchObject({ version: 1, facts: ['new'] })
      expect(JSON.parse(readFileSync(file(`${first}.json`), 'utf8'))).toMatchObject({ facts: ['new'] })
      expect(
        readdirSync(directory)
          .filter((name) => name.endsWith('.json'))
          .toSorted(),
      ).toEqual(names.map((name) => `${name}.json`))
      expect(await documents.delete(first)).toBe(true)
      expect(await documents.list()).toEqual(names.slice(1))
      expect(await documents.load(first)).toEqual(newDocument(first))
    })

    it('are put aside when they are damaged, and their last good version comes back', async () => {
      const { documents, directory, file } = scene()
      mkdirSync(directory, { recursive: true })
      const [name = ''] = names
      write(file(`${name}.json`), name, ['good'])
      await documents.save({ ...(await documents.load(name)), facts: ['newer'] })
      writeFileSync(file(`${name}.json`), '{"session_id":"user1:ag')
      expect(await documents.list()).toEqual([name])
      await expect(documents.load(name)).rejects.toMatchObject({
        code: 'documents/corrupt',
        details: { session: name },
      })
      expect(readdirSync(directory).filter((entry) => entry.includes('.corrupt-'))).toHaveLength(1)
      expect(await documents.restore(name)).toMatchObject({ facts: ['good'] })
      expect(await documents.load(name)).toMatchObject({ facts: ['good'] })
    })

    it('give way to a file under our name, and both are one session', async () => {
      const { documents, directory, file } = scene()
      const [name = ''] = names
      await documents.save({ ...newDocument(name), facts: ['ours'] })
      write(file(`${name}.json`), name, ['theirs'])
      expect(await documents.list()).toEqual([name])
      expect((await documents.load(name)).facts).toEqual(['ours'])
      expect(await documents.delete(name)).toBe(true)
      expect(readdirSync(directory)).toEqual(['.daybook-lock'])
    })
  },
)

describe('[docs-6] two writers', () => {
  it('the second is refused, and nothing is lost', async () => {
    const { documents, directory } = scene()
    const other = openDocuments(directory)
    const [mine, theirs] = [await documents.load('s'), await other.load('s')]
    await other.save({ ...theirs, facts: ['theirs'] })
    await expect(documents.save({ ...mine, facts: ['mine'] })).rejects.toMatchObject({
      code: 'documents/conflict',
      details: { expected: 0, found: 1 },
    })
    expect((await documents.load('s')).facts).toEqual(['theirs'])
    await documents.delete('s')
    await expect(documents.save({ ...theirs, version: 1 })).rejects.toMatchObject({ code: 'documents/conflict' })
  })

  it('of many at once exactly one wins', async () => {
    const { directory } = scene()
    const race = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => openDocuments(directory).save({ ...newDocument('s'), facts: [String(n)] })),
    )
    expect(race.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await openDocuments(directory).load('s')).toMatchObject({ version: 1 })
  })

  it('overwriting: the last one stays, and the one before is kept as the last good version', async () => {
    const { documents, file } = scene()
    await documents.save({ ...newDocument('s'), facts: ['theirs'] })
    const saved = await documents.save({ ...newDocument('s'), facts: ['mine'] }, { overwrite: true })
    expect(saved).toMatchObject({ version: 2, facts: ['mine'] })
    expect(JSON.parse(readFileSync(file('s.good'), 'utf8'))).toMatchObject({ version: 1, facts: ['theirs'] })
  })

  it('waits for the lock only so long, and a failed save lets it go', async () => {
    const { directory, documents, file } = scene()
    await documents.initialize()
    const impatient = openDocuments(directory, { lockTimeoutMs: 20 })
    await withLock(file('.daybook-lock'), 1_000, async () => {
      await expect(impatient.save(newDocument('s'))).rejects.toMatchObject({ code: 'store/busy' })
      expect(await impatient.load('s')).toEqual(newDocument('s'))
    })
    await expect(impatient.save({ ...newDocument('s'), version: 9 })).rejects.toMatchObject({
      code: 'documents/conflict',
    })
    expect(await impatient.save(newDocument('s'))).toMatchObject({ version: 1 })
  })
})

describe('[docs-3] a damaged file', () => {
  const damages: readonly (readonly [string, string | Uint8Array])[] = [
    ['torn', '{"session_id":"s","facts":["on'],
    ['empty', ''],
    ['NUL bytes', new Uint8Array(64)],
    ['not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ['an array', '[]'],
    ['a wrong type', '{"session_id":"s","facts":5}'],
    ['a wrong entry', '{"session_id":"s","recent_history":[{"role":1,"content":"x"}]}'],
    ['of another session', '{"session_id":"t"}'],
  ]

  it.each(damages)('%s is put aside beside its last good version', async (_, bytes) => {
    const { documents, file, directory } = scene()
    const first = await documents.save({ ...newDocument('s'), facts: ['first'] })
    await documents.save({ ...first, facts: ['second'] })
    writeFileSync(file('s.json'), bytes)
    const error = await documents.load('s').catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'documents/corrupt', details: { session: 's', lastGood: file('s.good') } })
    const aside = readdirSync(directory).filter((name) => name.includes('.corrupt-'))
    expect(aside).toHaveLength(1)
    expect(readFileSync(file(aside[0] ?? ''))).toEqual(Buffer.from(bytes))
    // Still no empty document in its place, and no save that would hide the loss.
    await expect(documents.load('s')).rejects.toMatchObject({ code: 'documents/corrupt' })
    await expect(documents.save(newDocument('s'))).rejects.toMatchObject({ code: 'documents/corrupt' })
    expect(await documents.restore('s')).toMatchObject({ facts: ['first'], version: 1 })
    expect((await documents.load('s')).facts).toEqual(['first'])
    expect(existsSync(file(aside[0] ?? ''))).toBe(true)
  })

  it('without an earlier version is kept, and only overwriting or deleting goes on', async () => {
    const { documents, file, directory } = scene()
    mkdirSync(directory, { recursive: true })
    writeFileSync(file('s.json'), 'x')
    await expect(documents.save(newDocument('s'))).rejects.toMatchObject({
      code: 'documents/corrupt',
      details: { lastGood: null },
    })
    await expect(documents.restore('s')).rejects.toMatchObject({ code: 'documents/corrupt' })
    expect(await documents.save(newDocument('s'), { overwrite: true })).toMatchObject({ version: 1 })
    expect(readdirSync(directory).some((name) => name.includes('.corrupt-'))).toBe(true)
    expect(await documents.delete('s')).toBe(true)
    expect(readdirSync(directory)).toEqual(['.daybook-lock'])
  })
})
