import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

import Database from 'better-sqlite3'
import { beforeAll, describe, expect, it } from 'vitest'

import { openMemory } from '../../src/memory/open-memory.ts'
import { migrations } from '../../src/stores/sql/migrations/index.ts'
import { times } from '../tier.ts'
import type { Visit } from './children/visitor.ts'
import { dump, schemaOf } from './golden/dump.ts'
import { fillGolden, readGolden } from './golden/golden-log.ts'
import { Child, warm } from './harness/child.ts'
import { figures } from './harness/figures.ts'
import { Folder } from './harness/folder.ts'
import { seeded } from './harness/seeded.ts'

const VISITOR = new URL('children/visitor.ts', import.meta.url)
const GOLDEN = new URL('golden/', import.meta.url)
const timeout = times({ daily: 8, nightly: 60 }) * 60_000

describe('creating a file', () => {
  beforeAll(() => warm(VISITOR))

  it('[log-9] succeeds for every process when many create the same file at once', { timeout }, async () => {
    const rounds = times({ daily: 8, nightly: 200 })
    const visits: Visit[] = []
    for (let round = 0; round < rounds; round++) {
      using folder = new Folder()
      const children = Array.from({ length: 6 }, () => new Child(VISITOR, [folder.file('log.db')]))
      // All are loaded before the first begins: they meet in the same few milliseconds.
      await Promise.all(children.map((child) => child.ready))
      const lines = await Promise.all(children.map((child) => child.run()))
      visits.push(...lines.map(([visit]) => visit as Visit))
      expect(visits.filter(({ opened, appended, read }) => `${opened} ${appended} ${read}` !== 'ok ok ok')).toEqual([])
      await using memory = await openMemory(folder.file('log.db'))
      expect(await memory.verify()).toMatchObject({ ok: true, sessions: 1, messages: 6 })
    }
    figures('creating one file at once', { rounds, processes: visits.length })
  })

  it('[log-9] can be killed at any moment: what is left opens and is sound', { timeout }, async () => {
    const random = seeded()
    const rounds = times({ daily: 25, nightly: 2_000 })
    let acknowledged = 0
    let begun = 0
    for (let round = 0; round < rounds; round++) {
      using folder = new Folder()
      const children = Array.from({ length: 2 }, () => new Child(VISITOR, [folder.file('log.db')]))
      await Promise.all(children.map((child) => child.go()))
      // Loading takes longer than creating the file: half of them are killed after the file has appeared.
      while (round % 2 === 1 && readdirSync(folder.path).length === 0) await setTimeout(1)
      await setTimeout(random.next() * 30)
      await Promise.all(children.map((child) => child.kill()))
      begun += readdirSync(folder.path).length > 0 ? 1 : 0
      const stored = children.filter((child) => (child.lines[0] as Visit | undefined)?.appended === 'ok').length
      await using memory = await openMemory(folder.file('log.db'))
      const report = await memory.verify()
      expect(report).toMatchObject({ ok: true })
      expect(report.messages).toBeGreaterThanOrEqual(stored)
      acknowledged += stored
    }
    figures('killed while creating', { rounds, 'with a file begun': begun, acknowledged })
    expect(begun).toBeGreaterThan(0)
  })
})

/** Those in between were never in a version of their own. */
const USED = [1, 6, 8, 9, 10, 11, 12, 13, 14, 15]
const clock = { now: () => Date.UTC(2026, 0, 1) }

describe('golden files', () => {
  const files = readdirSync(GOLDEN).filter((name) => name.endsWith('.sql'))

  it.each(files)('[log-9] %s opens, verifies and reads as it did when it was written', async (name) => {
    using folder = new Folder()
    restore(folder.file('log.db'), name)
    await using memory = await openMemory(folder.file('log.db'))
    expect(await memory.verify()).toMatchObject({ ok: true, sessions: 2, messages: 8 })
    expect(await readGolden(memory)).toMatchInlineSnapshot(`
      {
        "blobs": [
          "pixels",
        ],
        "branch": [
          {
            "id": "019b76da-a800-729c-a72c-91b3e3923a23",
            "removed": undefined,
            "seq": 1,
          },
          {
            "id": "question",
            "removed": true,
            "seq": 2,
          },
          {
            "id": "call",
            "removed": true,
            "seq": 3,
          },
          {
            "id": "branched",
            "removed": true,
            "seq": 4,
          },
          {
            "id": "last",
            "removed": undefined,
            "seq": 5,
          },
        ],
        "first": [
          {
            "text": "Rain.",
            "type": "text",
          },
        ],
        "history": [
          {
            "at": "2026-01-01T00:00:00.000Z",
            "id": "019b76da-a800-729c-a72c-91b3e3923a23",
            "removed": undefined,
            "revision": 0,
            "role": "system",
            "seq": 1,
          },
          {
            "at": "2026-01-01T00:00:00.000Z",
            "id": "question",
            "removed": undefined,
            "revision": 0,
            "role": "user",
            "seq": 2,
          },
          {
            "at": "2026-01-01T00:00:00.000Z",
            "id": "call",
            "removed": undefined,
            "revision": 0,
            "role": "assistant",
            "seq": 3,
          },
          {
            "at": "2026-01-01T00:00:00.000Z",
            "id": "result",
            "removed": undefined,
            "revision": 0,
            "role": "tool",
            "seq": 4,
          },
          {
            "at": "2026-01-01T00:00:00.000Z",
            "id": "answer",
            "removed": undefined,
            "revision": 1,
            "role": "assistant",
            "seq": 5,
          },
          {
            "at": "2026-01-01T00:00:00.000Z",
            "id": "image",
            "removed": true,
            "revision": 0,
            "role": "user",
            "seq": 6,
          },
        ],
        "metadata": {
          "important": true,
        },
        "texts": [
          "You are terse.",
          "What is the weather in Malmö? 🌦",
          "tool-call",
          "tool-result",
          "Rain, all day.",
          "And this?|image",
        ],
        "window": [
          "019b76da-a800-729c-a72c-91b3e3923a23",
          "last",
        ],
      }
    `)
    expect(await memory.scope('acme/ada').session('golden').append({ role: 'user', content: 'and on' })).toMatchObject([
      { seq: 7 },
    ])
  })

  it('[log-9] [surface-91] changes of what is known that were stored without numbers get them', async () => {
    using folder = new Folder()
    restore(folder.file('log.db'), 'schema-14.sql')
    const old = new Database(folder.file('log.db'))
    const insert = old.prepare(`INSERT INTO knowledge_versions (root, version, scope, at) VALUES ('acme', ?, ?, ?)`)
    for (const [index, scope] of ['acme', 'acme/ada', 'acme/bob', 'acme/ada', 'acme'].entries())
      insert.run(index + 1, scope, index)
    old.close()
    await using memory = await openMemory(folder.file('log.db'))
    const counted = ['acme', 'acme/ada', 'acme/bob'].map((scope) => memory.scope(scope).knowledgeVersion())
    expect(await Promise.all(counted)).toEqual([2, 4, 3])
    expect(await memory.verify()).toMatchObject({ ok: true })
  })

  it('[log-9] there is one of every schema that came to a user', () => {
    const found = files.map((name) => Number(/\d+/.exec(name)?.[0])).toSorted((a, b) => a - b)
    expect(found).toEqual(USED)
    expect(found.at(-1)).toBe(migrations.length)
  })

  // A new schema comes with its golden file: DAYBOOK_GOLDEN=write makes it from the first one, by migrating it.
  it('[log-9] the newest schema is still the one that was released', async () => {
    using folder = new Folder()
    const golden = new URL(`schema-${migrations.length}.sql`, GOLDEN)
    if (process.env['DAYBOOK_GOLDEN'] === 'write') {
      restore(folder.file('old.db'), 'schema-1.sql')
      await (await openMemory(folder.file('old.db'), { learn: false, clock })).close()
      writeFileSync(golden, dump(folder.file('old.db')))
    }
    const file = folder.file('log.db')
    const memory = await openMemory(file, { learn: false, clock })
    await fillGolden(memory)
    await memory.close()
    expect(schemaOf(dump(file))).toBe(schemaOf(readFileSync(golden, 'utf8')))
  })

  function restore(file: string, name: string): void {
    const database = new Database(file)
    database.exec(readFileSync(new URL(name, GOLDEN), 'utf8'))
    database.close()
  }
})
