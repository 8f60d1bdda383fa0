import type { ForgottenReport, MemoryStats, Sample, Schema, VerifyReport } from '../api/upkeep.ts'
import type { ArchiveImportOptions, ArchiveSource, Backup, ExportOptions, Imported } from '../api/archive.ts'
import type { AuditEntry } from '../domain/audit.ts'
import { checkScope } from '../domain/names.ts'
import { verify } from '../log/verify.ts'
import { exportFrom, importInto } from './archive.ts'
import { backUp } from './backup.ts'
import type { Settled } from '../api/jobs.ts'
import type { AuditOptions } from '../api/keys.ts'
import { type Jobs, LocalJobs } from './jobs.ts'
import { type Keys, LocalKeys } from './keys.ts'
import { readAudit, verifyAudit } from './audit.ts'
import { refuse } from '../domain/refuse.ts'
import { checkCall } from '../surface/check-call.ts'
import { memoryOperations } from '../surface/memory.ts'
import type { Wiring } from './wiring.ts'
import { LocalScope, type Scope } from './scope.ts'
import type { ForgetReceipt } from '../domain/forget-receipt.ts'

/** An opened store: one SQLite file, or none with `:memory:`. */
export type Memory = Pick<LocalMemory, keyof LocalMemory>

/** The one that works on a store of its own; `daybook/client` has the one behind a server. */
export class LocalMemory {
  /** Background work: what waits, runs and failed. */
  readonly jobs: Jobs
  /** Who may use a server on this memory. */
  readonly keys: Keys
  readonly #parts: Wiring

  /** @internal Use `openMemory(location)`. */
  constructor(parts: Wiring) {
    this.#parts = parts
    this.jobs = new LocalJobs(parts)
    this.keys = new LocalKeys(parts)
  }

  /** A handle to what one owner has, as `acme/ada`. */
  scope(path: string): Scope {
    checkScope('open a scope', path)
    return new LocalScope(this.#parts, path)
  }

  /** Reads the log, its blobs and the audit trail, and names everything in them that is not what was written. */
  async verify(): Promise<VerifyReport> {
    this.#parts.work.checkOpen()
    const file = await this.#parts.store.check()
    const report = await verify(this.#parts.stored)
    const damage = [...report.damage, ...(await verifyAudit(this.#parts.store.access))]
    return { ok: file.length === 0 && damage.length === 0, file, ...report, damage }
  }

  /**
   * Looks for samples of what was forgotten in every table and every byte of the files: as text in several encodings, as
   * words of the index, as vectors.
   */
  async verifyForgotten(receipt: ForgetReceipt, samples: readonly Sample[]): Promise<ForgottenReport> {
    checkCall(memoryOperations.verifyForgotten, receipt, samples)
    this.#parts.work.checkOpen()
    return (await import('../forgetting/verify.ts')).verifyForgotten(this.#parts, receipt, samples)
  }

  /** What was done through a server, newest first. */
  async audit(options: AuditOptions = {}): Promise<readonly AuditEntry[]> {
    return readAudit(this.#parts, options)
  }

  /** Which version of the schema the store has, and when each step to it was taken. Opening takes those that are missing. */
  async schema(): Promise<Schema> {
    this.#parts.work.checkOpen()
    const migrations = await this.#parts.store.migrations()
    return {
      version: migrations.length,
      partitions: this.#parts.store.partitions,
      migrations: migrations.map(({ appliedAt, ...step }) => ({
        ...step,
        appliedAt: new Date(appliedAt).toISOString(),
      })),
    }
  }

  /** How much there is, in all scopes together, and what keeps it. */
  async stats(): Promise<MemoryStats> {
    const { work, store } = this.#parts
    work.checkOpen()
    const [{ kind, version, ...figures }, migrations] = await Promise.all([store.figures(), store.migrations()])
    return {
      store: `${kind} ${version}`,
      schemaVersion: migrations.length,
      vectorSearch: store.vectors.search,
      ...figures,
    }
  }

  /**
   * Waits until no background work is due, in this process or another, and everything that was appended can be found by `recall`.
   * Returns what is left: for later, or for a person.
   */
  async settled(): Promise<Settled> {
    this.#parts.work.checkOpen()
    const { waiting, failed } = await this.#parts.runner.settled()
    await this.#parts.posting.settled()
    return { waiting, failed }
  }

  /**
   * Throws away what is derived from the log for recall. Words are added again from the log, in the background, when somebody
   * asks or with `settled`. Vectors are thrown away only if there is an embedder to make them again.
   */
  async rebuild(): Promise<void> {
    const { work, store, recall, runner } = this.#parts
    work.checkOpen()
    const { dropIndex } = await import('../recall/drop-index.ts')
    const { vectors } = await recall()
    await work.begin(Promise.all([dropIndex(store, vectors !== undefined), store.state.clearToolCounts()]))
    runner.nudge()
  }

  /**
   * Everything, or one scope with all below, or one session with those it was forked from, as an archive: pieces of lines,
   * read as they are taken. What is derived is not in it and is derived again.
   */
  export(options: ExportOptions = {}): AsyncIterable<string> {
    return exportFrom(this.#parts, options)
  }

  /**
   * Stores what an archive has and this memory has not. Cut short, it goes on when it is done again; done again, it changes
   * nothing.
   *
   * @throws {MemoryError} `archive/damaged` with the line; `archive/conflict` if something is here with other content.
   */
  async import(source: ArchiveSource, options: ArchiveImportOptions = {}): Promise<Imported> {
    return importInto(this.#parts, source, options)
  }

  /**
   * Copies the memory as it is now into a new file, while others write, and checks the copy. Behind a server, the file is
   * one of the server's.
   *
   * @throws {MemoryError} `store/exists` if there is a file of that name.
   */
  async backup(file: string): Promise<Backup> {
    return backUp(this.#parts, file)
  }

  /** @internal What a server needs of a memory that it serves. */
  static partsOf(memory: Memory): Wiring {
    if (!(memory instanceof LocalMemory))
      refuse('serve a memory', 'memory', memory, 'one that openMemory opened on a store')
    return memory.#parts
  }

  /** Finishes what was begun, then lets go of the file. Twice is fine. */
  async close(): Promise<void> {
    await this.#parts.runner.close()
    await this.#parts.work.finish()
    await this.#parts.posting.close()
    await this.#parts.store.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}
