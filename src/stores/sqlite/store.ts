import { statSync } from 'node:fs'
import { quote } from '../../domain/refuse.ts'
import type { StaleReads, Store, StoreFigures } from '../../ports/store.ts'
import { accessStore } from '../sql/access-store.ts'
import { archiveStore } from '../sql/archive-store.ts'
import { calibrationStore } from '../sql/calibration-store.ts'
import { erasureStore } from '../sql/erasure-store.ts'
import { figures } from '../sql/figures.ts'
import { one } from '../sql/program.ts'
import { learnStore } from '../sql/learn-store.ts'
import { backup } from './backup.ts'
import { stateStore } from '../sql/state-store.ts'
import { retentionStore } from '../sql/retention-store.ts'
import { jobStore } from '../sql/job-store.ts'
import { knowledgeStore } from '../sql/knowledge-store.ts'
import { recallStore } from '../sql/recall-store.ts'
import { vectorStore } from '../sql/vector-store.ts'
import { problemsOf, problemsOfFile } from './check-file.ts'
import { CommitSignal } from './commit-signal.ts'
import { Connection } from './connection.ts'
import { SqliteDatabase } from './database.ts'
import { driverFor } from './driver.ts'
import { sqliteLogStore } from './log-store.ts'
import { appliedMigrations } from './migrate.ts'
import { IN_MEMORY } from './open-database.ts'
import { patiently } from './patiently.ts'
import { Scrubber } from './scrub.ts'
import { searchDatabase } from './search-database.ts'
import { WriteQueue } from './write-queue.ts'

const FILE = `SELECT sqlite_version() AS "version", (SELECT page_count FROM pragma_page_count()) * (SELECT page_size FROM pragma_page_size()) AS "bytes"`
const BYTES_CHECKED_HERE_MAX = 4 * 1024 * 1024

/** Opens a memory in one SQLite file, or in none with `:memory:`. With a key, of 32 bytes, the whole file is encrypted. */
export async function openSqliteStore(file: string, now: () => number, key?: Uint8Array): Promise<Store> {
  const driver = await driverFor(key)
  // Several processes may create the file at once; SQLite does not always wait for those that are faster.
  const connection = await patiently(
    `open ${quote(file)}`,
    () => new Connection(file, now, driver),
    () => undefined,
  )
  const signal = new CommitSignal(connection)
  const queue = new WriteQueue(connection, () => signal.ring())
  const database = new SqliteDatabase(connection, queue)
  const scrubber = new Scrubber(connection, key)
  const reads: StaleReads = {
    log: sqliteLogStore(database, connection, queue, signal),
    knowledge: knowledgeStore(database),
    recall: recallStore(database),
  }
  return {
    ...reads,
    stale: reads,
    calibrations: calibrationStore(database),
    vectors: vectorStore(database),
    jobs: jobStore(database),
    learning: learnStore(database),
    access: accessStore(database),
    archive: archiveStore(database),
    state: stateStore(database),
    erasure: erasureStore(database, {
      scrub: () => scrubber.scrub(),
      search: (patterns) => searchDatabase(connection, patterns),
    }),
    retention: retentionStore(database),
    partitions: 1,
    check: () => checkFile(connection, key),
    figures: () =>
      database.read('count what is there', 'every scope', function* () {
        const own = yield* one<Pick<StoreFigures, 'version' | 'bytes'>>(FILE)
        return { kind: 'sqlite', ...(own ?? { version: '', bytes: 0 }), ...(yield* figures()) } as const
      }),
    migrations: () =>
      patiently(
        'read the migrations',
        () => appliedMigrations(connection.database()),
        (error) => connection.noticeFailure(error),
      ),
    backup: (to, check) =>
      backup(connection.database(), { file, key }, to, async (copy) => {
        const store = await openSqliteStore(copy, now, key)
        try {
          await check(store)
        } finally {
          await store.close()
        }
      }),
    close: async () => {
      if (connection.closed) return
      await queue.settled()
      if (file !== IN_MEMORY) connection.checkpoint() // leaves one tidy file behind
      connection.close()
      signal.close()
    },
  }
}

async function checkFile(connection: Connection, key: Uint8Array | undefined): Promise<readonly string[]> {
  const { file } = connection
  const handle = connection.database()
  // Small enough to be checked in passing; a large file would hold the event loop.
  if (file === IN_MEMORY || (statSync(file, { throwIfNoEntry: false })?.size ?? 0) < BYTES_CHECKED_HERE_MAX) {
    return patiently(
      'check the file',
      () => problemsOf(handle),
      (error) => connection.noticeFailure(error),
    )
  }
  try {
    return await problemsOfFile(file, key)
  } catch (error) {
    return [`the file cannot be checked: ${error instanceof Error ? error.message : String(error)}`]
  }
}
