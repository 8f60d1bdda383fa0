import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { MemoryError } from '../../src/domain/error.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { restore } from '../../src/archive/restore.ts'

const directory = mkdtempSync(join(tmpdir(), 'daybook-encrypted-'))
afterAll(() => rmSync(directory, { recursive: true }))

const key = randomBytes(32)
const encryption = { file: key }
/** Long enough to be found by no chance, in each of the places that keep what users say. */
const canary = 'zugunruhe-canary-4711'

let files = 0
function newFile(): string {
  return join(directory, `${++files}.db`)
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown as MemoryError,
  )
  return error?.code ?? 'none'
}

/** Files of the directory, by what their names begin with, that have these bytes. */
function filesWith(bytes: string, beginning = ''): readonly string[] {
  return readdirSync(directory).filter(
    (name) => name.startsWith(beginning) && readFileSync(join(directory, name)).includes(bytes),
  )
}

async function fill(file: string): Promise<void> {
  const memory = await openMemory(file, { encryption })
  const scope = memory.scope('acme/ada')
  await scope.session('s').append([{ role: 'user', content: `My code word is ${canary}` }])
  await scope.session('s').state.set('note', canary)
  await scope.remember({ subject: 'Ada', predicate: 'knows', object: canary })
  await scope.recall(canary)
  await memory.settled()
  await memory.close()
}

describe('a file that is encrypted as a whole', () => {
  // What SQLite puts into a temporary file is never encrypted: a large one was copied there, whole, when something was forgotten.
  it.runIf(process.platform === 'linux')('[keep-3] is in no temporary file when something is forgotten', async () => {
    const temporary = mkdtempSync(join(tmpdir(), 'daybook-temporary-'))
    const former = process.env['SQLITE_TMPDIR']
    process.env['SQLITE_TMPDIR'] = temporary
    const seen: (string | null)[] = []
    const watcher = watch(temporary, (_, name) => seen.push(name))
    try {
      await using memory = await openMemory(newFile(), { encryption, learn: false })
      const scope = memory.scope('acme/ada')
      await scope.session('s').append({ id: 'one', role: 'user', content: canary })
      // More than SQLite keeps in memory by itself.
      for (let number = 0; number < 24; number++)
        await scope.session('s').append({ role: 'user', content: `${canary} `.repeat(50_000) })
      expect(await scope.forget({ message: 'one' })).toMatchObject({ pending: [] })
      writeFileSync(join(temporary, 'last'), '')
      await vi.waitFor(() => expect(seen).toContain('last'), { timeout: 30_000 })
      expect(seen.filter((name) => name !== 'last')).toEqual([])
    } finally {
      watcher.close()
      rmSync(temporary, { recursive: true })
      if (former === undefined) delete process.env['SQLITE_TMPDIR']
      else process.env['SQLITE_TMPDIR'] = former
    }
  })

  it('[keep-3] has nothing readable in it, in its write-ahead log or in its backup, and answers as any other', async () => {
    const file = newFile()
    const memory = await openMemory(file, { encryption })
    const scope = memory.scope('acme/ada')
    const messages = Array.from({ length: 200 }, (_, index) => ({
      role: 'user' as const,
      content: `${canary} number ${index}`,
    }))
    await scope.session('s').append(messages)
    await scope.session('s').state.set('note', canary)
    await scope.remember({ subject: 'Ada', predicate: 'knows', object: canary })
    expect((await scope.recall(`${canary} 17`)).items.length).toBeGreaterThan(0)
    expect(readdirSync(directory)).toContain(`${files}.db-wal`)
    expect(filesWith(canary)).toEqual([])
    expect(filesWith('CREATE TABLE')).toEqual([])
    const copy = newFile()
    await memory.backup(copy)
    await memory.verify().then((report) => expect(report.ok).toBe(true))
    await memory.close()
    expect(filesWith(canary)).toEqual([])
    expect(filesWith('SQLite format 3')).toEqual([])

    const back = newFile()
    expect(await codeOf(restore(copy, back))).toBe('encryption/key-needed')
    expect(await codeOf(restore(copy, back, { encryption: { file: randomBytes(32) } }))).toBe('encryption/wrong-key')
    expect(await restore(copy, back, { encryption })).toMatchObject({ messages: 200, former: null })
    expect(await restore(copy, back, { encryption, force: true })).toMatchObject({ messages: 200 })
    const again = await openMemory(back, { encryption })
    expect((await again.scope('acme/ada').session('s').recent(1))[0]?.parts).toEqual([
      { type: 'text', text: `${canary} number 199` },
    ])
    await again.close()
  })

  it('[keep-3] forgets, vacuums and searches its bytes, in threads of their own for a large file', async () => {
    const file = newFile()
    const memory = await openMemory(file, { encryption, learn: false })
    const chat = memory.scope('a').session('s')
    const filler = 'so it went on and on, and nobody said a word of it '.repeat(1_000)
    for (let round = 0; round < 3; round++)
      await chat.append(Array.from({ length: 40 }, () => ({ role: 'user' as const, content: filler })))
    await chat.append({ role: 'user', content: canary })
    const [said] = await chat.recent(1)
    const receipt = await memory.scope('a').forget({ message: said?.id ?? '' })
    expect(receipt).toMatchObject({ messages: 1, pending: [] })
    expect(await memory.verifyForgotten(receipt, [canary])).toMatchObject({ ok: true, found: [] })
    expect((await memory.verify()).ok).toBe(true)
    expect((await memory.backup(newFile())).messages).toBe(120)
    await memory.close()
  })

  it('[keep-3] says what is wrong with a key, and touches nothing', async () => {
    const file = newFile()
    await fill(file)
    const before = readFileSync(file)
    expect(await codeOf(openMemory(file))).toBe('encryption/key-needed')
    expect(await codeOf(openMemory(file, { encryption: { file: randomBytes(32) } }))).toBe('encryption/wrong-key')
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(readdirSync(directory).filter((name) => name.startsWith(`${files}.db`))).toEqual([`${files}.db`])

    const open = await openMemory(file, { encryption })
    expect(await codeOf(openMemory(file))).toBe('encryption/key-needed')
    expect(await codeOf(openMemory(file, { encryption: { file: randomBytes(32) } }))).toBe('encryption/wrong-key')
    await open.close()

    const plain = newFile()
    await (await openMemory(plain)).close()
    expect(await codeOf(openMemory(plain, { encryption }))).toBe('encryption/not-encrypted')
    expect(await codeOf(openMemory(':memory:', { encryption }))).toBe('input/invalid')
    const other = newFile()
    writeFileSync(other, randomBytes(8_192).fill(7, 16, 24))
    expect(await codeOf(openMemory(other))).toBe('store/not-a-database')
    expect(await codeOf(openMemory(other, { encryption }))).toBe('store/not-a-database')
  })

  it('[keep-3] takes its key from bytes, text, a variable, a file or a command', async () => {
    const file = newFile()
    await fill(file)
    const hex = key.toString('hex')
    const keyFile = join(directory, 'key.txt')
    writeFileSync(keyFile, `${hex}\n`)
    const rawFile = join(directory, 'key.bin')
    writeFileSync(rawFile, key)
    process.env['DAYBOOK_TEST_FILE_KEY'] = key.toString('base64')
    const print = `process.stdout.write(${JSON.stringify(hex)})`
    for (const source of [
      hex.toUpperCase(),
      key.toString('base64url'),
      { env: 'DAYBOOK_TEST_FILE_KEY' },
      { path: keyFile },
      { path: rawFile },
      { command: [process.execPath, '-e', print] },
    ])
      await (await openMemory(file, { encryption: { file: source } })).close()

    const refusals: readonly (readonly [unknown, string])[] = [
      ['correct horse battery staple', 'input/invalid'],
      [randomBytes(16), 'input/invalid'],
      [{ env: 'X', path: 'y' }, 'input/invalid'],
      [{ path: 7 }, 'input/invalid'],
      [null, 'input/invalid'],
      [{ env: 'DAYBOOK_TEST_NOT_SET' }, 'encryption/unreadable-key'],
      [{ path: join(directory, 'none') }, 'encryption/unreadable-key'],
      [{ command: [process.execPath, '-e', 'process.exit(3)'] }, 'encryption/unreadable-key'],
      [{ command: ['no-such-program-daybook'] }, 'encryption/unreadable-key'],
    ]
    for (const [source, code] of refusals) {
      const opening = openMemory(file, { encryption: { file: source as string } })
      expect([source, await codeOf(opening)]).toEqual([source, code])
    }
    delete process.env['DAYBOOK_TEST_FILE_KEY']
  })

  it('[keep-3] is opened by the command line with --file-key or DAYBOOK_FILE_KEY', async () => {
    const file = newFile()
    await fill(file)
    const keyFile = join(directory, 'cli-key.txt')
    writeFileSync(keyFile, key.toString('hex'))
    const run = (args: readonly string[], env: Record<string, string> = {}): string =>
      execFileSync(process.execPath, [join(import.meta.dirname, '../../src/cli/main.ts'), ...args], {
        env: { ...process.env, ...env },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      })
    expect(run(['search', '-m', file, '-s', 'acme/ada', '-S', 's', 'code', '--file-key', `file:${keyFile}`])).toContain(
      canary,
    )
    expect(JSON.parse(run(['verify', '-m', file, '--json'], { DAYBOOK_FILE_KEY: key.toString('hex') }))).toMatchObject({
      ok: true,
    })
    expect(() => run(['verify', '-m', file])).toThrow(/encrypted, expected its key/)
  })
})
