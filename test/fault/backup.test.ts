import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { restore } from '../../src/archive/restore.ts'
import { fill, fresh, readAll, textOf } from '../archive/scene.ts'

const root = mkdtempSync(join(tmpdir(), 'daybook-backup-'))
afterAll(() => rmSync(root, { recursive: true }))
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(root, 'case-'))
})

function open(name: string): Promise<Memory> {
  return openMemory(join(folder, name), { learn: false })
}

describe('[keep-5] backup', () => {
  it.each(['a file', 'none'])(
    'holds all of a memory in %s, in a private file, with nothing left beside it',
    async (kind) => {
      await using memory = kind === 'none' ? await fresh() : await open('memory.db')
      await fill(memory)
      const file = join(folder, 'backup.db')
      const made = await memory.backup(file)
      expect(made).toMatchObject({ file, bytes: statSync(file).size, messages: (await memory.verify()).messages })
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(readdirSync(folder).filter((name) => name.startsWith('backup'))).toEqual(['backup.db'])
      await using copy = await open('backup.db')
      expect(await readAll(copy)).toEqual(await readAll(memory))
      expect(await textOf(copy.export())).toBe(await textOf(memory.export()))
      expect((await copy.verify()).ok).toBe(true)
    },
  )

  it('overwrites nothing', async () => {
    await using memory = await open('memory.db')
    const file = join(folder, 'precious.txt')
    writeFileSync(file, 'precious')
    await expect(memory.backup(file)).rejects.toMatchObject({ code: 'store/exists' })
    await expect(memory.backup(join(folder, 'memory.db'))).rejects.toMatchObject({ code: 'store/exists' })
    expect(readFileSync(file, 'utf8')).toBe('precious')
  })

  it.each([
    ['', 'input/invalid'],
    [':memory:', 'input/invalid'],
    [7 as never, 'input/invalid'],
    ['none/such/folder.db', 'store/cannot-open'],
  ])('refuses %j', async (file, code) => {
    await using memory = await open('memory.db')
    await expect(memory.backup(file)).rejects.toMatchObject({ code })
  })

  it('of a damaged memory is none, and says where', async () => {
    const memory = await open('memory.db')
    await fill(memory)
    await memory.close()
    const { default: Database } = await import('better-sqlite3')
    const database = new Database(join(folder, 'memory.db'))
    database.prepare(`UPDATE messages SET body = replace(body, 'late', 'soon')`).run()
    database.close()
    await using again = await open('memory.db')
    await expect(again.backup(join(folder, 'b.db'))).rejects.toMatchObject({ code: 'store/corrupt' })
    expect(readdirSync(folder).filter((name) => name.startsWith('b.db'))).toEqual([])
  })

  it('is what copying the file is not: the newest messages are in the log beside it', async () => {
    await using memory = await open('memory.db')
    await memory.scope('a').session('s').append({ role: 'user', content: 'not in the file yet' })
    copyFileSync(join(folder, 'memory.db'), join(folder, 'copied.db'))
    await memory.backup(join(folder, 'backed-up.db'))
    await using copied = await open('copied.db')
    await using backedUp = await open('backed-up.db')
    const said = await Promise.all([copied, backedUp].map((one) => one.scope('a').session('s').count()))
    expect(said).toEqual([0, 1])
  })
})

describe('[keep-5] restore', () => {
  async function backedUp(): Promise<string> {
    await using memory = await open('memory.db')
    await fill(memory)
    await memory.backup(join(folder, 'backup.db'))
    return join(folder, 'backup.db')
  }

  it('puts a checked copy where a memory should be and leaves the backup as it was', async () => {
    const backup = await backedUp()
    const before = readFileSync(backup)
    const file = join(folder, 'new.db')
    expect(await restore(backup, file)).toMatchObject({ file, former: null, sessions: 7 })
    expect(readFileSync(backup).equals(before)).toBe(true)
    await using memory = await open('new.db')
    await using original = await open('memory.db')
    expect(await readAll(memory)).toEqual(await readAll(original))
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('overwrites nothing without force, and keeps what was there with it', async () => {
    const backup = await backedUp()
    const file = join(folder, 'memory.db')
    await expect(restore(backup, file)).rejects.toMatchObject({ code: 'store/exists' })
    {
      await using memory = await open('memory.db')
      await memory.scope('a').session('s').append({ role: 'user', content: 'after the backup' })
    }
    const { former } = await restore(backup, file, { force: true })
    await using restored = await open('memory.db')
    expect(await restored.scope('a').session('s').count()).toBe(0)
    await using kept = await openMemory(former ?? '', { learn: false })
    expect(await kept.scope('a').session('s').count()).toBe(1)
  })

  it('[forget-3] leaves a former memory that has what is forgotten since, and that is told', async () => {
    const file = join(folder, 'memory.db')
    {
      await using memory = await openMemory(file, { learn: false })
      await memory.scope('acme').session('chat').append({ id: 'one', role: 'user', content: 'Zanzibaroo' })
      await memory.backup(join(folder, 'backup.db'))
    }
    const { former } = await restore(join(folder, 'backup.db'), file, { force: true })
    await using memory = await openMemory(file, { learn: false })
    const receipt = await memory.scope('acme').forget({ message: 'one' })
    const { ok, found } = await memory.verifyForgotten(receipt, ['Zanzibaroo'])
    expect(ok).toBe(false)
    for (const { where } of found) expect(where).toContain(former)
    rmSync(former ?? '')
    expect(await memory.verifyForgotten(receipt, ['Zanzibaroo'])).toMatchObject({ ok: true })
  })

  it('leaves no moment without a memory under its name: whoever is killed has the old one or the new one', async () => {
    const backup = await backedUp()
    const file = join(folder, 'memory.db')
    let [done, looks] = [false, 0]
    const restoring = restore(backup, file, { force: true }).finally(() => (done = true))
    while (!done) {
      looks += 1
      expect(existsSync(file)).toBe(true)
      await new Promise(setImmediate)
    }
    const { former } = await restoring
    expect(looks).toBeGreaterThan(1)
    expect(statSync(former ?? '').ino).not.toBe(statSync(file).ino)
    expect(statSync(file).nlink).toBe(1)
  })

  it('names the backup, and not a copy of it, when that is no memory', async () => {
    const text = join(folder, 'words.db')
    writeFileSync(text, 'words '.repeat(1_000))
    await expect(restore(text, join(folder, 'x.db'))).rejects.toMatchObject({
      code: 'store/not-a-database',
      message: expect.stringContaining(JSON.stringify(text)) as string,
    })
  })

  it('keeps a damaged memory with the log beside it', async () => {
    const backup = await backedUp()
    writeFileSync(join(folder, 'broken.db'), 'not a database at all')
    writeFileSync(join(folder, 'broken.db-wal'), 'nor this a log')
    const { former } = await restore(backup, join(folder, 'broken.db'), { force: true })
    expect(readFileSync(former ?? '', 'utf8')).toBe('not a database at all')
    expect(readFileSync(`${former}-wal`, 'utf8')).toBe('nor this a log')
    await using memory = await open('broken.db')
    expect((await memory.verify()).ok).toBe(true)
  })

  it('refuses a memory that is in use, on either side', async () => {
    const backup = await backedUp()
    await using memory = await open('memory.db')
    await memory.scope('a').session('s').append({ role: 'user', content: 'busy' })
    await expect(restore(backup, join(folder, 'memory.db'), { force: true })).rejects.toMatchObject({
      code: 'store/busy',
    })
    await expect(restore(join(folder, 'memory.db'), join(folder, 'x.db'))).rejects.toMatchObject({ code: 'store/busy' })
    expect(existsSync(join(folder, 'x.db'))).toBe(false)
  })

  it('refuses what is no backup, and leaves what is there', async () => {
    const backup = await backedUp()
    const bytes = readFileSync(backup)
    bytes.fill(0xff, Math.floor(bytes.length / 4), Math.floor((bytes.length * 3) / 4))
    writeFileSync(join(folder, 'rotten.db'), bytes)
    writeFileSync(join(folder, 'text.db'), 'hello')
    const file = join(folder, 'memory.db')
    const before = readFileSync(file)
    await expect(restore(join(folder, 'rotten.db'), file, { force: true })).rejects.toMatchObject({
      code: expect.stringMatching(/^store\//),
    })
    await expect(restore(join(folder, 'text.db'), file, { force: true })).rejects.toMatchObject({
      code: expect.stringMatching(/^store\//),
    })
    await expect(restore(join(folder, 'none.db'), file, { force: true })).rejects.toMatchObject({
      code: 'store/cannot-open',
    })
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(readdirSync(folder).filter((name) => /restoring|former/.test(name))).toEqual([])
  })
})

it('[walls-202] without file descriptors left it fails with a code, and leaves nothing behind', () => {
  const script = new URL('children/crowded-backup.ts', import.meta.url).pathname
  const command = `ulimit -n 96; exec "$0" "$1" "$2" "$3"`
  const child = spawnSync(
    'bash',
    ['-c', command, process.execPath, script, join(folder, 'log.db'), join(folder, 'copy.db')],
    {
      encoding: 'utf8',
    },
  )
  expect(child.stdout, child.stderr).toBe('store/busy\n')
  expect(existsSync(join(folder, 'copy.db'))).toBe(false)
})
