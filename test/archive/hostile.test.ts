import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImportReport } from '../../src/api/imports.ts'
import { openMemoryIn } from './open-memory-in.ts'
import { tellScope } from './tell.ts'
import { type ZipEntry, writeZip } from './write-zip.ts'

const fixtures = join(import.meta.dirname, '../fixtures/imports')
let directory = ''
let count = 0
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'daybook-import-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function file(name: string, content: Buffer | string): string {
  count += 1
  const path = join(directory, String(count), name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}

const zip = (entries: readonly ZipEntry[]): string => file('export.zip', writeZip(entries))
const say = (id: string, text: string): string => JSON.stringify({ id, role: 'user', parts: [{ type: 'text', text }] })
const shard = readFileSync(join(fixtures, 'chatgpt/sharded/conversations-000.json'))

async function imported(path: string, options: object = {}): Promise<ImportReport & { readonly told: string }> {
  await using memory = await openMemoryIn()
  const scope = memory.scope('a')
  const dry = await scope.import(path, { ...options, dryRun: true })
  const report = await scope.import(path, options)
  expect({ ...dry, dryRun: false }).toEqual(report)
  expect((await memory.verify()).ok).toBe(true)
  return { ...report, told: await tellScope(memory, 'a') }
}

const reasons = ({ skipped }: ImportReport): readonly string[] =>
  skipped.map(({ place, reason }) => `${place.line ?? place.item ?? place.file} ${reason}`)

describe('a zip', () => {
  it('[imp-1] is read like the folder it holds, whatever it is called', async () => {
    const entries = ['conversations-000.json', 'conversations-001.json', 'user.json', 'chat.html'].map((name) => ({
      name,
      content: readFileSync(join(fixtures, 'chatgpt/sharded', name)),
    }))
    const folder = await imported(join(fixtures, 'chatgpt/sharded'))
    const packed = await imported(file('no-extension', writeZip(entries)))
    expect(packed.told).toBe(folder.told)
    expect(packed.messages).toEqual(folder.messages)
  })

  it('[imp-3] with a bomb in it gives everything but the bomb', async () => {
    const bomb = Buffer.concat([Buffer.from('['), Buffer.alloc(4 * 1024 * 1024, ' ')])
    const report = await imported(
      zip([
        { name: 'bomb.json', content: bomb },
        { name: 'good.json', content: shard },
      ]),
    )
    expect(reasons(report)).toContain('bomb.json unpacks-too-large')
    expect(report.messages.new).toBe(6)
  })

  it('[imp-3] whose headers lie, that is encrypted, or that was cut is told of', async () => {
    const lies = await imported(
      zip([
        { name: 'a.json', content: shard, claimed: 10 },
        { name: 'b.json', content: shard },
      ]),
    )
    expect(lies.messages.new).toBe(6)
    expect(lies.skippedCount.torn).toBeGreaterThan(0)
    expect(reasons(await imported(zip([{ name: 'x.json', content: shard, encrypted: true }])))).toEqual([
      'x.json unreadable',
    ])
    const whole = writeZip([{ name: 'a.json', content: shard }])
    for (const length of [4, 30, whole.length >> 1, whole.length - 1])
      expect((await imported(file('cut.zip', whole.subarray(0, length)))).messages.new).toBe(0)
  })

  it('[imp-3] with names that climb writes nothing anywhere, and with too many entries is read up to the limit', async () => {
    const report = await imported(zip([{ name: '../../etc/a.json', content: shard }]))
    expect(report.messages.new).toBe(6)
    const many = Array.from({ length: 12 }, (_, index) => ({ name: `${index}.json`, content: '{}' }))
    expect((await imported(zip(many), { limits: { filesMax: 5 } })).skippedCount['too-large']).toBe(1)
  })
})

/** The smallest picture there is. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

function chatWith(parts: readonly object[], metadata: object = {}, role = 'user'): string {
  const message = { id: 'm', author: { role }, content: { content_type: 'multimodal_text', parts }, metadata }
  return JSON.stringify([{ id: 'c', mapping: { m: { id: 'm', parent: null, children: [], message } } }])
}

const shown = (pointer: string): object => ({ content_type: 'image_asset_pointer', asset_pointer: pointer })

describe('what messages point to', () => {
  const content = chatWith(
    [{ text: 'look' }, shown('file-service://file-A1'), shown('sediment://file_b2'), shown('file-service://file-gone')],
    {
      attachments: [
        { id: 'file-C3', name: 'notes.pdf' },
        { id: 'file-A1', name: 'again.png' },
      ],
    },
  )
  const entries: readonly ZipEntry[] = [
    { name: 'file-A1-photo.png', content: PIXEL },
    { name: 'conversations.json', content },
    { name: 'user-1/file_b2-sanitized.dat', content: PIXEL },
    { name: 'file-C3-notes.pdf', content: '%PDF-1.7 not much' },
  ]
  const folder = (): string => {
    for (const [index, { name, content: bytes }] of entries.entries()) {
      if (index > 0) count -= 1
      file(name, Buffer.from(bytes))
    }
    return join(directory, String(count))
  }

  it.each([
    ['zip', () => zip(entries)],
    ['folder', folder],
  ])('[imp-1] [imp-4] is stored from the %s that holds it, and what is not there is told of', async (_, make) => {
    await using memory = await openMemoryIn()
    const scope = memory.scope('a')
    const path = make()
    const dry = await scope.import(path, { dryRun: true })
    const report = await scope.import(path)
    expect({ ...dry, dryRun: false }).toEqual(report)
    expect(report.skipped).toMatchObject([{ reason: 'attachment-missing', message: /file-gone/ }])
    const [message] = await scope.session('c').history()
    expect(message?.parts).toMatchObject([
      { type: 'text', text: 'look' },
      { type: 'image', mediaType: 'image/png', width: 1, source: { type: 'blob', bytes: PIXEL.length } },
      { type: 'image', source: { type: 'blob' } },
      { type: 'data', kind: 'chatgpt:image_asset_pointer' },
      { type: 'file', mediaType: 'application/pdf', name: 'notes.pdf' },
    ])
    const stored = await scope.session('c').blobs([message as never])
    expect([...stored.values()].map((bytes) => Buffer.from(bytes).equals(PIXEL))).toContain(true)
    expect(await scope.import(path)).toMatchObject({ messages: { new: 0, present: 1, changed: 0 } })
    expect((await memory.verify()).ok).toBe(true)
  })

  it('[imp-1] and a tool made belongs to its result', async () => {
    await using memory = await openMemoryIn()
    const made = chatWith([shown('file-service://file-A1')], {}, 'tool')
    await memory.scope('a').import(zip([entries[0] as ZipEntry, { name: 'conversations.json', content: made }]))
    const [message] = await memory.scope('a').session('c').history()
    expect(message?.parts).toMatchObject([
      { type: 'tool-result', output: { type: 'parts', parts: [{ type: 'image' }] } },
    ])
  })

  it('[imp-3] that is too large, a bomb or torn costs the picture and not the message', async () => {
    const chat = chatWith([{ text: 'look' }, shown('file-service://file-A1')])
    for (const picture of [
      { name: 'file-A1.png', content: Buffer.alloc(13 * 1024 * 1024, Buffer.from('0123456789abcdef')) },
      { name: 'file-A1.png', content: Buffer.alloc(8 * 1024 * 1024) },
      { name: 'file-A1.png', content: PIXEL, claimed: 7 },
      { name: 'file-A1.png', content: PIXEL, encrypted: true },
    ]) {
      const report = await imported(zip([{ name: 'c.json', content: chat }, picture]))
      expect(report.messages.new).toBe(1)
      expect(report.skipped.map(({ place }) => place.id)).toContain('m')
    }
    const small = await imported(zip([{ name: 'c.json', content: chat }, entries[0] as ZipEntry]), {
      limits: { conversationBytesMax: 20 },
    })
    expect(small).toMatchObject({ messages: { new: 1 }, skippedCount: { 'too-large': 1 } })
  })
})

describe('what is passed over', () => {
  it('[imp-3] is told of: folders that are too deep, links, archives and documents of ours', async () => {
    const deep = file(`${'d/'.repeat(20)}chat.jsonl`, say('a', 'deep'))
    const root = join(directory, String(count))
    symlinkSync(deep, join(root, 'link.jsonl'))
    writeFileSync(join(root, 'all.daybook'), '{"format":"daybook-archive","version":1}\n')
    writeFileSync(join(root, 'document.json'), '{"session_id":"s","recent_history":[]}')
    const report = await imported(root)
    expect(report.skippedCount).toEqual({ 'too-deep': 1, unreadable: 1, 'unknown-format': 2 })
    expect(JSON.stringify(report.skipped)).toMatch(/a Daybook archive.*a Daybook document/)
    await using memory = await openMemoryIn()
    await expect(memory.scope('a').import(join(root, 'all.daybook'))).rejects.toMatchObject({
      code: 'input/invalid',
      message: /it is a Daybook archive. Use memory\.import/,
    })
  })

  it('[imp-3] is told of: entries of a list that are no messages, once each', async () => {
    const say2 = (content: string): object => ({ type: 'human', data: { content } })
    const messages = [say2('one'), 7, { odd: true }, say2('two')]
    const checkpoint = (id: string, list: readonly unknown[]): string =>
      JSON.stringify({
        config: { configurable: { thread_id: 't', checkpoint_id: id } },
        checkpoint: { channel_values: { messages: list } },
      })
    const graph = await imported(
      file('c.jsonl', `${checkpoint('1', messages)}\n${checkpoint('2', [...messages, say2('three')])}`),
    )
    expect(graph).toMatchObject({ messages: { new: 3 }, skippedCount: { 'wrong-type': 2 } })
    const run = { run_type: 'llm', id: 'r', trace_id: 't', inputs: { messages }, outputs: {} }
    const smith = await imported(file('r.jsonl', `${JSON.stringify(run)}\n7\n`))
    expect(smith).toMatchObject({ messages: { new: 2 }, skippedCount: { 'wrong-type': 3 } })
  })
})

describe('JSON lines', () => {
  it('[imp-3] keep what is whole around torn lines, NUL blocks, garbage and wrong types', async () => {
    const lines = [
      say('a', 'one'),
      '{"id":"b","role":"us',
      say('c', 'three'),
      '\0\0\0\0',
      say('d', 'four'),
      'not json',
      '[1',
      '7',
    ]
    const report = await imported(
      file('chat.jsonl', `${lines.join('\n')}\n${say('e', 'five')}\n${say('f', 'six').slice(0, 20)}`),
    )
    expect(report.told.match(/"(one|two|three|four|five|six)"/g)).toEqual(['"one"', '"three"', '"four"', '"five"'])
    expect(reasons(report)).toEqual(
      expect.arrayContaining(['2 torn', '4 nul-bytes', '6 not-json', '7 torn', '8 wrong-type', '10 torn']),
    )
  })

  it('[imp-3] with a torn, a foreign or an empty first line are still read', async () => {
    for (const first of [
      '{"id":"z","role":"user","parts":[{"type":"te',
      '{"id":"z","role":"user"',
      'x"}]}',
      '',
      '\u{FEFF}',
    ])
      expect(
        (await imported(file('chat.jsonl', `${first}\n${say('a', 'one')}\n${say('b', 'two')}\n`))).messages.new,
        first,
      ).toBe(2)
  })

  it('[imp-3] longer than the limit are let go, and the next one comes in', async () => {
    const long = say('long', 'x'.repeat(300_000))
    const report = await imported(file('chat.jsonl', `${say('a', 'one')}\n${long}\n${say('b', 'two')}\n`), {
      limits: { recordBytesMax: 100_000 },
    })
    expect(reasons(report)).toEqual(['2 too-large'])
    expect(report.messages.new).toBe(2)
  })

  it('[imp-3] nested too deep, or one conversation too large, are told of', async () => {
    const deep = `{"id":"deep","role":"user","parts":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    const report = await imported(file('chat.jsonl', `${say('a', 'one')}\n${deep}\n${say('b', 'two')}\n`))
    expect(reasons(report)).toEqual(['2 too-deep'])
    const lines = Array.from({ length: 50 }, (_, index) => say(`m${index}`, 'x'.repeat(1_000)))
    const cut = await imported(file('chat.jsonl', lines.join('\n')), { limits: { conversationBytesMax: 20_000 } })
    expect(cut.messages.new).toBeLessThan(25)
    expect(cut.skippedCount['too-large']).toBe(50 - cut.messages.new)
  })

  it('[imp-3] with data nested deeper than the log takes lose that message only', async () => {
    const data = `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`
    const odd = `{"id":"odd","role":"assistant","parts":[{"type":"data-x","data":${data}}]}`
    const report = await imported(file('chat.jsonl', `${say('a', 'one')}\n${odd}\n${say('b', 'two')}\n`))
    expect(report.messages.new).toBe(2)
    expect(report.skippedCount['wrong-type']).toBe(1)
  })
})

describe('one JSON document', () => {
  it('[imp-3] that is cut gives the items before the cut, wherever that is', async () => {
    const whole = readFileSync(join(fixtures, 'chatgpt/conversations.json'))
    const { messages } = await imported(join(fixtures, 'chatgpt/conversations.json'))
    for (let length = 0; length < whole.length; length += Math.ceil(whole.length / 12)) {
      const report = await imported(file('conversations.json', whole.subarray(0, length)))
      expect(report.messages.new).toBeLessThanOrEqual(messages.new)
    }
  })

  it('[imp-3] that is a folder of links, pictures and nothing is told of', async () => {
    const path = file('picture.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]))
    symlinkSync(join(fixtures, 'mem0'), join(dirname(path), 'link'))
    writeFileSync(join(dirname(path), 'empty.json'), '')
    const report = await imported(dirname(path))
    expect(report.skippedCount).toEqual({ 'not-json': 2, unreadable: 1 })
    await expect(imported(join(directory, 'nothing-here'))).rejects.toMatchObject({ code: 'input/unreadable-file' })
  })
})
