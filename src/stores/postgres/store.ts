import { AsyncLocalStorage } from 'node:async_hooks'
import type { PostgresOptions } from '../../api/postgres.ts'
import { MemoryError } from '../../domain/error.ts'
import type { StaleReads, Store, StoreFigures } from '../../ports/store.ts'
import { accessStore } from '../sql/access-store.ts'
import { archiveStore } from '../sql/archive-store.ts'
import { calibrationStore } from '../sql/calibration-store.ts'
import { erasureStore } from '../sql/erasure-store.ts'
import { HeadCache } from '../sql/head-cache.ts'
import { figures } from '../sql/figures.ts'
import { jobStore } from '../sql/job-store.ts'
import { keptContextStore } from '../sql/kept-context-store.ts'
import { knowledgeStore } from '../sql/knowledge-store.ts'
import { learnStore } from '../sql/learn-store.ts'
import { logReader } from '../sql/log-reader.ts'
import { migrations } from '../sql/migrations/index.ts'
import { one } from '../sql/program.ts'
import { recallStore } from '../sql/recall-store.ts'
import { resealStore } from '../sql/reseal-store.ts'
import { integrityStore } from '../sql/integrity-store.ts'
import { retentionStore } from '../sql/retention-store.ts'
import { stateStore } from '../sql/state-store.ts'
import { vectorStore } from '../sql/vector-store.ts'
import { WatchedSessions } from '../sql/watched-sessions.ts'
import { ChangeQueue } from './change-queue.ts'
import { schemaProblems } from './check-schema.ts'
import { REMEDY, type Warn, checkReplica, checkServer } from './check-server.ts'
import { PostgresCommitSignal } from './commit-signal.ts'
import { PostgresDatabase } from './database.ts'
import { BatchedReads, type PendingReads } from './batched-reads.ts'
import { databaseMigrations, migrateDatabase, schemaState } from './migrate.ts'
import { poolOptions } from './options.ts'
import { refuseOtherPartitions } from './partitions.ts'
import { type Replica, replicaReads } from './replica.ts'
import { Pool } from './pool.ts'
import { PostgresScrubber } from './scrub.ts'
import { searchTables } from './search-tables.ts'
import { Transactions } from './transactions.ts'
import { type VectorSearch, pgvector, vectorSearchOf } from './vector-index.ts'

/** Of the schema: a database may hold other things too. */
const SERVER = `SELECT split_part(current_setting('server_version'), ' ', 1) AS "version",
    COALESCE(sum(pg_total_relation_size(oid)), 0)::bigint AS "bytes"
  FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`

/**
 * For what takes as long as the tables are large. A vacuum is nobody's wait: it goes on behind whoever asked, and ends with the
 * memory. A migration with a time limit might never finish.
 */
const WHOLE_TABLE_MS_MAX = 24 * 60 * 60 * 1_000

/** Opens a memory in a PostgreSQL database. The tables are made or changed where needed. */
export async function openPostgresStore(
  url: string,
  options: PostgresOptions,
  now: () => number,
  warn: Warn,
): Promise<Store<'stored'>> {
  const pool = await Pool.open(url, poolOptions(options))
  let found: Parameters<typeof storeOn>[1]
  try {
    const role = await checkServer(pool, options.accept ?? [], warn)
    const before = await schemaState(pool, migrations)
    if (before.partitions !== undefined)
      refuseOtherPartitions(pool.options.schema, before.partitions, options.partitions)
    if (!before.ready)
      await migrateWith(options.migrate ?? url, options, role, now).catch((error: unknown) => {
        if (options.migrate !== undefined || !MemoryError.is(error, 'store/forbidden')) throw error
        throw before.exists ? notReady(role) : mayNotCreate(role, error)
      })
    const { ready, owned, partitions } = before.ready ? before : await schemaState(pool, migrations)
    if (!ready || partitions === undefined) throw notReady(role)
    // Somebody else may have made them meanwhile.
    refuseOtherPartitions(pool.options.schema, partitions, options.partitions)
    found = { search: await vectorSearchOf(pool), partitions }
    if (owned)
      warn('owner', `role ${JSON.stringify(role)} owns the tables and could take them out of row security, ${REMEDY}`)
  } catch (error) {
    await pool.close()
    throw error
  }
  const listening = await Pool.open(url, { ...poolOptions(options), connections: 1 })
  const standby = options.replica === undefined ? undefined : await Pool.open(options.replica, poolOptions(options))
  const replica = standby && { pool: standby, fit: () => checkReplica(standby, options.accept ?? [], warn) }
  // The role of the memory's own address need not own the tables.
  const scrubber = new PostgresScrubber(() =>
    Pool.open(options.migrate ?? url, { ...poolOptions(options), connections: 2, statementMs: WHOLE_TABLE_MS_MAX }),
  )
  return storeOn({ pool, listening, replica, scrubber }, found)
}

interface Connections {
  readonly pool: Pool
  readonly listening: Pool
  readonly replica: Replica | undefined
  readonly scrubber: PostgresScrubber
}

function storeOn(
  { pool, listening, replica, scrubber }: Connections,
  { search, partitions }: { readonly search: VectorSearch; readonly partitions: number },
): Store<'stored'> {
  const transactions = new Transactions(pool)
  const database = new PostgresDatabase(transactions)
  const works = new AsyncLocalStorage<PendingReads>()
  const gathered = new BatchedReads(database, transactions, works)
  const signal = new PostgresCommitSignal(pool, listening, new WatchedSessions(database))
  const heads = new HeadCache()
  const queue = new ChangeQueue({ database, limits: transactions.limits }, heads, () => signal.committed())
  const reads: StaleReads<'stored'> = {
    log: {
      view: 'stored',
      ...logReader(gathered),
      change: async (change) => {
        pool.refuseClosed()
        const answer = await queue.add(change)
        gathered.wrote()
        return answer
      },
      subscribe: (scope, session, onCommit) => signal.subscribe(scope, session, onCommit),
    },
    knowledge: knowledgeStore(gathered),
    recall: recallStore(gathered),
  }
  return {
    ...reads,
    stale: replica === undefined ? reads : replicaReads(replica, works),
    together: (work) => (works.getStore() === undefined ? works.run(new Map(), work) : work()),
    calibrations: calibrationStore(gathered),
    vectors: vectorStore(gathered, search.by === 'pgvector' ? pgvector(search.version) : undefined),
    jobs: jobStore(gathered),
    keptContexts: keptContextStore(gathered),
    learning: learnStore(gathered),
    access: accessStore(gathered),
    archive: archiveStore(gathered),
    integrity: integrityStore(gathered),
    state: stateStore(gathered),
    erasure: erasureStore(database, {
      scrub: (erasures) => {
        heads.clear()
        return scrubber.scrub(erasures)
      },
      makeRoom: async () => false,
      search: (patterns) => searchTables(database, patterns),
    }),
    reseal: resealStore(database),
    retention: retentionStore(gathered),
    backup: () => Promise.reject(backupUnsupported()),
    partitions,
    check: () => schemaProblems(pool),
    figures: () =>
      database.read('count what is there', 'every scope', function* () {
        const server = yield* one<Pick<StoreFigures, 'version' | 'bytes'>>(SERVER)
        return { kind: 'postgres', ...(server ?? { version: '', bytes: 0 }), ...(yield* figures()) } as const
      }),
    migrations: () => databaseMigrations(pool),
    close: async () => {
      if (pool.closed) return
      await queue.settled()
      await signal.settled()
      await scrubber.close()
      const closing = [pool.close(), listening.close(), replica?.pool.close()]
      signal.close()
      await Promise.all(closing)
    },
  }
}

function backupUnsupported(): MemoryError {
  return new MemoryError(
    'store/unsupported',
    'Cannot back up a memory in PostgreSQL: use pg_dump and pg_restore, which copy a running database',
    {},
  )
}

async function migrateWith(url: string, options: PostgresOptions, role: string, now: () => number): Promise<void> {
  const pool = await Pool.open(url, { ...poolOptions(options), connections: 1, statementMs: WHOLE_TABLE_MS_MAX })
  try {
    await migrateDatabase(pool, migrations, { role, partitions: options.partitions ?? 1, now })
  } finally {
    await pool.close()
  }
}

/** The first thing that fails on a rented server: since PostgreSQL 15 a role creates nothing that it was not allowed to. */
function mayNotCreate(role: string, { cause }: MemoryError): MemoryError {
  const said = cause instanceof Error ? ` (${cause.message})` : ''
  return new MemoryError(
    'store/forbidden',
    `Cannot make the tables of a memory: role ${JSON.stringify(role)} may not create them${said}; open once with postgres.migrate, the address of a role that may, or run GRANT CREATE ON DATABASE … TO ${role} as the owner of the database`,
    { role },
    cause,
  )
}

function notReady(role: string): MemoryError {
  return new MemoryError(
    'store/forbidden',
    `Cannot open a memory: role ${JSON.stringify(role)} may not use the tables that are there, or they are of an older version; run daybook migrate --memory postgres://${role}@… --owner postgres://…, with the address of their owner, or open once with postgres.migrate, the same address`,
    { role },
  )
}
