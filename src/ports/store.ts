import type { AccessStore } from './access-store.ts'
import type { ArchiveStore } from './archive-store.ts'
import type { CalibrationStore } from './calibration-store.ts'
import type { ErasureStore } from './erasure-store.ts'
import type { KnowledgeStore } from './knowledge-store.ts'
import type { IntegrityStore } from './integrity-store.ts'
import type { JobStore } from './job-store.ts'
import type { KeptContextStore } from './kept-context-store.ts'
import type { LearnStore } from './learn-store.ts'
import type { LogStore, StoreView } from './log-store.ts'
import type { StateStore } from './state-store.ts'
import type { ResealStore } from './reseal-store.ts'
import type { RetentionStore } from './retention-store.ts'
import type { VectorStore } from './vector-store.ts'
import type { RecallStore } from './recall-store.ts'

/** One step of a schema, and when it was taken. */
export interface AppliedMigration {
  readonly number: number
  readonly name: string
  /** Milliseconds since 1970. */
  readonly appliedAt: number
}

/** What a database is, and how much is in it. */
export interface StoreFigures {
  readonly kind: 'sqlite' | 'postgres'
  /** The version of the database itself, for example `17.2`. */
  readonly version: string
  /** Of all its tables and indexes. */
  readonly bytes: number
  readonly sessions: number
  /** Each once, however many forks share it; with those of which only the number is left. */
  readonly messages: number
  /** Current ones. */
  readonly facts: number
}

/** An opened database with all that is kept in it. A function that needs one view of encrypted content names it. */
export interface Store<View extends StoreView = StoreView> {
  readonly log: LogStore<View>
  readonly knowledge: KnowledgeStore
  readonly calibrations: CalibrationStore
  readonly vectors: VectorStore
  readonly jobs: JobStore
  readonly keptContexts: KeptContextStore
  readonly learning: LearnStore
  readonly recall: RecallStore
  readonly access: AccessStore
  readonly archive: ArchiveStore
  readonly state: StateStore
  readonly erasure: ErasureStore
  readonly retention: RetentionStore
  readonly reseal: ResealStore
  readonly integrity: IntegrityStore
  /** Reads for those who said that old answers will do: of a replica, if there is one, else the same as above. */
  readonly stale: StaleReads<View>
  /**
   * Does one piece of work. What it reads may share a transaction, and then sees one moment, until it writes something or waits
   * for something else. Work inside of work is part of it.
   */
  together<Result>(work: () => Promise<Result>): Promise<Result>
  /** In how many parts its large tables are; 1 where they are whole. */
  readonly partitions: number
  /** The database's own check of its file: what is wrong, or nothing. */
  check(): Promise<readonly string[]>
  figures(): Promise<StoreFigures>
  /** The steps that made its schema, oldest first: their count is its version. */
  migrations(): Promise<readonly AppliedMigration[]>
  /**
   * Copies everything, as of one moment and while others write, into a new file. `check` looks at the copy before it gets
   * its name.
   *
   * @throws {MemoryError} `store/exists` if the file is there; `store/unsupported` where a database has its own means.
   */
  backup(file: string, check: (copy: Store) => Promise<void>): Promise<{ readonly bytes: number }>
  close(): Promise<void>
}

/** What may be read where it may be behind. No decision rests on it, and nothing is written through it. */
export type StaleReads<View extends StoreView = StoreView> = Pick<Store<View>, 'log' | 'knowledge' | 'recall'>
