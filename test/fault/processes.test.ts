import { existsSync, statSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

import Database from 'better-sqlite3'
import { beforeAll, describe, expect, it } from 'vitest'

import { openMemory } from '../../src/memory/open-memory.ts'
import { times } from '../tier.ts'
import type { CrowdReport } from './children/crowd-member.ts'
import { Child, warm } from './harness/child.ts'
import { figures } from './harness/figures.ts'
import { Folder } from './harness/folder.ts'
import { Ledger } from './harness/ledger.ts'
import { seeded } from './harness/seeded.ts'

const MEMBER = new URL('children/crowd-member.ts', import.meta.url)
const PROCESSES = 6
const lastsMs = times({ daily: 10_000, nightly: 60_000 })

async function crowd(file: string, seed: number): Promise<readonly CrowdReport[]> {
  const members = Array.from({ length: PROCESSES }, (_, index) => new Child(MEMBER, [file, `member-${index}`]))
  const reports = await Promise.all(members.map((member, index) => member.run({ seed: seed + index, lastsMs })))
  return reports.map((lines) => lines.at(-1) as CrowdReport)
}

/** Holds the database as it is at one moment, as a long report would; nobody may wait for it. Answers how large the WAL got. */
async function stuckReader(file: string): Promise<number> {
  await setTimeout(lastsMs * 0.2)
  while (!isMade(file)) await setTimeout(lastsMs * 0.02)
  const database = new Database(file, { readonly: true })
  database.exec('BEGIN')
  database.prepare('SELECT count(*) FROM messages').get()
  await setTimeout(lastsMs * 0.4)
  const bytes = statSync(`${file}-wal`).size
  database.close()
  return bytes
}

/** On a busy machine all six may still be starting. */
function isMade(file: string): boolean {
  if (!existsSync(file)) return false
  const database = new Database(file, { readonly: true })
  try {
    return database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'messages'`).get() !== undefined
  } finally {
    database.close()
  }
}

describe('six processes on one file', () => {
  beforeAll(() => warm(MEMBER))

  it('[show-4] [log-5] see no error and leave one gapless order', { timeout: lastsMs * 3 + 60_000 }, async () => {
    using folder = new Folder()
    const file = folder.file('log.db')
    const [reports, walBytes] = await Promise.all([crowd(file, seeded().seed), stuckReader(file)])

    const ledger = new Ledger()
    for (const ack of reports.flatMap((report) => report.acks))
      ledger.add({ kind: 'message', revisedSha: ack.sha, ...ack })
    await using memory = await openMemory(file)
    const { lost, wrong, messages } = await ledger.check(memory, 'acme/ada')
    const appended = reports.map((report) => report.acks.length)
    figures('six processes', {
      operations: reports.flatMap((report) => Object.values(report.operations)).reduce((sum, count) => sum + count, 0),
      messages,
      errors: reports.flatMap((report) => report.errors).length,
      'max wait ms': Math.max(...reports.map((report) => report.waitMsMax)),
      'appends of the slowest / fastest': Math.min(...appended) / Math.max(...appended),
      'WAL MiB behind a stuck reader': walBytes / 2 ** 20,
    })
    expect(reports.flatMap((report) => [...report.errors, ...report.disorder])).toEqual([])
    expect({ lost, wrong }).toEqual({ lost: [], wrong: [] })
    expect(messages).toBe(appended.reduce((sum, count) => sum + count, 0))
    expect(Math.min(...appended)).toBeGreaterThan(0)
    // Each followed the shared session to a point near its end: what it appended itself at least.
    for (const report of reports) expect(report.watched).toBeGreaterThan(0)
  })

  it('[show-4] does not mind that a process has two handles, and that others come and go', async () => {
    using folder = new Folder()
    const file = folder.file('log.db')
    await using first = await openMemory(file)
    await using second = await openMemory(file)
    const random = seeded()
    for (let round = 0; round < 4; round++) {
      await first
        .scope('acme/ada')
        .session('shared')
        .append({ role: 'user', content: `first ${round}` })
      // Closing a file drops the locks of all its handles in a process: a visitor must not believe that it is alone.
      const visit = new Child(MEMBER, [file, `visitor-${round}`]).run({ seed: random.seed + round, lastsMs: 50 })
      await visit
      await second
        .scope('acme/ada')
        .session('shared')
        .append({ role: 'user', content: `second ${round}` })
    }
    const history = await first.scope('acme/ada').session('shared').history()
    expect(history.map((message) => message.seq)).toEqual(history.map((_, index) => index + 1))
    expect(
      history.filter((message) =>
        /^(first|second) \d$/.test(JSON.stringify(message.parts).replace(/^.*"text":"|"\}\]$/g, '')),
      ),
    ).toHaveLength(8)
    expect(await second.verify()).toMatchObject({ ok: true })
  })
})
