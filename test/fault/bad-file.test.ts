import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, readFileSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'

import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'

import { MemoryError } from '../../src/domain/error.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { migrations } from '../../src/stores/sql/migrations/index.ts'
import type { Visit } from './children/visitor.ts'
import { Child } from './harness/child.ts'
import { Folder, memoryFolder } from './harness/folder.ts'
import { seeded } from './harness/seeded.ts'
import { SCOPE, makeSpecimen } from './harness/specimen.ts'

const VISITOR = new URL('children/visitor.ts', import.meta.url)
/** Nobody: a user whom permissions concern. */
const NOBODY = 65_534
const PAGE_BYTES = 4_096

/** A sound file of ours with one session of three messages. */
async function makeFile(file: string): Promise<void> {
  await using memory = await openMemory(file)
  await memory
    .scope(SCOPE)
    .session('one')
    .append(['a', 'b', 'c'].map((content) => ({ role: 'user' as const, content })))
}

function edit(file: string, ...statements: readonly string[]): void {
  const database = new Database(file)
  for (const statement of statements) database.exec(statement)
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
}

/** What lies in a folder, byte for byte. */
function contents(folder: Folder): Readonly<Record<string, string>> {
  const entries = readdirSync(folder.path, { withFileTypes: true })
  return Object.fromEntries(
    entries.map((entry) => [
      entry.name,
      entry.isDirectory() ? 'directory' : hash('sha256', readFileSync(folder.file(entry.name))),
    ]),
  )
}

const refused: readonly {
  readonly what: string
  readonly code: string
  readonly make: (file: string) => Promise<void> | void
}[] = [
  { what: 'a text', code: 'store/not-a-database', make: (file) => writeFileSync(file, 'Dear diary,\n'.repeat(100)) },
  { what: 'a short text', code: 'store/not-a-database', make: (file) => writeFileSync(file, 'x') },
  { what: 'zeros', code: 'store/not-a-database', make: (file) => writeFileSync(file, Buffer.alloc(8_192)) },
  {
    what: 'a header that was cut off',
    code: 'store/not-a-database',
    make: async (file) => {
      await makeFile(file)
      truncateSync(file, 60)
    },
  },
  {
    what: 'a newer schema',
    code: 'store/newer-schema',
    make: async (file) => {
      await makeFile(file)
      edit(file, `PRAGMA user_version = ${migrations.length + 1}`)
    },
  },
  {
    what: 'the database of another application',
    code: 'store/foreign',
    make: (file) => edit(file, 'CREATE TABLE contacts (name TEXT)', 'PRAGMA application_id = 12345'),
  },
  {
    what: 'a database with somebody’s tables',
    code: 'store/foreign',
    make: (file) => edit(file, 'CREATE TABLE contacts (name TEXT)'),
  },
  {
    what: 'a database with somebody’s version',
    code: 'store/foreign',
    make: (file) => edit(file, 'CREATE TABLE contacts (name TEXT)', 'PRAGMA user_version = 1'),
  },
  {
    what: 'a migration that was edited',
    code: 'store/changed-schema',
    make: async (file) => {
      await makeFile(file)
      edit(file, `UPDATE migrations SET checksum = replace(checksum, substr(checksum, 1, 1), 'z')`)
    },
  },
  { what: 'a directory', code: 'store/cannot-open', make: (file) => mkdirSync(file) },
]

describe('a file that is not ours, or not any more', () => {
  it.each(refused)('[show-6] [show-7] $what is refused and left as it was', async ({ code, make }) => {
    using folder = new Folder()
    const file = folder.file('log.db')
    await make(file)
    const before = contents(folder)
    await expect(openMemory(file)).rejects.toMatchObject({ name: 'MemoryError', code })
    expect(contents(folder)).toEqual(before)
    expect(readdirSync(folder.path)).toEqual(['log.db'])
  })

  it('[show-7] a missing directory is refused and not made', async () => {
    using folder = new Folder()
    await expect(openMemory(folder.file('missing/log.db'))).rejects.toMatchObject({ code: 'store/cannot-open' })
    expect(readdirSync(folder.path)).toEqual([])
  })

  it('[show-7] an empty file is taken, as SQLite takes it', async () => {
    using folder = new Folder()
    writeFileSync(folder.file('log.db'), '')
    await makeFile(folder.file('log.db'))
    await using memory = await openMemory(folder.file('log.db'))
    expect(await memory.verify()).toMatchObject({ ok: true, messages: 3 })
  })

  it('[show-6] a newer file that its owner has open is refused and stays usable', async () => {
    using folder = new Folder()
    const file = folder.file('log.db')
    await makeFile(file)
    const newer = new Database(file)
    newer.pragma(`user_version = ${migrations.length + 1}`)
    newer.exec('CREATE TABLE novelty (text TEXT)')
    await expect(openMemory(file)).rejects.toMatchObject({ code: 'store/newer-schema' })
    newer.exec(`INSERT INTO novelty VALUES ('still here')`)
    newer.close()
    const again = new Database(file)
    expect(again.prepare('SELECT text FROM novelty').pluck().get()).toBe('still here')
    again.close()
  })
})

/** Only root can start a child as somebody else, and only where that user may read this repository and its Node. */
function nobodyCanRun(): boolean {
  if (process.getuid?.() !== 0) return false
  const read = `require('node:fs').readFileSync(${JSON.stringify(VISITOR.pathname)})`
  return spawnSync(process.execPath, ['-e', read], { uid: NOBODY, gid: NOBODY }).status === 0
}

const asNobody = nobodyCanRun()
const reason = asNobody ? '' : ' (skipped: no child can run here as a user whom permissions concern)'

describe.skipIf(!asNobody)(`permissions${reason}`, () => {
  async function visit(file: string): Promise<Visit> {
    const child = new Child(VISITOR, [file], { uid: NOBODY })
    const [result] = await child.run()
    return result as Visit
  }

  it('[show-7] a file that cannot be written is refused', async () => {
    using folder = new Folder()
    const file = folder.file('log.db')
    chmodSync(folder.path, 0o777)
    await makeFile(file)
    chmodSync(file, 0o444)
    const before = contents(folder)
    expect(await visit(file)).toEqual({ opened: 'store/read-only', appended: 'never', read: 'never' })
    expect(contents(folder)).toEqual(before)
  })

  it('[show-7] a file that cannot be read is refused', async () => {
    using folder = new Folder()
    const file = folder.file('log.db')
    chmodSync(folder.path, 0o777)
    await makeFile(file)
    const before = contents(folder)
    expect(await visit(file)).toEqual({ opened: 'store/cannot-open', appended: 'never', read: 'never' })
    expect(contents(folder)).toEqual(before)
  })

  it('[show-7] a new file in a directory that cannot be written is refused', async () => {
    using folder = new Folder()
    chmodSync(folder.path, 0o755)
    expect(await visit(folder.file('log.db'))).toEqual({
      opened: 'store/cannot-open',
      appended: 'never',
      read: 'never',
    })
    expect(readdirSync(folder.path)).toEqual([])
  })

  it('[show-7] an own file in a directory that cannot be written is refused with a code, and stays as it was', async () => {
    using folder = new Folder()
    const file = folder.file('log.db')
    chmodSync(folder.path, 0o755)
    await makeFile(file)
    chownSync(file, NOBODY, NOBODY)
    const before = contents(folder)
    const { opened } = await visit(file)
    expect(['store/cannot-open', 'store/read-only']).toContain(opened)
    expect(contents(folder)).toEqual(before)
  })
})

describe('corrupt pages', () => {
  it('[show-7] [log-8] are found, and end in an error of ours wherever they are', async () => {
    using folder = memoryFolder()
    const random = seeded()
    const specimen = await makeSpecimen(folder, 200)
    const file = folder.file('damaged.db')
    const pages = specimen.bytes.length / PAGE_BYTES
    const undetected: number[] = []
    for (let page = 1; page < pages; page++) {
      const bytes = Buffer.from(specimen.bytes)
      const noise = Buffer.from(Array.from({ length: PAGE_BYTES }, () => random.below(256)))
      noise.copy(bytes, page * PAGE_BYTES)
      writeFileSync(file, bytes)
      if ((await outcome(file)) === 'sound') undetected.push(page + 1)
    }
    expect(undetected).toEqual([])
  })

  it('[show-7] a file that was cut in half is found', async () => {
    using folder = memoryFolder()
    const { bytes } = await makeSpecimen(folder, 200)
    const file = folder.file('damaged.db')
    writeFileSync(file, bytes.subarray(0, Math.floor(bytes.length / PAGE_BYTES / 2) * PAGE_BYTES))
    expect(await outcome(file)).toBe('store/corrupt')
  })

  /** How using a file ends: with a code, with damage that `verify` names, or as if nothing were wrong. */
  async function outcome(file: string): Promise<string> {
    try {
      await using memory = await openMemory(file)
      const { ok } = await memory.verify()
      for (const { id } of (await memory.scope(SCOPE).sessions()).sessions)
        await memory.scope(SCOPE).session(id).history()
      return ok ? 'sound' : 'found'
    } catch (error) {
      if (!MemoryError.is(error)) throw error
      return error.code
    }
  }
})
