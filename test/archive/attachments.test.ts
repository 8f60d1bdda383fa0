import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImportReport } from '../../src/api/imports.ts'
import { openMemory } from '../../src/index.ts'

let directory = ''
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'daybook-attached-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const pdf = Buffer.from('%PDF-1.4 two pages').toString('base64')
const dataOf = (mediaType: string, base64: string): string => `data:${mediaType};base64,${base64}`

interface Came {
  readonly report: ImportReport
  /** Each part of each message in a word: its type, and for what is stored its bytes. */
  readonly parts: readonly string[]
}

async function bring(records: readonly object[], options: object = {}): Promise<Came> {
  const path = join(directory, 'export.jsonl')
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  await using memory = await openMemory(':memory:', { learn: false, ...options })
  const scope = memory.scope('a')
  const dry = await scope.import(path, { dryRun: true })
  const report = await scope.import(path)
  expect({ ...dry, dryRun: false }).toEqual(report)
  expect((await scope.import(path)).messages).toEqual({ new: 0, present: report.messages.new, changed: 0 })
  expect((await memory.verify()).ok).toBe(true)
  const parts: string[] = []
  for (const { id } of (await scope.sessions()).sessions)
    for (const message of await scope.session(id).history()) for (const part of message.parts) parts.push(word(part))
  return { report, parts }
}

function word(part: object): string {
  const { type, source, output, kind, text } = part as Record<string, unknown>
  const { type: from, bytes } = (source ?? {}) as Record<string, unknown>
  if (type === 'tool-result') {
    const { type: how, parts } = output as { type: string; parts?: readonly object[] }
    return `result(${how === 'parts' ? (parts ?? []).map(word).join(' ') : how})`
  }
  return source === undefined ? `${String(type)} ${String(kind ?? text)}` : `${String(type)} ${String(bytes ?? from)}`
}

const missing = ({ report }: Came): readonly string[] =>
  report.skipped.map(({ reason, message }) => `${reason}: ${message}`)

describe('[imp-1] what is inside the export comes in with its message, what is only named is told of', () => {
  it('in an export of Claude', async () => {
    const came = await bring([
      {
        uuid: 'c',
        chat_messages: [
          {
            uuid: 'm',
            sender: 'human',
            text: 'see',
            content: [{ type: 'text', text: 'see' }],
            attachments: [{ file_name: 'a.txt', extracted_content: 'hello' }, { file_name: 'b.bin' }],
            files: [{ file_name: 'photo.png' }],
          },
          {
            uuid: 'n',
            sender: 'assistant',
            content: [
              { type: 'tool_use', name: 'draw', input: {} },
              {
                type: 'tool_result',
                content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }],
              },
            ],
          },
        ],
      },
    ])
    expect(came.parts).toEqual(['text see', 'text a.txt:\nhello', 'tool-call undefined', 'result(image 70)'])
    expect(missing(came)).toEqual(['attachment-missing: b.bin', 'attachment-missing: photo.png'])
  })

  it('in a transcript of Claude Code', async () => {
    const content = [
      { type: 'text', text: 'what is this' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
      { type: 'document', title: 'd.pdf', source: { type: 'base64', media_type: 'application/pdf', data: pdf } },
      { type: 'image', source: { type: 'file', file_id: 'file_011' } },
    ]
    const came = await bring([
      { type: 'user', uuid: 'u', parentUuid: null, sessionId: 's', message: { role: 'user', content } },
    ])
    expect(came.parts).toEqual(['text what is this', 'image 70', 'file 18', 'data anthropic:image'])
    expect(missing(came)).toEqual(['attachment-missing: image file_011'])
  })

  it('in chat messages of OpenAI', async () => {
    const content = [
      { type: 'text', text: 'look' },
      { type: 'image_url', image_url: { url: dataOf('image/png', png) } },
      { type: 'image_url', image_url: { url: 'https://example.com/y.png' } },
      { type: 'input_audio', input_audio: { data: pdf, format: 'wav' } },
      { type: 'file', file: { filename: 'd.pdf', file_data: dataOf('application/pdf', pdf) } },
      { type: 'file', file: { file_id: 'file-1' } },
    ]
    const came = await bring([{ messages: [{ role: 'user', content }] }])
    expect(came.parts).toEqual(['text look', 'image 70', 'image url', 'audio 18', 'file 18', 'data openai:file'])
    expect(missing(came)).toEqual(['attachment-missing: file file-1'])
  })

  it('in items of OpenAI Agents, in results of tools too', async () => {
    const call = (callId: string, output: unknown): readonly object[] => [
      { type: 'function_call', name: 'shot', callId, arguments: '{}' },
      { type: 'function_call_result', name: 'shot', callId, output },
    ]
    const content = [
      { type: 'input_text', text: 'look' },
      { type: 'input_image', image: dataOf('image/png', png) },
      { type: 'input_image', image: { id: 'file-9' } },
      { type: 'input_file', file: dataOf('application/pdf', pdf), filename: 'd.pdf' },
      { type: 'input_file', file: { url: 'https://example.com/z.pdf' } },
      { type: 'audio', audio: pdf, format: 'mp3' },
    ]
    const came = await bring([
      { type: 'message', role: 'user', content },
      ...call('a', { type: 'image', image: dataOf('image/png', png) }),
      ...call('b', { type: 'image', image: { data: png, mediaType: 'image/png' } }),
      ...call('c', [
        { type: 'input_text', text: 'see' },
        { type: 'input_file', file: { data: pdf, mediaType: 'application/pdf', filename: 'd.pdf' } },
      ]),
      ...call('d', [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ]),
      ...call('e', { type: 'image', image: { id: 'file-7' } }),
    ])
    expect(came.parts.slice(0, 6)).toEqual([
      'text look',
      'image 70',
      'data openai-responses:input_image',
      'file 18',
      'file url',
      'audio 18',
    ])
    expect(came.parts.filter((part) => part.startsWith('result'))).toEqual([
      'result(image 70)',
      'result(image 70)',
      'result(text see file 18)',
      'result(text)',
      'result(text)',
    ])
    expect(missing(came)).toEqual(['attachment-missing: input_image file-9'])
  })

  it('in UI messages of the AI SDK', async () => {
    const file = (mediaType: string, url: string): object => ({ type: 'file', mediaType, url, filename: 'name' })
    const parts = [
      { type: 'text', text: 'x' },
      file('image/png', dataOf('image/png', png)),
      file('text/plain', 'data:text/plain,hello%20there'),
      file('image/png', 'https://example.com/y.png'),
    ]
    const came = await bring([{ id: 'a', role: 'user', parts }])
    expect(came.parts).toEqual(['text x', 'image 70', 'file 11', 'image url'])
    expect(missing(came)).toEqual([])
  })

  it('in messages of LangChain', async () => {
    const content = [
      { type: 'text', text: 'x' },
      { type: 'image_url', image_url: dataOf('image/png', png) },
      { type: 'image', source_type: 'base64', data: png, mime_type: 'image/png' },
      { type: 'file', data: pdf, mimeType: 'application/pdf' },
      { type: 'image', source_type: 'id', id: 'f2' },
    ]
    const came = await bring([{ type: 'human', data: { content } }])
    expect(came.parts).toEqual(['text x', 'image 70', 'image 70', 'file 18', 'data langchain:image'])
    expect(missing(came)).toEqual(['attachment-missing: image f2'])
  })
})

describe('[imp-3] an attachment that cannot come in', () => {
  const file = (url: string): object => ({ type: 'file', mediaType: 'image/png', filename: 'p.png', url })

  it.each([
    ['that stood in a browser', 'blob:https://example.com/123'],
    ["on somebody's disk", 'photos/a.png'],
    ["on somebody's disk, as a URL", 'file:///etc/passwd'],
    ['whose bytes are none', 'data:image/png;base64,@@@'],
    ['without a byte', 'data:image/png;base64,'],
    ['without an address', ''],
  ])('%s does not keep out what was said with it', async (_, url) => {
    const came = await bring(
      [{ id: 'a', role: 'user', parts: [{ type: 'text', text: 'what is it' }, file(url)] }],
      // Reading is allowed here, and an import reads nothing all the same.
      { fileRoots: [directory] },
    )
    expect(came.parts).toEqual(['text what is it', 'data import:image'])
    expect(missing(came)).toEqual(['attachment-missing: image p.png'])
  })

  it('in the result of a tool leaves its name there', async () => {
    const record = (uuid: string, parentUuid: string | null, role: string, block: object): object => ({
      type: role,
      uuid,
      parentUuid,
      sessionId: 's',
      message: { role, content: [block] },
    })
    const content = [
      { type: 'text', text: 'here' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '@@' } },
    ]
    const came = await bring([
      record('u', null, 'assistant', { type: 'tool_use', id: 't', name: 'shot', input: {} }),
      record('v', 'u', 'user', { type: 'tool_result', tool_use_id: 't', content }),
    ])
    expect(came.parts).toEqual(['tool-call undefined', 'result(text here text [image: image/png])'])
    expect(missing(came)).toEqual(['attachment-missing: image image/png'])
  })

  it('of two that are too large together, costs the larger one', async () => {
    const large = dataOf('image/png', Buffer.alloc(60_000, 1).toString('base64'))
    const small = dataOf('image/png', Buffer.alloc(30_000, 2).toString('base64'))
    const came = await bring(
      [{ id: 'a', role: 'user', parts: [{ type: 'text', text: 'both' }, file(large), file(small)] }],
      { messageBytesMax: 65_536 },
    )
    expect(came.parts).toEqual(['text both', 'data import:image', 'image 30000'])
    expect(missing(came)).toEqual(['too-large: image p.png'])
  })

  it('does not save a message that is too large without it', async () => {
    const parts = [{ type: 'text', text: 'a'.repeat(70_000) }, file(dataOf('image/png', png))]
    const came = await bring([{ id: 'a', role: 'user', parts }], { messageBytesMax: 65_536 })
    expect(came.parts).toEqual([])
    expect(came.report.skippedCount).toEqual({ 'too-large': 1 })
  })
})
