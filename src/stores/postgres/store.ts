import type { Store } from '../../ports/store.ts'
import { accessStore } from '../sql/access-store.ts'
import { calibrationStore } from '../sql/calibration-store.ts'
import { jobStore } from '../sql/job-store.ts'
import { knowledgeStore } from '../sql/knowledge-store.ts'
import { learnStore } from '../sql/learn-store.ts'
import { logReader } from '../sql/log-reader.ts'
import { migrations } from '../sql/migrations/index.ts'
import { recallStore } from '../sql/recall-store.ts'
import { vectorStore } from '../sql/vector-store.ts'
import { ChangeQueue } from './change-queue.ts'
import { type Warn, checkServer } from './check-server.ts'
import { CommitSignal } from './commit-signal.ts'
import { PostgresDatabase } from './database.ts'
import { appliedMigrations, isCurrent, migrate } from './migrate.ts'
import { type PostgresOptions, poolOptions } from './options.ts'
import { Pool } from './pool.ts'
import { Transactions } from './transactions.ts'

/** Opens a memory in a PostgreSQL database. The tables are made or changed where needed. */
export async function openPostgresStore(
  url: string,
  options: PostgresOptions,
  now: () => number,
  warn: Warn,
): Promise<Store> {
  const pool = await Pool.open(url, poolOptions(options))
  try {
    const role = await checkServer(pool, options.accept ?? [], warn)
    if (!(await isCurrent(pool, migrations))) await migrateWith(options.migrate ?? url, options, role, now)
  } catch (error) {
    await pool.close()
    throw error
  }
  return storeOn(pool)
}

function storeOn(pool: Pool): Store {
  const transactions = new Transactions(pool)
  const database = new PostgresDatabase(transactions)
  const signal = new CommitSignal(pool)
  const queue = new ChangeQueue(transactions, () => signal.committed())
  return {
    log: {
      ...logReader(database),
      change: async (change) => {
        pool.refuseClosed()
        return queue.add(change)
      },
      subscribe: (onCommit) => signal.subscribe(onCommit),
    },
    knowledge: knowledgeStore(database),
    calibrations: calibrationStore(database),
    vectors: vectorStore(database),
    jobs: jobStore(database),
    learning: learnStore(database),
    recall: recallStore(database),
    access: accessStore(database),
    check: async () => [],
    migrations: () => appliedMigrations(pool),
    close: async () => {
      if (pool.closed) return
      await queue.settled()
      await signal.settled()
      const closing = pool.close()
      signal.close()
      await closing
    },
  }
}

async function migrateWith(url: string, options: PostgresOptions, role: string, now: () => number): Promise<void> {
  const pool = await Pool.open(url, { ...poolOptions(options), connections: 1 })
  try {
    await migrate(pool, migrations, role, now)
  } finally {
    await pool.close()
  }
}
