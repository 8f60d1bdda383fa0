import { checkScope } from '../domain/names.ts'
import { type LogReport, verify } from '../log/verify.ts'
import { Jobs, type Settled } from './jobs.ts'
import type { Parts } from './parts.ts'
import { Scope } from './scope.ts'

export interface VerifyReport extends LogReport {
  /** Nothing is wrong. */
  readonly ok: boolean
  /** What the database's own check of its file found. */
  readonly file: readonly string[]
}

export interface Schema {
  readonly version: number
  /** Oldest first. */
  readonly migrations: readonly { readonly number: number; readonly name: string; readonly appliedAt: string }[]
}

/** An opened store: one SQLite file, or none with `:memory:`. */
export class Memory {
  /** Background work: what waits, runs and failed. */
  readonly jobs: Jobs
  readonly #parts: Parts

  /** @internal Use `openMemory(location)`. */
  constructor(parts: Parts) {
    this.#parts = parts
    this.jobs = new Jobs(parts)
  }

  /** A handle to what one owner has, as `acme/ada`. */
  scope(path: string): Scope {
    checkScope('open a scope', path)
    return new Scope(this.#parts, path)
  }

  /** Reads everything and names every stored byte of content that is not what was written. */
  async verify(): Promise<VerifyReport> {
    this.#parts.work.checkOpen()
    const file = await this.#parts.store.check()
    const report = await verify(this.#parts.store.log)
    return { ok: file.length === 0 && report.damage.length === 0, file, ...report }
  }

  /** Which version of the schema the store has, and when each step to it was taken. Opening takes those that are missing. */
  async schema(): Promise<Schema> {
    this.#parts.work.checkOpen()
    const migrations = await this.#parts.store.migrations()
    return {
      version: migrations.length,
      migrations: migrations.map(({ appliedAt, ...step }) => ({
        ...step,
        appliedAt: new Date(appliedAt).toISOString(),
      })),
    }
  }

  /** Waits until no background work is due, in this process or another. Answers with what is left: for later, or for a person. */
  async settled(): Promise<Settled> {
    this.#parts.work.checkOpen()
    const { waiting, failed } = await this.#parts.runner.settled()
    return { waiting, failed }
  }

  /** Throws away what is derived from the log for recall. It is posted again, from nothing but the log, by whoever asks next. */
  async rebuild(): Promise<void> {
    this.#parts.work.checkOpen()
    await this.#parts.work.begin(this.#parts.store.recall.clear())
  }

  /** Finishes what was begun, then lets go of the file. Twice is fine. */
  async close(): Promise<void> {
    await this.#parts.runner.close()
    await this.#parts.work.finish()
    await this.#parts.store.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}
