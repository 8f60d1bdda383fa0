import { MemoryError } from '../../domain/error.ts'
import type { StaleReads } from '../../ports/store.ts'
import type { Database } from '../sql/database.ts'
import { knowledgeStore } from '../sql/knowledge-store.ts'
import { logReader } from '../sql/log-reader.ts'
import { recallStore } from '../sql/recall-store.ts'
import { PostgresDatabase } from './database.ts'
import { BatchedReads, type PendingReadsStorage } from './batched-reads.ts'
import type { Pool } from './pool.ts'
import { Transactions } from './transactions.ts'

export interface Replica {
  readonly pool: Pool
  /** Refuses a role that our promises do not hold for. Asked before the first read: a standby may be away when a memory opens. */
  fit(): Promise<void>
}

/** Reads from a standby, which may be behind: never for a decision, and nothing can be written through it. */
export function replicaReads({ pool, fit }: Replica, works: PendingReadsStorage): StaleReads<'stored'> {
  let checked: Promise<void> | undefined
  const check = (): Promise<void> =>
    (checked ??= fit().catch((error: unknown) => {
      checked = undefined
      throw error
    }))
  const transactions = new Transactions(pool)
  const reads = new BatchedReads(new PostgresDatabase(transactions), transactions, works)
  const database: Database = {
    dialect: reads.dialect,
    read: async (attempt, visible, program) => {
      await check()
      return reads.read(attempt, visible, program)
    },
    snapshot: async (attempt, visible, program) => {
      await check()
      return reads.snapshot(attempt, visible, program)
    },
    write: async (attempt) => refuseWrite(attempt),
  }
  return {
    log: {
      view: 'stored',
      ...logReader(database),
      change: async () => refuseWrite('change a session'),
      subscribe: () => () => undefined,
    },
    knowledge: knowledgeStore(database),
    recall: recallStore(database),
  }
}

function refuseWrite(attempt: string): never {
  throw new MemoryError('store/read-only', `Cannot ${attempt}: this is a replica, expected the primary`, {})
}
