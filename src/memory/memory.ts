import type { Memory } from '../api/memory.ts'
import type {
  ForgottenReport,
  MemoryHead,
  MemoryStats,
  Sample,
  Schema,
  VerifyOptions,
  VerifyReport,
} from '../api/upkeep.ts'
import type { ArchiveImportOptions, ArchiveSource, Backup, ExportOptions, Imported } from '../api/archive.ts'
import type { AuditEntry } from '../domain/audit.ts'
import { checkScope } from '../domain/names.ts'
import { readScopes } from '../log/read-scopes.ts'
import { headStatement } from '../log/head-statement.ts'
import { exportFrom, importInto } from '../archive/archive-calls.ts'
import { backUp } from '../archive/backup.ts'
import type { Settled } from '../api/jobs.ts'
import type { AuditOptions } from '../api/keys.ts'
import type { Jobs } from '../api/jobs.ts'
import { localJobs } from '../jobs/local-jobs.ts'
import type { Keys } from '../api/keys.ts'
import { LocalKeys } from '../access/local-keys.ts'
import { readAudit } from '../access/audit.ts'
import { refuse } from '../domain/refuse.ts'
import { checkCall } from '../surface/check-call.ts'
import { memoryOperations } from '../surface/memory.ts'
import { verifyMemory } from './verify-memory.ts'
import type { Wiring } from './wiring.ts'
import type { Scope } from '../api/scope.ts'
import type { ScopesOptions, ScopesPage } from '../api/scopes.ts'
import { LocalScope } from './scope.ts'
import type { ForgetReceipt } from '../domain/forget-receipt.ts'

/** The one that works on a store of its own; `daybook/client` has the one behind a server. */
export class LocalMemory implements Memory {
  readonly jobs: Jobs
  readonly keys: Keys
  readonly #parts: Wiring

  /** @internal Use `openMemory(location)`. */
  constructor(parts: Wiring) {
    this.#parts = parts
    this.jobs = localJobs(parts)
    this.keys = new LocalKeys(parts)
  }

  scope(path: string): Scope {
    checkScope('open a scope', path)
    return new LocalScope(this.#parts, path)
  }

  async scopes(options: ScopesOptions = {}): Promise<ScopesPage> {
    checkCall(memoryOperations.scopes, options)
    this.#parts.work.checkOpen()
    return readScopes(this.#parts.store.log, options)
  }

  async verify(options: VerifyOptions = {}): Promise<VerifyReport> {
    checkCall(memoryOperations.verify, options)
    this.#parts.work.checkOpen()
    return verifyMemory(this.#parts, options)
  }

  async head(): Promise<MemoryHead> {
    this.#parts.work.checkOpen()
    const { store, stored, log } = this.#parts
    return headStatement({ ...store, log: stored }, log.clock.now())
  }

  async verifyForgotten(receipt: ForgetReceipt, samples: readonly Sample[]): Promise<ForgottenReport> {
    checkCall(memoryOperations.verifyForgotten, receipt, samples)
    this.#parts.work.checkOpen()
    return (await import('../forgetting/verify.ts')).verifyForgotten(this.#parts, receipt, samples)
  }

  async audit(options: AuditOptions = {}): Promise<readonly AuditEntry[]> {
    return readAudit(this.#parts, options)
  }

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

  async settled(): Promise<Settled> {
    this.#parts.work.checkOpen()
    const { waiting, failed } = await this.#parts.runner.settled()
    await this.#parts.posting.settled()
    await this.#parts.contexts.memory?.kept.settled(this.#parts)
    return { waiting, failed }
  }

  async rebuild(): Promise<void> {
    const { work, store, recall, runner } = this.#parts
    work.checkOpen()
    const { dropIndex } = await import('../recall/drop-index.ts')
    const { vectors } = await recall()
    await work.begin(Promise.all([dropIndex(store, vectors !== undefined), store.state.clearToolCounts()]))
    runner.nudge()
  }

  export(options: ExportOptions = {}): AsyncIterable<string> {
    return exportFrom(this.#parts, options)
  }

  async import(source: ArchiveSource, options: ArchiveImportOptions = {}): Promise<Imported> {
    return importInto(this.#parts, source, options)
  }

  async backup(file: string): Promise<Backup> {
    return backUp(this.#parts, file)
  }

  /** @internal What a server needs of a memory that it serves. */
  static partsOf(memory: Memory): Wiring {
    if (!(memory instanceof LocalMemory))
      refuse('serve a memory', 'memory', memory, 'one that openMemory opened on a store')
    return memory.#parts
  }

  async close(): Promise<void> {
    await this.#parts.runner.close()
    await this.#parts.work.finish()
    await this.#parts.posting.close()
    await this.#parts.contexts.memory?.kept.settled(this.#parts)
    await this.#parts.store.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}
