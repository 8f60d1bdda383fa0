import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { diagnoseFile, repairFile } from '../../src/doctor/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'daybook-doctor-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const line = (text: string): string => `${JSON.stringify({ role: 'user', content: text })}\n`

describe('[doc-2] files', () => {
  it('with a line beyond the limit are read without it', async () => {
    const path = file('long.jsonl', line('a') + line('b'.repeat(5_000)) + line('c'))
    const { diagnosis, file: copy = '' } = await repairFile(path, { lineBytesMax: 1_000 })
    expect(diagnosis.findings).toMatchObject([{ rule: 'oversize', place: { line: 2 }, severity: 'error' }])
    expect(readFileSync(copy, 'utf8')).toBe(line('a') + line('c'))
    expect(statSync(copy).mode & 0o077).toBe(0)
    await expect(diagnoseFile(path, { fileBytesMax: 1_000 })).rejects.toMatchObject({ code: 'input/too-large' })
  })

  it('that are not UTF-8 are read as far as they are', async () => {
    const bytes = Buffer.concat([
      Buffer.from(line('a')),
      Buffer.from('{"role":"user","content":"caf\xE9"}\n', 'latin1'),
    ])
    const { diagnosis, file: copy = '' } = await repairFile(file('latin.jsonl', bytes))
    expect(diagnosis.findings).toMatchObject([{ rule: 'encoding', place: { line: 2 } }])
    expect((await diagnoseFile(copy)).findings).toEqual([])
  })

  it('with a byte order mark, Windows line ends or indentation keep what they are', async () => {
    const document = JSON.stringify(
      [
        { role: 'user', content: 'a' },
        { role: 'user', content: 'a' },
      ],
      undefined,
      2,
    )
    const { file: copy = '' } = await repairFile(file('indented.json', `\uFEFF${document}\n`))
    expect(readFileSync(copy, 'utf8')).toBe(`${JSON.stringify([{ role: 'user', content: 'a' }], undefined, 2)}\n`)
    expect((await diagnoseFile(file('crlf.jsonl', (line('a') + line('b')).replaceAll('\n', '\r\n')))).findings).toEqual(
      [],
    )
  })

  it('that are nested beyond all measure are named, not followed', async () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000)
    expect(await diagnoseFile(file('deep.json', deep))).toMatchObject({ kind: 'unknown', ok: false })
    const lines = `${line('a')}{"role":"user","content":${deep}}\n${line('b')}`
    expect((await diagnoseFile(file('deep.jsonl', lines))).findings).toMatchObject([
      { rule: 'oversize', place: { line: 2 } },
    ])
  })

  it.each([
    ['one record', '{"type":"entity","name":"Ada","entityType":"person","observations":["likes tea"]}\n', 'mcp-memory'],
    ['memories in a list', '[{"id":"1","memory":"Likes tea"}]', 'mem0'],
    ['a request body', '{"model":"claude-x","max_tokens":9,"messages":[{"role":"user","content":"a"}]}', 'transcript'],
    ['one message', '{"role":"user","content":"a"}', 'transcript'],
    ['another log', '{"level":"info","at":1}\n{"level":"info","at":2}\n', 'records'],
    ['a list of numbers', '[1,2,3]', 'unknown'],
    ['nothing', '', 'unknown'],
  ])('[doc-1] recognises %s', async (name, content, kind) => {
    expect(await diagnoseFile(file(`${name}.json`, content))).toMatchObject({ kind })
  })

  it.each(['user_id', 'userId'])('[doc-1] the same memory of two users is no duplicate, with %s', async (name) => {
    const of = (id: string, user: string): object => ({ id, memory: 'Likes tea', [name]: user })
    const path = file(`two-${name}.json`, JSON.stringify({ results: [of('1', 'ada'), of('2', 'bob')] }))
    expect((await diagnoseFile(path)).findings).toEqual([])
  })
})
