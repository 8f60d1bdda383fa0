import type { KnowledgeStore } from '../../ports/knowledge-store.ts'
import type { RecallStore } from '../../ports/recall-store.ts'
import type { Store } from '../../ports/store.ts'
import type { Database } from '../sql/database.ts'
import type { HeadCache } from '../sql/head-cache.ts'
import { lazyPart } from '../sql/lazy-part.ts'
import type { Connection } from './connection.ts'

export function lazyKnowledge(database: Database): KnowledgeStore {
  return lazyPart({ read: true, change: true }, async () =>
    (await import('../sql/knowledge-store.ts')).knowledgeStore(database),
  )
}

export function lazyRecall(database: Database): RecallStore {
  const { postingsPerChange } = database.dialect
  const methods = lazyPart<Omit<RecallStore, 'postingsPerChange'>>(
    {
      unposted: true,
      behind: true,
      lag: true,
      forks: true,
      threads: true,
      change: true,
      tidy: true,
      shelf: true,
      shelves: true,
      terms: true,
      frequencies: true,
      resembling: true,
      hits: true,
      passages: true,
      around: true,
      scopes: true,
      posted: true,
      clear: true,
    },
    async () => (await import('../sql/recall-store.ts')).recallStore(database),
  )
  return { postingsPerChange, ...methods }
}

type Rest = Pick<
  Store,
  | 'access'
  | 'calibrations'
  | 'erasure'
  | 'integrity'
  | 'jobs'
  | 'keptContexts'
  | 'learning'
  | 'reseal'
  | 'retention'
  | 'state'
>

/** What no append needs. */
export function lazyRest(database: Database, connection: Connection, file: FileErasure): Rest {
  return {
    access: lazyPart(
      {
        addKey: true,
        keyById: true,
        keys: true,
        updateKey: true,
        addAudit: true,
        audit: true,
        answer: true,
        keepAnswer: true,
        changeAnswer: true,
      },
      async () => (await import('../sql/access-store.ts')).accessStore(database),
    ),
    calibrations: lazyPart({ read: true, update: true }, async () =>
      (await import('../sql/calibration-store.ts')).calibrationStore(database),
    ),
    integrity: lazyPart(
      {
        page: true,
        index: true,
        strayIndexRows: true,
        links: true,
        forgottenSession: true,
        states: true,
        stateVersion: true,
      },
      async () => (await import('../sql/integrity-store.ts')).integrityStore(database),
    ),
    erasure: erasureLater(database, connection, file),
    jobs: lazyPart({ change: true, claim: true, list: true, tally: true, prune: true }, async () =>
      (await import('../sql/job-store.ts')).jobStore(database),
    ),
    keptContexts: lazyPart(
      { forgettings: true, keep: true, list: true, read: true, texts: true, expire: true },
      async () => (await import('../sql/kept-context-store.ts')).keptContextStore(database),
    ),
    learning: lazyPart({ behind: true, behindOne: true, learned: true }, async () =>
      (await import('../sql/learn-store.ts')).learnStore(database),
    ),
    reseal: lazyPart(
      { turn: true, rows: true, replace: true, needs: true, dropBlobs: true, keysGone: true },
      async () => (await import('../sql/reseal-store.ts')).resealStore(database),
    ),
    retention: lazyPart({ get: true, set: true, list: true, scopes: true, overdue: true }, async () =>
      (await import('../sql/retention-store.ts')).retentionStore(database),
    ),
    state: lazyPart(
      {
        read: true,
        history: true,
        change: true,
        blocks: true,
        range: true,
        replace: true,
        toolCounts: true,
        keepToolCounts: true,
        clearToolCounts: true,
        sessions: true,
        count: true,
        forget: true,
      },
      async () => (await import('../sql/state-store.ts')).stateStore(database),
    ),
  }
}

/** What forgetting needs besides: the key of an encrypted file, and what is to be emptied with it. */
interface FileErasure {
  readonly key: Uint8Array | undefined
  readonly heads: HeadCache
}

function erasureLater(database: Database, connection: Connection, { key, heads }: FileErasure): Store['erasure'] {
  return lazyPart(
    {
      family: true,
      taught: true,
      contents: true,
      eraseDefinitions: true,
      begin: true,
      unfinished: true,
      erase: true,
      blankAnswers: true,
      scrub: true,
      makeRoom: true,
      finish: true,
      search: true,
    },
    async () => {
      const { erasureStore } = await import('../sql/erasure-store.ts')
      const { SqliteScrubber } = await import('./scrub.ts')
      const scrubber = new SqliteScrubber(connection, key)
      return erasureStore(database, {
        scrub: () => {
          heads.clear()
          return scrubber.scrub()
        },
        makeRoom: async () => (await import('./ballast.ts')).releaseBallast(connection.file),
        search: async (patterns) => (await import('./search-database.ts')).searchDatabase(connection, patterns),
      })
    },
  )
}
