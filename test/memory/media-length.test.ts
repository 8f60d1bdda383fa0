import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
import type { Part } from '../../src/domain/part.ts'
import type { NewPart } from '../../src/domain/new-message.ts'
import { readPageCount } from '../../src/log/page-count.ts'
import { readSoundSeconds } from '../../src/log/sound-seconds.ts'
import { openMemory } from '../../src/memory/open-memory.ts'

let memory: Memory
let sessions = 0
beforeAll(async () => {
  memory = await openMemory(':memory:', { learn: false })
})
afterAll(() => memory.close())

const TREE = '1 0 obj << /Type /Pages /Kids [3 0 R 4 0 R] /Count 3 >> endobj\n'
const BOOKMARKS = '9 0 obj << /Type /Outlines /First 10 0 R /Count 77 >> endobj\n'

function pdf(tree = TREE, bytes = 900_000): Buffer {
  return Buffer.concat([
    Buffer.from(`%PDF-1.4\n${BOOKMARKS}${tree}`),
    Buffer.alloc(bytes, 'x'),
    Buffer.from('\n2 0 obj << /Count 2 /Type/Pages /Parent 1 0 R >> endobj\n%%EOF'),
  ])
}

/** Newer files keep the tree in a compressed stream. */
function compressedPdf(): Buffer {
  const stream = deflateSync(Buffer.from('1 0 2 60 << /Type /Catalog >> << /Type /Pages /Count 12 /Kids [] >>'))
  return Buffer.concat([
    Buffer.from(`%PDF-1.7\n5 0 obj << /Type /ObjStm /N 2 /Length ${stream.length} >>\nstream\r\n`),
    stream,
    Buffer.from('\nendstream endobj\n%%EOF'),
  ])
}

/** Sixteen bits, two channels, 44.1 kHz. */
function wav(seconds: number): Buffer {
  const file = Buffer.alloc(44 + 176_400 * seconds)
  file.write('RIFF', 0)
  file.write('WAVEfmt ', 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt32LE(176_400, 28)
  file.write('data', 36)
  file.writeUInt32LE(176_400 * seconds, 40)
  return file
}

/** Frames of 128 kbit/s, after a tag. */
function mp3(seconds: number): Buffer {
  const file = Buffer.alloc(20 + 16_000 * seconds)
  file.write('ID3', 0)
  file.writeUInt8(10, 9)
  file.writeUInt32BE(0xff_fb_90_00, 20)
  return file
}

function variableMp3(): Buffer {
  const file = mp3(1)
  file.write('Xing', 56)
  file.writeUInt32BE(1, 60)
  file.writeUInt32BE(383, 64)
  return file
}

describe('the length of a document or a sound', () => {
  it('[contexts-10] is read from its bytes, and unknown where they do not say it', () => {
    expect(readPageCount(pdf())).toBe(3)
    expect(readPageCount(pdf('1 0 obj\n<</Kids[3 0 R]/Count 250/Type/Pages>>\nendobj\n'))).toBe(250)
    expect(readPageCount(compressedPdf())).toBe(12)
    expect(readPageCount(Buffer.from(`%PDF-1.4\n${BOOKMARKS}`))).toBeUndefined()
    expect(readPageCount(Buffer.from(`PK\u0003\u0004${TREE}`))).toBeUndefined()
    expect(readPageCount(Buffer.from(`%PDF-1.4\n${TREE.repeat(5_000)}`))).toBeUndefined()
    expect(readSoundSeconds(wav(10))).toBe(10)
    expect(readSoundSeconds(mp3(60))).toBe(60)
    expect(readSoundSeconds(variableMp3())).toBeCloseTo((383 * 1_152) / 44_100, 0)
    expect(readSoundSeconds(Buffer.from('OggS and so on'))).toBeUndefined()
  })

  it('[contexts-10] is never read beyond the end, whatever the bytes are', () => {
    const starts = ['', '%PDF-1.7\n/Type /ObjStm stream\n', '%PDF-1.4 /Type /Pages /Count 9', 'RIFF____WAVEfmt ', 'ID3']
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 300 }), (start, rest) => {
        const bytes = Buffer.concat([Buffer.from(start), rest])
        expect(readPageCount(bytes) ?? 1).toBeGreaterThan(0)
        expect(readSoundSeconds(bytes) ?? 1).toBeGreaterThan(0)
      }),
      { numRuns: 500 },
    )
  })

  it('[contexts-10] is not looked for among more counts than a file has, in however many streams they are', () => {
    const stream = deflateSync(Buffer.from(TREE.repeat(1_500)))
    const part = Buffer.concat([Buffer.from('/Type /ObjStm stream\n'), stream, Buffer.from('\nendstream\n')])
    expect(readPageCount(Buffer.concat([Buffer.from('%PDF-1.7\n'), part]))).toBe(3)
    expect(readPageCount(Buffer.concat([Buffer.from('%PDF-1.7\n'), part, part]))).toBeUndefined()
  })

  it('[contexts-10] is not what a sound states if it has no room for it', () => {
    const lying = variableMp3()
    lying.writeUInt32BE(0xff_ff_ff_ff, 64)
    expect(readSoundSeconds(lying)).toBe(1)
    const slow = wav(60)
    slow.writeUInt32LE(1, 28)
    expect(readSoundSeconds(slow)).toBeUndefined()
  })

  it('[contexts-10] of a text is that of all its characters, whatever it says of pages', async () => {
    const chat = memory.scope('a').session(`s${++sessions}`)
    const [stored] = await chat.append({ role: 'user', parts: [document(pdf(), 'text/plain')] })
    expect(stored.tokens).toBeGreaterThan(100_000)
  })

  it.each<readonly [what: string, part: NewPart, model: string, tokens: number]>([
    ['three pages', document(pdf(), 'application/pdf'), 'gemini-2.5-pro', 3 * 258],
    ['three pages', document(pdf(), 'application/pdf'), 'gemini-3-pro', 3 * 560],
    ['three pages', document(pdf(), 'application/pdf'), 'claude-sonnet-4-5', 3 * 4_600],
    [
      '250 pages that somebody counted',
      { ...document(Buffer.from('x'), 'application/pdf'), pages: 250 },
      'gemini-2.5-pro',
      250 * 258,
    ],
    ['ten seconds', sound(wav(10), 'audio/wav'), 'gpt-4o-audio-preview', 100],
    ['ten seconds', sound(wav(10), 'audio/wav'), 'gemini-2.5-pro', 320],
    ['a minute', sound(mp3(60), 'audio/mpeg'), 'gpt-4o-audio-preview', 600],
    ['half a minute behind an address', { ...link(), seconds: 30 }, 'gemini-2.5-pro', 960],
  ])('[contexts-10] %s: counted by the formula of %s', async (_, part, model, tokens) => {
    const name = `s${++sessions}`
    const [with_, without] = [memory.scope('a').session(name), memory.scope('b').session(name)]
    await with_.append({ role: 'user', parts: [{ type: 'text', text: 'see' }, part] })
    await without.append({ role: 'user', parts: [{ type: 'text', text: 'see' }] })
    const [more, less] = [await with_.context({ model }), await without.context({ model })]
    const margin = more.receipt.tokens.exact ? 0 : tokens * 0.4
    expect(more.tokens - less.tokens).toBeGreaterThanOrEqual(tokens)
    expect(more.tokens - less.tokens).toBeLessThanOrEqual(tokens + margin + 20)
  })

  it('[contexts-10] is refused if it is no length', async () => {
    const chat = memory.scope('a').session(`s${++sessions}`)
    const append = (part: object): Promise<unknown> => chat.append({ role: 'user', parts: [part as NewPart] })
    await expect(append({ ...link(), seconds: 0 })).rejects.toMatchObject({ code: 'input/invalid' })
    await expect(append({ ...link(), seconds: 1e17 })).rejects.toMatchObject({ code: 'input/invalid' })
    await expect(append({ ...document(Buffer.from('x'), 'a/b'), pages: 1e15 })).rejects.toThrow('at most 1000000')
    await expect(append({ ...link(), pages: 3 })).rejects.toMatchObject({ code: 'input/invalid' })
    await expect(append({ ...document(Buffer.from('x'), 'a/b'), pages: 0 })).rejects.toThrow(
      'expected a number of pages',
    )
  })
})

describe('a message that was stored without the length of its document', () => {
  const now = { id: 'm1', role: 'user', parts: [document(pdf(), 'application/pdf')] } as const
  const { id: _, ...unnamed } = now

  /** As an earlier version stored it: by the hash alone, nobody reads the pages. */
  async function stored(): Promise<typeof now.parts> {
    const [{ parts }] = await memory.scope('a').session(`s${++sessions}`).append(unnamed)
    const { pages, ...before } = parts[0] as Extract<Part, { type: 'file' }>
    expect(pages).toBe(3)
    return [before as NewFile]
  }

  it('[contexts-10] is the same message when it is appended again', async () => {
    const chat = memory.scope('a').session(`s${++sessions}`)
    const before = await stored()
    const first = await chat.append({ ...now, parts: before })
    expect(await chat.append(now)).toEqual(first)
    const operation = await chat.append({ ...unnamed, parts: before }, { operationId: 'o' })
    expect(await chat.append(unnamed, { operationId: 'o' })).toEqual(operation)
    await expect(chat.append({ ...now, parts: [document(pdf(BOOKMARKS), 'application/pdf')] })).rejects.toMatchObject({
      code: 'log/id-conflict',
    })
  })

  it('[contexts-10] is not stored twice by a sync', async () => {
    const chat = memory.scope('a').session(`s${++sessions}`)
    const answer = { role: 'assistant', content: 'Three pages.' } as const
    await chat.sync([{ ...unnamed, parts: await stored() }, answer])
    expect(await chat.sync([unnamed, answer])).toMatchObject({ appended: [], removed: [] })
    expect(await chat.history()).toHaveLength(2)
  })
})

type NewFile = Extract<NewPart, { type: 'file' }>
type NewSound = Extract<NewPart, { type: 'audio' }>

function document(bytes: Buffer, mediaType: string): NewFile {
  return { type: 'file', mediaType, source: new Uint8Array(bytes) }
}

function sound(bytes: Buffer, mediaType: string): NewSound {
  return { type: 'audio', mediaType, source: new Uint8Array(bytes) }
}

function link(): NewSound {
  return { type: 'audio', mediaType: 'audio/ogg', source: 'https://example.com/a.ogg' }
}
