import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { connectMemory } from '../../src/client/connect-memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { serve } from '../../src/server/serve.ts'
import { tellReport, tellScope } from '../archive/tell.ts'
import type { ImportReport } from '../../src/api/imports.ts'
import { plain } from '../../src/cli/look.ts'
import { importReport } from '../../src/cli/render/import-report.ts'
import { daybook, folder } from './harness.ts'

const fixtures = join(import.meta.dirname, '../fixtures/imports')
const place = folder()

it('[imp-1] the command says what would come in, brings it in, and says that it is there', async () => {
  const at = ['--memory', join(place, 'a.db'), '--scope', 'acme/ada']
  const path = join(fixtures, 'claude-code/session.jsonl')
  const dry = await daybook(['import', '--create', ...at, path, '--dry-run'])
  expect(dry).toMatchObject({ status: 0, stderr: '' })
  expect(dry.stdout).toContain('Would import 14 messages in 3 conversations (1 branch)')
  expect(dry.stdout).toContain('Not imported: 1 duplicate-id')
  expect(existsSync(join(place, 'a.db'))).toBe(false)

  const done = JSON.parse((await daybook(['import', '--create', ...at, path, '--json'])).stdout) as object
  expect(done).toMatchObject({ scope: 'acme/ada', dryRun: false, messages: { new: 14 }, branchCount: 1 })
  const again = await daybook(['import', ...at, path])
  expect(again.stdout).toContain('Nothing new to import')
  expect(again.stdout).toContain('Already stored: 14 messages')
  expect((await daybook(['show', ...at, 'cc-1~u3'])).stdout).toContain('No, change b.')
})

it('[imp-1] takes a format when it is told one, and refuses one that nobody knows', async () => {
  const at = ['--create', '--memory', join(place, 'b.db'), '--scope', 'acme/ada']
  const path = join(fixtures, 'mcp-memory/memory.jsonl')
  const forced = JSON.parse((await daybook(['import', ...at, path, '--format', 'mem0', '--json'])).stdout) as object
  expect(forced).toMatchObject({ facts: { new: 0 }, skippedCount: { 'wrong-type': 8 } })
  expect((await daybook(['import', ...at, path, '--format', 'word'])).status).toBe(2)
  expect((await daybook(['import', ...at, join(place, 'nothing')])).status).toBe(3)
})

it('[imp-1] through a server it is the same, file by file', async () => {
  await using memory = await openMemory(':memory:', { learn: false })
  const { token } = await memory.keys.create({ scope: 'b', can: ['read', 'write', 'instruct'] })
  const server = await serve(memory, { port: 0 })
  const client = connectMemory(server.url, { key: token })
  const here = await memory.scope('a').import(fixtures)
  const there = await client.scope('b').import(fixtures)
  expect(tellReport(there)).toBe(tellReport(here))
  expect(await tellScope(memory, 'b')).toBe(await tellScope(memory, 'a'))
  expect((await memory.verify()).ok).toBe(true)
  await expect(client.scope('a').import(join(fixtures, 'mem0'))).rejects.toMatchObject({ code: 'access/not-found' })
  await client.close()
  await server.close()
})

it('[imp-1] reads a dump whose shape its owner chose by the mapping in a file', async () => {
  const at = ['--create', '--memory', join(place, 'c.db'), '--scope', 'acme/ada']
  const dump = join(place, 'dump.json')
  writeFileSync(dump, JSON.stringify({ name: 'Ada', skills: ['Rust', 'SQL'] }))
  const mapping = join(place, 'mapping.json')
  const skills = { each: '/skills', subject: { inRecord: '/name' }, predicate: 'knows', object: { at: '' } }
  writeFileSync(mapping, JSON.stringify({ facts: [skills] }))
  expect((await daybook(['import', ...at, dump, '--mapping', mapping, '--dry-run'])).stdout).toContain('import 2 facts')
  expect((await daybook(['import', ...at, dump, '--mapping', mapping])).status).toBe(0)
  expect((await daybook(['import', ...at, dump, '--mapping', mapping])).stdout).toContain('Already stored: 2 facts')
  // What cannot be meant is said before anything is read.
  writeFileSync(mapping, JSON.stringify({ facts: [{ txt: 'x' }] }))
  expect(await daybook(['import', ...at, dump, '--mapping', mapping])).toMatchObject({ status: 2, stdout: '' })
  writeFileSync(mapping, 'no JSON')
  expect(await daybook(['import', ...at, dump, '--mapping', mapping])).toMatchObject({ status: 2, stdout: '' })
  expect((await daybook(['import', ...at, dump, '--mapping', join(place, 'none.json')])).status).toBe(3)
})

it('[words-15] two thousand conversations end with a summary of ten lines', () => {
  const sessions = Array.from({ length: 200 }, (_, index) => ({ session: `chat-${index}`, messages: 3 }))
  const skipped = Array.from({ length: 200 }, (_, index) => ({
    place: { file: 'conversations.json', item: index },
    reason: 'hidden' as const,
    message: 'nothing was said',
  }))
  const files = Array.from({ length: 9 }, (_, index) => ({
    file: `${index}.json`,
    format: 'chatgpt' as const,
    records: 1,
  }))
  const report: ImportReport = {
    dryRun: false,
    files,
    fileCount: 9,
    conversations: 2_000,
    sessions,
    sessionCount: 2_000,
    branchCount: 1,
    messages: { new: 6_000, present: 10, changed: 2 },
    facts: { new: 5, present: 1 },
    skipped,
    skippedCount: { hidden: 500 },
  }
  const text = importReport(report, plain)
  expect(text.split('\n').length).toBeLessThanOrEqual(10)
  expect(text).toMatch(/^Imported 6,000 messages in 2,000 conversations \(1 branch\) and 5 facts\n/)
  expect(text).toContain('Not imported: 500 hidden')
})

it('[words-27] a summary has no zeros that say nothing, and names the conversations that it has room for', () => {
  const sessions = ['a', 'b', 'c'].map((session) => ({ session, messages: 1 }))
  const report: ImportReport = {
    dryRun: false,
    files: [{ file: 'x.json', format: 'chatgpt', records: 3 }],
    fileCount: 1,
    conversations: 3,
    sessions,
    sessionCount: 3,
    branchCount: 0,
    messages: { new: 3, present: 0, changed: 0 },
    facts: { new: 0, present: 0 },
    skipped: [],
    skippedCount: {},
  }
  const none = { new: 0, present: 0, changed: 0 }
  expect(importReport(report, plain)).toBe(
    'Imported 3 messages in 3 conversations\n  from x.json (chatgpt, 3 records)\n  a  1 message\n  b  1 message\n  c  1 message',
  )
  const again = { ...report, sessions: [], sessionCount: 0, messages: { ...none, present: 3 } }
  expect(importReport(again, plain)).toMatch(/^Nothing new to import\nAlready stored: 3 messages\n/)
  const facts = { ...report, sessions: [], sessionCount: 0, messages: none, facts: { new: 2, present: 0 } }
  expect(importReport(facts, plain)).toMatch(/^Imported 2 facts\n/)
})
