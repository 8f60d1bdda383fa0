import type { AuditEntry } from '../domain/audit.ts'
import type { ForgetReceipt } from '../domain/forget-receipt.ts'
import type { ArchiveImportOptions, ArchiveSource, Backup, ExportOptions, Imported } from './archive.ts'
import type { Jobs, Settled } from './jobs.ts'
import type { AuditOptions, Keys } from './keys.ts'
import type { Scope } from './scope.ts'
import type { ScopesOptions, ScopesPage } from './scopes.ts'
import type { ForgottenReport, MemoryHead, MemoryStats, Sample, Schema, VerifyOptions, VerifyReport } from './upkeep.ts'

/** An opened memory: one SQLite file, one PostgreSQL database, or one behind a server. */
export interface Memory {
  /** Background work: what waits, runs and failed. */
  readonly jobs: Jobs
  /** The keys of a server on this memory. */
  readonly keys: Keys

  /**
   * Returns a handle to what one owner has. Nothing is read or stored.
   *
   * @example
   * import { openMemory } from 'daybook'
   * await using memory = await openMemory(':memory:')
   * const ada = memory.scope('acme/ada')
   * const { sessions } = await ada.sessions({ limit: 10 })
   * console.log(sessions.map(({ id }) => id))
   */
  scope(path: string): Scope

  /**
   * Lists the scopes that have sessions or facts, in the order of their paths. With a key for one scope, lists that scope and
   * those below it.
   *
   * @example
   * import { openMemory } from 'daybook'
   * await using memory = await openMemory(':memory:')
   * await memory.scope('acme/ada').session('support-42').append({ role: 'user', content: 'Hello' })
   * const { scopes } = await memory.scopes({ under: 'acme' })
   * console.log(scopes) // [{ scope: 'acme/ada', sessions: 1, messages: 1, facts: 0, updatedAt: '…' }]
   */
  scopes(options?: ScopesOptions): Promise<ScopesPage>

  /**
   * Checks the stored data, and reports everything that is not what was written. The search index is compared with what the log gives;
   * `rebuild` mends it.
   */
  verify(options?: VerifyOptions): Promise<VerifyReport>

  /**
   * States where each session, the facts of each root scope and the audit trail end. Keep the statement somewhere else: with it,
   * `verify({ head })` finds out whether anything was cut off the end since.
   *
   * @example
   * import { openMemory } from 'daybook'
   * await using memory = await openMemory(':memory:')
   * const head = await memory.head()
   * console.log((await memory.verify({ head })).ok) // true
   */
  head(): Promise<MemoryHead>

  /**
   * Looks for samples of what was forgotten in every table and every byte of the files: as text in several encodings, as words
   * of the index, as vectors.
   */
  verifyForgotten(receipt: ForgetReceipt, samples: readonly Sample[]): Promise<ForgottenReport>

  /** Reads what was done through a server, newest first. */
  audit(options?: AuditOptions): Promise<readonly AuditEntry[]>

  /** Reads the version of the schema, and when each migration was applied. Opening a memory applies those that are missing. */
  schema(): Promise<Schema>

  /** Counts what there is in all scopes together. */
  stats(): Promise<MemoryStats>

  /**
   * Waits until no background work is due, in this process or another, and `recall` can find everything that was appended.
   * Returns how much is left for later or for a person.
   */
  settled(): Promise<Settled>

  /**
   * Deletes the search index. It is built again from the log in the background, when somebody recalls, or with `settled`. Vectors
   * are kept if there is no embedder to make them again.
   */
  rebuild(): Promise<void>

  /** Exports an archive of everything, of one scope with all below, or of one session with those it was forked from. */
  export(options?: ExportOptions): AsyncIterable<string>

  /**
   * Stores what an archive has and this memory does not. Importing twice changes nothing; an import that was interrupted resumes
   * when it is repeated.
   *
   * @throws {MemoryError} `archive/damaged` with the line; `archive/conflict` if something is stored with other content.
   */
  import(source: ArchiveSource, options?: ArchiveImportOptions): Promise<Imported>

  /**
   * Copies the memory as it is now into a new file, while others write, and checks the copy. Behind a server, it is a file of
   * the server.
   *
   * @throws {MemoryError} `store/exists` if there is a file with that name.
   */
  backup(file: string): Promise<Backup>

  /** Finishes what has begun, then closes the file or the connections. Closing twice is fine. */
  close(): Promise<void>

  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}
