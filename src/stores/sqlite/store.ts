import { statSync } from 'node:fs'
import { quote } from '../../domain/refuse.ts'
import type { LogChange, LogStore } from '../../ports/log-store.ts'
import type { StaleReads, Store, StoreFigures } from '../../ports/store.ts'
import { archiveStore } from '../sql/archive-store.ts'
import { figures } from '../sql/figures.ts'
import { HeadCache } from '../sql/head-cache.ts'
import { logReader } from '../sql/log-reader.ts'
import { messagesInSteps } from './messages-in-steps.ts'
import { type WrittenBatch, logWriter } from '../sql/log-writer.ts'
import { one } from '../sql/program.ts'
import { lazyKnowledge, lazyRecall, lazyRest } from './lazy-parts.ts'
import { vectorStore } from '../sql/vector-store.ts'
import { WatchedSessions } from '../sql/watched-sessions.ts'
import { appendKnown } from './append-known.ts'
import { SqliteCommitSignal } from './commit-signal.ts'
import { Connection, type FileAccess } from './connection.ts'
import { SqliteDatabase } from './database.ts'
import { sqlite } from './dialect.ts'
import { driverFor } from './driver.ts'
import { fileMigrations } from './migrate.ts'
import { IN_MEMORY } from './open-database.ts'
import { retryBusy } from './retry-busy.ts'
import { WriteQueue } from './write-queue.ts'

const FILE = `SELECT sqlite_version() AS "version", (SELECT page_count FROM pragma_page_count()) * (SELECT page_size FROM pragma_page_size()) AS "bytes"`
const BYTES_CHECKED_HERE_MAX = 4 * 1024 * 1024

/** How a file is opened. */
interface FileOptions {
  /** Of 32 bytes: the whole file is encrypted. @default none */
  readonly key?: Uint8Array | undefined
  /** @default 'write' */
  readonly access?: FileAccess
}

/** Opens a memory in one SQLite file, or in none with `:memory:`. */
export async function openSqliteStore(
  file: string,
  now: () => number,
  { key, access = 'write' }: FileOptions = {},
): Promise<Store<'stored'>> {
  const driver = await driverFor(key)
  // Several processes may create the file at once; SQLite does not always wait for those that are faster.
  const connection = await retryBusy(
    `open ${quote(file)}`,
    () => new Connection({ file, now, driver, access }),
    () => undefined,
  )
  const queue: WriteQueue = new WriteQueue(connection, () => signal.ring())
  const database = new SqliteDatabase(connection, queue)
  const signal = new SqliteCommitSignal(connection, new WatchedSessions(database))
  const heads = new HeadCache()
  const reader = logReader(database)
  const reads: StaleReads<'stored'> = {
    log: {
      view: 'stored',
      ...reader,
      messages: messagesInSteps(database, reader.messages),
      change: changeLog({ database, connection, queue, heads }),
      subscribe: (scope, session, onCommit) => signal.subscribe(scope, session, onCommit),
    },
    knowledge: lazyKnowledge(database),
    recall: lazyRecall(database),
  }
  const rest = lazyRest(database, connection, { key, heads })
  return {
    ...reads,
    ...rest,
    state: connection.readOnly ? { ...rest.state, keepToolCounts: async () => undefined } : rest.state,
    stale: reads,
    // There is no way to go: each is answered at once.
    together: (work) => work(),
    vectors: vectorStore(database),
    archive: archiveStore(database),
    partitions: 1,
    check: () => checkFile(connection, key),
    figures: () =>
      database.read('count what is there', 'every scope', function* () {
        const own = yield* one<Pick<StoreFigures, 'version' | 'bytes'>>(FILE)
        return { kind: 'sqlite', ...(own ?? { version: '', bytes: 0 }), ...(yield* figures()) } as const
      }),
    migrations: () =>
      retryBusy(
        'read the migrations',
        () => fileMigrations(connection.database()),
        (error) => connection.noticeFailure(error),
      ),
    backup: async (to, check) =>
      (await import('./backup.ts')).backup(connection.database(), { file, key }, to, async (copy) => {
        const store = await openSqliteStore(copy, now, { key })
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

/** A batch of one: the file's own queue puts changes that arrive together into one transaction. */
function changeLog({ database, connection, queue, heads }: LogTools): LogStore['change'] {
  const writer = logWriter(sqlite, heads)
  const answerOf = ({ outcomes, heads: left }: WrittenBatch): unknown => {
    // Not after the commit: the next change of the same transaction rests on them. If that fails, the file shows it.
    for (const head of left) heads.keep(head)
    const [outcome] = outcomes
    if (outcome === undefined || outcome === 'later') throw new Error('a change was left for later in a batch of one')
    if ('refusal' in outcome) throw outcome.refusal
    return outcome.answer
  }
  return <Answer>(change: LogChange<Answer>) => {
    const { run, runInTurns } = database.waysToWrite(() => writer([change]))
    return queue.write<Answer>(
      `write to session ${JSON.stringify(change.session)}`,
      () => {
        const known = appendKnown(connection, heads, change)
        return known === undefined ? (answerOf(run()) as Answer) : known.answer
      },
      runInTurns && (async (own) => answerOf(await runInTurns(own))),
    )
  }
}

interface LogTools {
  readonly database: SqliteDatabase
  readonly connection: Connection
  readonly queue: WriteQueue
  readonly heads: HeadCache
}

async function checkFile(connection: Connection, key: Uint8Array | undefined): Promise<readonly string[]> {
  const { fileProblems, problemsOfFile } = await import('./check-file.ts')
  const { file } = connection
  const handle = connection.database()
  // Small enough to be checked in passing; a large file would hold the event loop.
  if (file === IN_MEMORY || (statSync(file, { throwIfNoEntry: false })?.size ?? 0) < BYTES_CHECKED_HERE_MAX) {
    return retryBusy(
      'check the file',
      () => fileProblems(handle),
      (error) => connection.noticeFailure(error),
    )
  }
  try {
    return await problemsOfFile(file, key)
  } catch (error) {
    return [`the file cannot be checked: ${error instanceof Error ? error.message : String(error)}`]
  }
}
