import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'

const directory = mkdtempSync(join(tmpdir(), 'daybook-import-limits-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const GIB = 1024 ** 3
/** Twice the largest record that is held, and what a test runner needs meanwhile. */
const HELD_MAX = 400 * 1024 * 1024

const line = (id: string): string => `${JSON.stringify({ id, role: 'user', parts: [{ type: 'text', text: id }] })}\n`

it('[imp-3] a line of 1 GB is let go: what is before and after it comes in, in bounded memory', async () => {
  const path = join(directory, 'chat.jsonl')
  const file = openSync(path, 'w')
  const start = `${line('before')}{"id":"long","role":"user","parts":[{"type":"text","text":"`
  writeSync(file, start)
  // A hole: the disk holds nothing of it.
  ftruncateSync(file, start.length + GIB)
  writeSync(file, `"}]}\n${line('after')}`, start.length + GIB)
  closeSync(file)

  await using memory = await openMemory(':memory:', { learn: false })
  const before = process.memoryUsage().rss
  let most = 0
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss - before)), 5)
  const report = await memory.scope('a').import(path)
  clearInterval(timer)
  expect(report.skipped).toMatchObject([{ place: { line: 2 }, reason: 'too-large' }])
  expect((await memory.scope('a').session('chat').history()).map(({ id }) => id)).toEqual(['before', 'after'])
  expect(most).toBeLessThan(HELD_MAX)
})

it('[imp-3] a file of NUL bytes, as a crash leaves it, is told of once', async () => {
  const path = join(directory, 'nul.jsonl')
  const file = openSync(path, 'w')
  writeSync(file, line('before'))
  ftruncateSync(file, 64 * 1024 * 1024)
  closeSync(file)
  await using memory = await openMemory(':memory:', { learn: false })
  const report = await memory.scope('a').import(path)
  expect(report.messages.new).toBe(1)
  expect(report.skipped).toMatchObject([{ place: { line: 2 }, reason: 'nul-bytes' }])
})
