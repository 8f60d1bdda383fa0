import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
import { connectMemory } from '../../src/client/connect-memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { serve } from '../../src/server/serve.ts'
import { folder } from '../cli/harness.ts'
import { freshDatabase } from '../postgres/database.ts'
import { ownContexts, words } from '../property/own-contexts.ts'
import { times } from '../tier.ts'

const place = folder()
const options = { tokenizer: words, learn: false } as const

interface Opened extends AsyncDisposable {
  /** Two handles of one memory. */
  readonly both: readonly [Memory, Memory]
}

async function inSQLite(): Promise<Opened> {
  const file = join(place, 'own.db')
  return opened([await openMemory(file, options), await openMemory(file, options)])
}

async function inPostgres(): Promise<Opened> {
  const database = await freshDatabase()
  const open = (): Promise<Memory> => openMemory(database.url, { ...options, postgres: database.postgres })
  return opened([await open(), await open()], () => database[Symbol.asyncDispose]())
}

/** Each with a key of its own. */
async function throughClient(): Promise<Opened> {
  const memory = await openMemory(':memory:', options)
  const server = await serve(memory, { port: 0 })
  const connect = async (): Promise<Memory> => {
    const { token } = await memory.keys.create({ scope: null, can: ['admin'] })
    return connectMemory(server.url, { key: token })
  }
  return opened([await connect(), await connect()], async () => {
    await server.close()
    await memory.close()
  })
}

function opened(both: Opened['both'], after: () => PromiseLike<void> = async () => undefined): Opened {
  return {
    both,
    [Symbol.asyncDispose]: async () => {
      for (const memory of both) await memory.close()
      await after()
    },
  }
}

const openings: readonly (readonly [where: string, open: () => Promise<Opened>, cases: number])[] = [
  ['in SQLite', inSQLite, times({ daily: 1_400, nightly: 10_000 })],
  ['in PostgreSQL', inPostgres, times({ daily: 200, nightly: 10_000 })],
  ['through the client', throughClient, times({ daily: 200, nightly: 10_000 })],
]

it.each(openings)(
  '[contexts-5] one call changes nothing for another %s',
  async (_, open, cases) => {
    await using subject = await open()
    expect(await ownContexts(subject.both, cases)).toBeGreaterThanOrEqual(cases)
  },
  times({ daily: 20, nightly: 240 }) * 60_000,
)
