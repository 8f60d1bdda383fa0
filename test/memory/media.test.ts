import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, it } from 'vitest'
import { convert } from '../../src/dialects/convert.ts'
import { openMemory } from '../../src/memory/open-memory.ts'

const directory = mkdtempSync(join(tmpdir(), 'daybook-media-'))
const root = join(directory, 'allowed')
mkdirSync(join(root, 'deep'), { recursive: true })
mkdirSync(join(directory, 'allowed-not'))
/** The smallest honest PNG: 1 × 1 pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
writeFileSync(join(root, 'a.png'), png)
writeFileSync(join(root, 'deep', 'note.txt'), 'hello')
writeFileSync(join(root, 'empty.png'), '')
writeFileSync(join(directory, 'secret.txt'), 'secret')
writeFileSync(join(directory, 'allowed-not', 'x.txt'), 'secret')
symlinkSync(join(directory, 'secret.txt'), join(root, 'link.txt'))
symlinkSync(directory, join(root, 'up'))
afterAll(() => rmSync(directory, { recursive: true }))

describe('images and files', () => {
  it('[msg-9] takes path, URL, data URL and bytes, and stores equal content once', async () => {
    const file = join(directory, 'm.db')
    const memory = await openMemory(file, { fileRoots: [root] })
    const chat = memory.scope('a').session('s')
    const [stored] = await chat.append({
      role: 'user',
      content: 'look',
      images: [
        'a.png',
        join(root, 'a.png'),
        `data:image/png;base64,${png.toString('base64')}`,
        new Uint8Array(png),
        'https://example.com/x.png',
        { type: 'path', path: 'a.png' },
      ],
    })
    const sources = stored?.parts.flatMap((part) => (part.type === 'image' ? [part] : [])) ?? []
    const blob = {
      type: 'image',
      source: { type: 'blob', hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string, bytes: png.length },
      mediaType: 'image/png',
      width: 1,
      height: 1,
    }
    expect(sources).toEqual([
      blob,
      blob,
      blob,
      blob,
      { type: 'image', source: { type: 'url', url: 'https://example.com/x.png' } },
      blob,
    ])
    expect(new Set(sources.map((part) => JSON.stringify(part))).size).toBe(2)
    expect([...(await chat.blobs(await chat.history())).values()]).toEqual([png])
    await memory.close()
    const database = new Database(file, { readonly: true })
    expect(database.prepare('SELECT count(*) FROM blobs').pluck().get()).toBe(1)
    database.close()
  })

  it('[msg-9] gives a reference back, and encodes it when a dialect is asked for', async () => {
    await using memory = await openMemory(':memory:', { fileRoots: [root] })
    const chat = memory.scope('a').session('s')
    await chat.append({ role: 'user', content: 'look', images: ['a.png'] })
    const window = await chat.history()
    const wire = convert(window, { from: 'daybook', to: 'openai', blobs: await chat.blobs(window) })
    expect(JSON.stringify(wire)).toContain(`data:image/png;base64,${png.toString('base64')}`)
    expect(() => convert(window, { from: 'daybook', to: 'openai' })).toThrow(
      expect.objectContaining({ code: 'dialect/missing-blob' }) as Error,
    )
  })

  it('[msg-9] keeps media inside tool results', async () => {
    await using memory = await openMemory(':memory:')
    const chat = memory.scope('a').session('s')
    await chat.append({ role: 'assistant', toolCalls: [{ id: 'c', name: 'shot', arguments: {} }] })
    const [stored] = await chat.append({
      role: 'tool',
      toolCallId: 'c',
      content: [
        { type: 'text', text: 'done' },
        { type: 'image', source: png },
        { type: 'file', source: new Uint8Array([1, 2]), mediaType: 'application/zip', name: 'z' },
      ],
    })
    expect(await chat.blobs(stored === undefined ? [] : [stored])).toEqual(
      new Map([
        [expect.any(String), png],
        [expect.any(String), Buffer.from([1, 2])],
      ]),
    )
    expect((await memory.verify()).ok).toBe(true)
  })

  it('[msg-9] reads no path at all unless a directory was allowed', async () => {
    await using memory = await openMemory(':memory:')
    await expect(
      memory
        .scope('a')
        .session('s')
        .append({ role: 'user', content: 'x', images: [join(root, 'a.png')] }),
    ).rejects.toMatchObject({ code: 'input/forbidden-path' })
  })

  for (const path of [
    '../secret.txt',
    '/etc/passwd',
    'link.txt',
    'up/secret.txt',
    'deep/../../secret.txt',
    '../allowed-not/x.txt',
    '.',
    '',
  ]) {
    it(`[msg-9] never reads ${JSON.stringify(path)}, which is outside or leads outside`, async () => {
      await using memory = await openMemory(':memory:', { fileRoots: [root] })
      const chat = memory.scope('a').session('s')
      await expect(chat.append({ role: 'user', content: 'x', images: [{ type: 'path', path }] })).rejects.toMatchObject(
        { code: expect.stringMatching(/^input\/(forbidden-path|invalid)$/) as string },
      )
      expect(await chat.count()).toBe(0)
    })
  }

  it('[msg-9] compares real places: a linked root, a missing root, and no change of directory', async () => {
    const link = join(directory, 'linked')
    symlinkSync(root, link)
    await using memory = await openMemory(':memory:', { fileRoots: [join(directory, 'not there'), link] })
    const chat = memory.scope('a').session('s')
    for (const path of [join(link, 'a.png'), join(root, 'a.png')])
      expect(await chat.append({ role: 'user', images: [path] })).toHaveLength(1)
    await expect(chat.append({ role: 'user', images: ['a.png'] })).rejects.toMatchObject({
      code: 'input/unreadable-file',
    })
  })

  for (const path of ['missing.png', 'deep', 'empty.png']) {
    it(`[msg-10] a file that cannot be read (${path}) is an error at append, and nothing is stored`, async () => {
      await using memory = await openMemory(':memory:', { fileRoots: [root] })
      const chat = memory.scope('a').session('s')
      await expect(chat.append({ role: 'user', content: 'x', images: [path] })).rejects.toMatchObject({
        code: 'input/unreadable-file',
        details: { path },
      })
      expect(await chat.count()).toBe(0)
    })
  }

  it('[show-2] keeps what was passed, also when the caller changes it while a file is read', async () => {
    await using memory = await openMemory(':memory:', { fileRoots: [root] })
    const chat = memory.scope('a').session('s')
    const metadata = { kept: true }
    const bytes = new Uint8Array([1, 2, 3])
    const promise = chat.append({
      role: 'user',
      metadata,
      parts: [
        { type: 'file', source: 'deep/note.txt' },
        { type: 'image', source: bytes },
      ],
    })
    metadata.kept = false
    bytes.fill(9)
    const [stored] = await promise
    expect(stored?.metadata).toEqual({ kept: true })
    expect(stored?.parts[0]).toMatchObject({ mediaType: 'text/plain', source: { bytes: 5 } })
    const blobs = await chat.blobs(stored === undefined ? [] : [stored])
    expect([...blobs.values()].map((blob) => [...blob])).toContainEqual([1, 2, 3])
  })

  it('[msg-9] a data URL may spell base64 in any case', async () => {
    await using memory = await openMemory(':memory:')
    const chat = memory.scope('a').session('s')
    const [stored] = await chat.append({
      role: 'user',
      images: [`data:image/png;BASE64,${png.toString('base64')}`, `DATA:image/png;base64,${png.toString('base64')}`],
    })
    const images = stored.parts.flatMap((part) => (part.type === 'image' ? [part] : []))
    expect(images.map(({ width }) => width)).toEqual([1, 1])
    expect([...(await chat.blobs([stored])).values()].map((bytes) => Buffer.from(bytes))).toEqual([png])
  })

  it('[show-6] many files that are together too large are refused before all are read', async () => {
    await using memory = await openMemory(':memory:', { fileRoots: [root], messageBytesMax: 1_000 })
    writeFileSync(join(root, 'half.bin'), Buffer.alloc(600, 1))
    const chat = memory.scope('a').session('s')
    const part = { type: 'file', source: 'half.bin', mediaType: 'application/octet-stream' } as const
    const missing = { ...part, source: 'missing.bin' }
    await expect(chat.append({ role: 'user', parts: [part, part, missing] })).rejects.toMatchObject({
      code: 'input/too-large',
    })
    expect(await chat.count()).toBe(0)
  })

  it('[msg-9] a directory that is swapped for a link while it is read leads nowhere else', async () => {
    const swapped = join(root, 'swapped')
    const [real, link] = [join(root, 'swapped-real'), join(root, 'swapped-link')]
    mkdirSync(real)
    mkdirSync(join(directory, 'elsewhere'))
    writeFileSync(join(real, 'f.txt'), 'open')
    writeFileSync(join(directory, 'elsewhere', 'f.txt'), 'secret')
    symlinkSync(join(directory, 'elsewhere'), link)
    await using memory = await openMemory(':memory:', { fileRoots: [root] })
    const chat = memory.scope('a').session('s')
    let swapping = true
    const swaps = (async () => {
      for (let count = 0; swapping; count++) {
        const place = count % 2 === 0 ? real : link
        renameSync(place, swapped)
        await new Promise((resolve) => setImmediate(resolve))
        renameSync(swapped, place)
      }
    })()
    const part = { type: 'file', source: 'swapped/f.txt', mediaType: 'text/plain' } as const
    const tries = Array.from({ length: 300 }, () => chat.append({ role: 'user', parts: [part] }).catch(() => []))
    const stored = (await Promise.all(tries)).flat()
    swapping = false
    await swaps
    const read = [...(await chat.blobs(stored)).values()].map((bytes) => Buffer.from(bytes).toString())
    expect(read.filter((text) => text !== 'open')).toEqual([])
  })

  it.each(['aGVsb', 'aGVs bG8=', 'aGVsbG8=====', '', 'aGVsbG8%3D'])('[msg-10] refuses %j for base64', async (text) => {
    await using memory = await openMemory(':memory:')
    const chat = memory.scope('a').session('s')
    const part = { type: 'file', mediaType: 'text/plain', source: { type: 'base64', base64: text } } as const
    await expect(chat.append({ role: 'user', parts: [part] })).rejects.toMatchObject({ code: 'input/invalid' })
  })

  it('[msg-9] a name that begins with two dots is a name', async () => {
    writeFileSync(join(root, '..note.txt'), 'inside')
    await using memory = await openMemory(':memory:', { fileRoots: [root] })
    const part = { type: 'file', source: '..note.txt', mediaType: 'text/plain' } as const
    const [stored] = await memory
      .scope('a')
      .session('s')
      .append({ role: 'user', parts: [part] })
    expect(stored.parts).toMatchObject([{ source: { type: 'blob', bytes: 6 } }])
  })
})
