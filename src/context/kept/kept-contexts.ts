import type { Clock } from '../../ports/clock.ts'
import type { KeptContextStore, NewKeptContext } from '../../ports/kept-context-store.ts'
import { keepNewest } from '../keep-newest.ts'
import type { ContextBeginning, ContextToRecord } from './context-to-record.ts'
import { recordContext } from './record-context.ts'

/** How long records are kept. */
export const KEPT_MS: number = 30 * 24 * 60 * 60 * 1_000
/** Records that arrive together are written together. */
const WAIT_MS = 500
/** So many are not kept waiting. */
const BATCH = 64
/** More than these are not recorded: whoever builds contexts faster than they can be written needs the disk for messages. */
const WAITING_MAX = 256
const EXPIRE_EVERY_MS = 60 * 60 * 1_000
/** Old records are deleted in slices. After so many, the next write of records continues. */
const EXPIRE_SLICES_MAX = 5

/** What a queue of records needs of an open memory. */
export interface KeptContextsWiring {
  readonly store: { readonly keptContexts: KeptContextStore }
  readonly log: { readonly clock: Clock; readonly newId: () => string }
}

interface Waiting {
  readonly built: ContextToRecord
  readonly id: string
  readonly at: number
}

/** Writes a record of each context that may be recorded, later and in batches. Nobody waits for it, and a failure is not an error of the context. */
export class KeptContexts {
  #waiting: Waiting[] = []
  /** Contexts that were not recorded, by session, until a record says so. Only for the sessions of the last ones. */
  readonly #missed = new Map<string, number>()
  #writing: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #held = 0
  #expiredAt = Number.NEGATIVE_INFINITY
  /** By scope: see `begin`. */
  readonly #forgettings = new Map<string, Promise<string>>()
  /** Rises whenever something was forgotten. */
  moment = 0

  /** To be awaited before anything of a context is read. What was read for an earlier context of the scope is good enough. */
  async begin({ store }: KeptContextsWiring, scope: string): Promise<ContextBeginning> {
    const { moment } = this
    let reading = this.#forgettings.get(scope)
    if (reading === undefined) {
      reading = store.keptContexts.forgettings(scope)
      keepNewest(this.#forgettings, scope, reading)
      reading.catch(() => this.#forgettings.delete(scope))
    }
    return { moment, forgettings: await reading }
  }

  add(parts: KeptContextsWiring, built: ContextToRecord): void {
    if (built.begun.moment !== this.moment || this.#waiting.length >= WAITING_MAX) return this.#miss([{ built }])
    this.#waiting.push({ built, id: parts.log.newId(), at: parts.log.clock.now() })
    if (this.#held > 0) return
    if (this.#waiting.length >= BATCH) return void this.settled(parts)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.settled(parts)
    }, WAIT_MS).unref()
  }

  /** Resolves when everything that waits is written. */
  async settled(parts: KeptContextsWiring): Promise<void> {
    while (this.#writing !== undefined || (this.#waiting.length > 0 && this.#held === 0)) {
      this.#writing ??= this.#write(parts).finally(() => (this.#writing = undefined))
      await this.#writing
    }
  }

  /** Writes nothing until the returned function is called, which drops what waits: it may show what is being forgotten. */
  async hold(): Promise<() => void> {
    this.#held += 1
    await this.#writing
    return () => {
      this.#held -= 1
      this.drop()
    }
  }

  drop(): void {
    this.moment += 1
    this.#stopTimer()
    this.#forgettings.clear()
    this.#miss(this.#waiting.splice(0))
  }

  #stopTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  async #write(parts: KeptContextsWiring): Promise<void> {
    this.#stopTimer()
    const batch = this.#waiting.splice(0)
    try {
      const stale = batch.length === 0 ? [] : await parts.store.keptContexts.keep(batch.map((one) => this.#record(one)))
      for (const scope of stale) this.#forgettings.delete(scope)
      await this.#expire(parts).catch(() => undefined)
    } catch {
      // A full disk or a database that is gone: the next write of the caller reports it. Here it only means one record less.
      this.#miss(batch)
    }
  }

  #record({ built, id, at }: Waiting): NewKeptContext {
    const key = sessionKey(built)
    const missed = this.#missed.get(key) ?? 0
    this.#missed.delete(key)
    return recordContext(built, { id, at, missed })
  }

  async #expire({ store, log }: KeptContextsWiring): Promise<void> {
    const now = log.clock.now()
    if (Math.abs(now - this.#expiredAt) < EXPIRE_EVERY_MS) return
    for (let slice = 0; slice < EXPIRE_SLICES_MAX; slice++) {
      if (!(await store.keptContexts.expire(now - KEPT_MS))) return void (this.#expiredAt = now)
      // Nobody else should wait for this.
      await new Promise<void>((resolve) => {
        setTimeout(resolve)
      })
    }
  }

  #miss(contexts: readonly { readonly built: ContextToRecord }[]): void {
    for (const { built } of contexts) {
      const key = sessionKey(built)
      keepNewest(this.#missed, key, (this.#missed.get(key) ?? 0) + 1)
    }
  }
}

function sessionKey({ address: { scope, session } }: ContextToRecord): string {
  return JSON.stringify([scope, session])
}
