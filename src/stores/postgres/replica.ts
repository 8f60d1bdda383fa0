import { MemoryError } from '../../domain/error.ts'
import type { StaleReads } from '../../ports/store.ts'
import type { Database } from '../sql/database.ts'
import { knowledgeStore } from '../sql/knowledge-store.ts'
import { logReader } from '../sql/log-reader.ts'
import { recallStore } from '../sql/recall-store.ts'
import { PostgresDatabase } from './database.ts'
import { GatheredDatabase, type Works } from './gathered-database.ts'
import type { Pool } from './pool.ts'
import { Transactions } from './transactions.ts'

/** Reads from a standby, which may be behind: never for a decision, and nothing can be written through it. */
export function replicaReads(pool: Pool, works: Works): StaleReads {
  const transactions = new Transactions(pool)
  const reads = new GatheredDatabase(new PostgresDatabase(transactions), transactions, works)
  const database: Database = {
    dialect: reads.dialect,
    read: (attempt, sight, program) => reads.read(attempt, sight, program),
    snapshot: (attempt, sight, program) => reads.snapshot(attempt, sight, program),
    write: async (attempt) => refuseWrite(attempt),
  }
  return {
    log: {
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
