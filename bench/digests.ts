import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Session } from '../src/api/session.ts'
import { digestMessage, link } from '../src/log/chain.ts'
import { openMemory } from '../src/memory/open-memory.ts'
import type { MessageRow } from '../src/ports/log-store.ts'
import { digestOfRow } from '../src/stores/sql/row-digests.ts'
import { type Figure, median } from './measure.ts'

const ROUNDS = 5
const APPENDS = 10_000
const CALLERS = 64
const TEXT = 'My order 7731 is late, again, and nobody answers the telephone. '.repeat(5)

/** [walls-224] What digests cost an append, and how fast `verify` checks them. */
export async function digestsBenchmark(directory: string): Promise<readonly Figure[]> {
  const file = join(directory, 'digests.db')
  const shares: number[] = []
  const times = { append: [] as number[], digest: [] as number[] }
  await using memory = await openMemory(file, { learn: false })
  for (let round = 0; round < ROUNDS; round++) {
    const append = await perItem(() => appendAll(memory.scope('bench/ada').session(`s${round}`)))
    const rows = rowsOf(file)
    const digest = await perItem(() => digestAll(rows))
    times.append.push(append)
    times.digest.push(digest)
    shares.push(digest / append)
  }
  await memory.settled()
  const started = performance.now()
  const { ok, messages } = await memory.verify({ index: false })
  const rate = (messages * 1_000) / (performance.now() - started)
  if (!ok) throw new Error('a memory that nobody changed is not sound')
  const shown = (values: readonly number[]): string => `${median(values).toFixed(1)} µs`
  return [
    {
      requirement: '[walls-224]',
      what: `digests and hash chain of an append with an operation id, share of a durable append by ${CALLERS} callers`,
      value: 100 * median(shares),
      unit: ' %',
      goal: { atMost: 25 },
      note: `${shown(times.digest)} of ${shown(times.append)}`,
    },
    {
      requirement: '[walls-224]',
      what: `messages that verify checks in a second`,
      value: rate,
      unit: '/s',
      goal: { atLeast: 100_000 },
      note: `${messages} messages of ${TEXT.length} characters`,
    },
  ]
}

/** Microseconds for each of the appends. */
async function perItem(work: () => Promise<void> | void): Promise<number> {
  const started = performance.now()
  await work()
  return ((performance.now() - started) * 1_000) / APPENDS
}

async function appendAll(chat: Session): Promise<void> {
  let next = 0
  const caller = async (): Promise<void> => {
    for (let nth = next++; nth < APPENDS; nth = next++)
      await chat.append({ role: 'user', content: TEXT }, { operationId: `operation ${nth}` })
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
}

function rowsOf(file: string): readonly MessageRow[] {
  const database = new Database(file, { readonly: true })
  try {
    const sql = `SELECT seq, version, id, role, at, recorded_at AS recordedAt, tokens, counter, salt, body FROM messages ORDER BY session DESC, seq LIMIT ${APPENDS}`
    return database.prepare(sql).all() as readonly MessageRow[]
  } finally {
    database.close()
  }
}

/** Exactly what an append computes: the digest of the message, the link of the chain, and the digest of the operation's row. */
function digestAll(rows: readonly MessageRow[]): void {
  let chain: Uint8Array = new Uint8Array(32)
  for (const row of rows) {
    const digest = digestMessage(row)
    chain = link(chain, digest)
    digestOfRow('operations', [1, `operation ${row.seq}`, digest, `[${row.seq}]`])
  }
}
