import { writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

import type { Database } from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { VerifyReport } from '../../src/api/upkeep.ts'
import { MemoryError } from '../../src/domain/error.ts'
import type { Message } from '../../src/domain/message.ts'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { times } from '../tier.ts'
import { Child } from './harness/child.ts'
import { figures } from './harness/figures.ts'
import { memoryFolder } from './harness/folder.ts'
import type { Random } from './harness/random.ts'
import { seeded } from './harness/seeded.ts'
import { SCOPE, type Specimen, makeSpecimen, tamper } from './harness/specimen.ts'

const VERIFIER = new URL('children/verifier.ts', import.meta.url)

/** Columns that hold content, or say what content belongs where. Token counts are a cache, and can be counted again. */
const columns: Readonly<Record<string, readonly string[]>> = {
  messages: ['body', 'id', 'role', 'at', 'recorded_at', 'salt', 'digest', 'chain', 'version', 'seq'],
  amendments: ['body', 'kind', 'seq', 'recorded_at', 'salt', 'digest', 'chain', 'version'],
  blobs: ['bytes', 'hash'],
  sessions: [
    'scope',
    'name',
    'description',
    'created_at',
    'updated_at',
    'last_seq',
    'version',
    'genesis',
    'head',
    'parent_seq',
    'parent_version',
    'parent_link',
  ],
}
const places = Object.entries(columns).flatMap(([table, names]) =>
  names.map((column) => ({ table, column, place: `${table}.${column}` })),
)
const timeout = times({ daily: 8, nightly: 60 }) * 60_000

/** What was done to a file, and where. */
interface Damage {
  readonly what: string
  readonly session?: string
  readonly seq?: number
  /**
   * Also compare every message that is read with what was written. A row that is gone, or a session that is wrong about
   * itself, only shows in the chain: that is what `verify` is for.
   */
  readonly compare: boolean
}

describe('bit rot', () => {
  const folder = memoryFolder()
  let turn = 0
  let file = ''
  let specimen: Specimen

  beforeAll(async () => {
    specimen = await makeSpecimen(folder, times({ daily: 240, nightly: 600 }))
  })
  afterAll(() => folder[Symbol.dispose]())

  it('[log-8] is not seen where there is none', async () => {
    damageFile(() => undefined)
    expect(await consequences({ what: 'nothing', compare: true })).toEqual(['verify finds nothing'])
  })

  it.each(places)(
    '[log-8] one bit of $place is found, named, and never read as good',
    { timeout },
    async ({ table, column }) => {
      const random = seeded()
      const flips = times({ daily: 10, nightly: 60 })
      const faults: string[] = []
      for (let flip = 0; flip < flips; flip++) {
        const damage = flipOne(random, table, column)
        if (damage !== undefined) faults.push(...(await consequences(damage)))
      }
      expect([...new Set(faults)]).toEqual([])
    },
  )

  const crimes: readonly {
    readonly what: string
    readonly session: string
    readonly seq?: number
    readonly compare?: false
    readonly sql: readonly string[]
  }[] = [
    { what: 'a message is deleted', session: 'one', sql: [`DELETE FROM messages WHERE session = 1 AND seq = 30`] },
    {
      what: 'the first message is deleted',
      session: 'one',
      sql: [`DELETE FROM messages WHERE session = 1 AND seq = 1`],
    },
    { what: 'the tail is cut off', session: 'three', sql: [`DELETE FROM messages WHERE session = 3 AND seq > 70`] },
    {
      what: 'the tail is cut off and the session is made to agree',
      session: 'one',
      sql: [`DELETE FROM messages WHERE session = 1 AND seq > 40`, `UPDATE sessions SET last_seq = 40 WHERE key = 1`],
    },
    {
      what: 'two messages change places',
      session: 'one',
      seq: 30,
      sql: [
        `UPDATE messages SET seq = -1 WHERE session = 1 AND seq = 30`,
        `UPDATE messages SET seq = 30 WHERE session = 1 AND seq = 31`,
        `UPDATE messages SET seq = 31 WHERE session = 1 AND seq = -1`,
      ],
    },
    {
      what: 'two messages exchange their bodies',
      session: 'one',
      seq: 30,
      sql: [
        `UPDATE messages SET body = (SELECT body FROM messages o WHERE o.session = 1 AND o.seq = 61 - messages.seq) WHERE session = 1 AND seq = 30`,
      ],
    },
    {
      what: 'a message is doubled at the end',
      session: 'three',
      sql: [
        `INSERT INTO messages SELECT session, (SELECT last_seq + 1 FROM sessions WHERE key = 3), version, 'copy', role, at, recorded_at, tokens, counter, salt, digest, chain, body
          FROM messages WHERE session = 3 AND seq = 5`,
      ],
    },
    {
      what: 'a revision is deleted',
      session: 'one',
      compare: false,
      sql: [`DELETE FROM amendments WHERE session = 1 AND kind = 'revise' AND seq = 9`],
    },
    {
      what: 'a removal is deleted',
      session: 'one',
      compare: false,
      sql: [
        `DELETE FROM amendments WHERE session = 1 AND version = (SELECT max(version) FROM amendments WHERE session = 1 AND kind = 'remove')`,
      ],
    },
    {
      what: 'a clear is deleted',
      session: 'two',
      compare: false,
      sql: [`DELETE FROM amendments WHERE session = 2 AND kind LIKE 'clear%'`],
    },
    {
      what: 'an image is deleted',
      session: 'one',
      sql: [`DELETE FROM blobs WHERE instr((SELECT body FROM messages WHERE id = 'image-0'), hash) > 0`],
    },
    {
      what: 'an image of a revision is deleted',
      session: 'one',
      sql: [
        `DELETE FROM blobs WHERE instr((SELECT body FROM amendments WHERE session = 1 AND body LIKE '%drawn anew%'), hash) > 0`,
      ],
    },
    { what: 'a session is deleted and its messages are not', session: '', sql: [`DELETE FROM sessions WHERE key = 3`] },
    { what: 'the parent of a fork is deleted', session: 'branch', sql: [`DELETE FROM sessions WHERE key = 1`] },
    {
      what: 'a message of another session is put in its place',
      session: 'one',
      seq: 30,
      compare: false,
      sql: [`UPDATE OR REPLACE messages SET session = 1 WHERE session = 3 AND seq = 30`],
    },
  ]

  it.each(crimes)('[log-8] is found when $what', async ({ what, session, seq, compare = true, sql }) => {
    damageFile((database) => {
      for (const statement of sql) database.exec(statement)
    })
    expect(
      await consequences({
        what,
        compare,
        ...(session === '' ? {} : { session }),
        ...(seq === undefined ? {} : { seq }),
      }),
    ).toEqual([])
  })

  it('[log-8] is found when a fork becomes its own parent', async () => {
    damageFile((database) => database.exec(`UPDATE sessions SET parent_key = key WHERE name = 'branch'`))
    // In a process of its own: following the parents of this one never ends.
    const child = new Child(VERIFIER, [file], { env: { NODE_OPTIONS: '--max-old-space-size=128' } })
    await child.go()
    const ended = await Promise.race([child.ended, setTimeout(10_000, 'never' as const)])
    if (ended === 'never') await child.kill()
    expect({ ended, lines: child.lines }).toMatchObject({ ended: 0, lines: [{ ok: false }] })
  })

  it('[log-8] a history with a hole in it is not read as whole', async () => {
    damageFile((database) => database.exec(`DELETE FROM messages WHERE session = 1 AND seq = 30`))
    await using memory = await openMemory(file)
    const session = memory.scope(SCOPE).session('one')
    await expect(session.history()).rejects.toMatchObject({ code: 'store/corrupt' })
    await expect(session.window()).rejects.toMatchObject({ code: 'store/corrupt' })
  })

  it('[log-8] a damaged image is not given out as good', async () => {
    damageFile((database) => database.exec(`UPDATE blobs SET bytes = CAST('other' AS BLOB)`))
    await using memory = await openMemory(file)
    const session = memory.scope(SCOPE).session('one')
    const message = [...(specimen.sessions.get('one')?.values() ?? [])].filter(({ id }) => id === 'image-0')
    await expect(session.blobs(message)).rejects.toMatchObject({ code: 'store/corrupt' })
  })

  it('[log-8] one bit anywhere in the file is found, or changes nothing that is read', { timeout }, async () => {
    const random = seeded()
    const flips = times({ daily: 120, nightly: 3_000 })
    const outcomes: Record<string, number> = {}
    const faults: string[] = []
    for (let flip = 0; flip < flips; flip++) {
      const bytes = Buffer.from(specimen.bytes)
      const at = random.below(bytes.length)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
      writeFileSync(nextFile(), bytes)
      const outcome = await readEverything()
      outcomes[outcome.kind] = (outcomes[outcome.kind] ?? 0) + 1
      if (outcome.kind === 'fault') faults.push(`byte ${at}: ${outcome.fault}`)
    }
    figures('one bit anywhere', { flips, ...outcomes })
    expect(faults).toEqual([])
  })

  /** Each in its own place for a while: nothing that still lets go of the last one can touch it. */
  function nextFile(): string {
    file = folder.file(`damaged-${turn++ % 50}.db`)
    return file
  }

  function damageFile(change: (database: Database) => void): void {
    tamper(nextFile(), specimen, change)
  }

  /** Flips a bit of one column of a random row; `undefined` if that column is empty, or a constraint will not have it. */
  function flipOne(random: Random, table: string, column: string): Damage | undefined {
    let damage: Damage | undefined
    damageFile((database) => {
      const filled = `${column} IS NOT NULL AND length(CAST(${column} AS BLOB)) > 0`
      const rows = database.prepare(`SELECT ${keysOf(table)} FROM ${table} WHERE ${filled}`).all() as Readonly<
        Record<string, unknown>
      >[]
      const row = random.pick(rows)
      const where = Object.keys(row)
        .map((key) => `${key} = @${key}`)
        .join(' AND ')
      const before = database
        .prepare(
          `SELECT ${column}, typeof(${column}) AS type, CAST(${column} AS BLOB) AS bytes FROM ${table} WHERE ${where}`,
        )
        .get(row) as Cell
      const { value, expression } = flipped(random, before, column)
      try {
        database.prepare(`UPDATE ${table} SET ${column} = ${expression} WHERE ${where}`).run({ ...row, value })
      } catch {
        return
      }
      damage = {
        what: `${table}.${column}`,
        compare: table === 'messages' || (table === 'amendments' && column !== 'seq' && column !== 'version'),
        ...addressOf(database, { table, column }, row),
      }
    })
    return damage
  }

  /** Everything that should have happened and did not. */
  async function consequences(damage: Damage): Promise<readonly string[]> {
    const faults: string[] = []
    let memory: Memory
    try {
      memory = await openMemory(file)
    } catch (error) {
      return MemoryError.is(error, 'store/corrupt') ? [] : [`open throws ${String(error)}`]
    }
    try {
      faults.push(...named(damage, await memory.verify()))
    } catch (error) {
      faults.push(`verify throws ${String(error)}`)
    }
    faults.push(...(await misread(memory, damage.compare)))
    await memory.close()
    return faults
  }

  function named(damage: Damage, report: VerifyReport): readonly string[] {
    if (report.ok) return ['verify finds nothing']
    if (damage.session === undefined) return []
    const found = report.damage.filter(
      ({ session, seq }) => session === damage.session && (damage.seq === undefined || seq === damage.seq),
    )
    return found.length > 0
      ? []
      : [`verify does not name session and seq: ${JSON.stringify(report.damage.map(({ what }) => what))}`]
  }

  /** Messages that are given out as good and are not what was written. */
  async function misread(
    memory: Memory,
    compare: boolean,
    codes: RegExp = /^store\/corrupt$/,
  ): Promise<readonly string[]> {
    const faults = new Set<string>()
    for (const [name, written] of specimen.sessions) {
      const session = memory.scope(SCOPE).session(name)
      const reads: Readonly<Record<string, () => Promise<Read>>> = {
        history: () => session.history(),
        window: async () => (await session.window()).filter((entry) => 'seq' in entry),
        recent: () => session.recent(10),
        get: async () =>
          (
            await Promise.all(
              [...written.keys()].slice(0, 40).map((id) => session.get(id).then((message) => [message], only(codes))),
            )
          ).flat(),
      }
      for (const [read, run] of Object.entries(reads)) {
        const messages = await run().catch(only(codes))
        for (const message of messages) {
          if (message === null) faults.add(`${read} throws something else than an error about damage`)
          else if (message !== undefined && compare && !sameMessage(message, written.get(message.id)))
            faults.add(`${read} gives a message that was not written so`)
        }
      }
    }
    return [...faults]
  }

  async function readEverything(): Promise<
    { kind: 'refused' | 'found' | 'harmless' | 'found, but read as good' } | { kind: 'fault'; fault: string }
  > {
    let memory: Memory
    try {
      memory = await openMemory(file)
    } catch (error) {
      return MemoryError.is(error) ? { kind: 'refused' } : { kind: 'fault', fault: `open throws ${String(error)}` }
    }
    try {
      const report = await memory.verify().catch((error: unknown) => error)
      if (report instanceof Error && !MemoryError.is(report))
        return { kind: 'fault', fault: `verify throws ${String(report)}` }
      const found = report instanceof Error || !(report as VerifyReport).ok
      // A bit of the schema itself makes statements fail before they read anything.
      const faults = await misread(memory, true, /^store\//)
      const raw = faults.filter((fault) => fault.includes('throws'))
      if (raw.length > 0 || (faults.length > 0 && !found)) return { kind: 'fault', fault: faults.join(', ') }
      if (faults.length > 0) return { kind: 'found, but read as good' }
      return { kind: found ? 'found' : 'harmless' }
    } finally {
      await memory.close()
    }
  }
})

interface Cell {
  readonly type: 'text' | 'blob' | 'integer'
  readonly bytes: Buffer
  readonly [column: string]: unknown
}

function flipped(random: Random, cell: Cell, column: string): { readonly value: unknown; readonly expression: string } {
  if (cell.type === 'integer')
    return { value: BigInt(Number(cell[column])) ^ (1n << BigInt(random.below(12))), expression: '@value' }
  const bytes = Buffer.from(cell.bytes)
  const at = random.below(bytes.length)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
  return { value: bytes, expression: cell.type === 'text' ? 'CAST(@value AS TEXT)' : '@value' }
}

function keysOf(table: string): string {
  return (
    { messages: 'session, seq', amendments: 'session, version', blobs: 'scope, hash', sessions: 'key' }[table] ?? ''
  )
}

/** Session and sequence number that `verify` should name. A session whose own row is damaged is found somehow. */
function addressOf(
  database: Database,
  { table, column }: { readonly table: string; readonly column: string },
  row: Readonly<Record<string, unknown>>,
): Omit<Damage, 'what' | 'compare'> {
  if (table === 'sessions' || table === 'blobs') return {}
  const session = String(database.prepare('SELECT name FROM sessions WHERE key = ?').pluck().get(row['session']))
  // A message that moved is missed by its neighbours, wherever they are.
  if (table === 'messages')
    return { session, ...(typeof row['seq'] === 'number' && column !== 'seq' ? { seq: row['seq'] } : {}) }
  const seq = database
    .prepare('SELECT seq FROM amendments WHERE session = @session AND version = @version')
    .pluck()
    .get(row)
  return { session, ...(typeof seq === 'number' ? { seq } : {}) }
}

/** `undefined`: not there. `null`: it failed, and not with an error of ours about damage. */
type Read = readonly (Message | undefined | null)[]

function only(codes: RegExp): (error: unknown) => Read {
  return (error) => (MemoryError.is(error) && codes.test(error.code) ? [] : [null])
}

function sameMessage(message: Message, written: Message | undefined): boolean {
  return written !== undefined && JSON.stringify(message) === JSON.stringify(written)
}
