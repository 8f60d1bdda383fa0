import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { MemoryError } from '../domain/error.ts'
import { checkId } from '../domain/names.ts'
import type { AccessStore, AnswerRow } from '../ports/access-store.ts'
import type { Replay } from './replay.ts'
import { areDifferent } from './request-digests.ts'

const KEPT_MS = 24 * 60 * 60 * 1_000
/** Whoever works on a request says so this often; another server believes it dead when it has not for as long. */
const LEASE_MS = 2_000
const LOOK_MS = 50
/** The status of an answer that is not there yet. */
const BEGUN = 0

export interface KeptResponse {
  readonly status: number
  readonly body: string
}

interface Named {
  readonly keyId: string
  readonly operation: string
  readonly idempotencyKey: string
  /** Digest of method, address and body. */
  readonly request: string
}

/** What is to be done once, and how to tell later whether it was. */
export interface RepeatableWork {
  readonly again: Replay | undefined
  run(): Promise<KeptResponse>
  /** An answer made from what `again` found. */
  answer(value: unknown): KeptResponse
}

/**
 * Does a write once for each `Idempotency-Key`: the same request again within a day is told what the first was told, also
 * while the first still runs. Before it is done it is written down as begun, with what was there; so a server that starts after
 * a crash can tell whether it was done, or says that it cannot, and never does it twice. Refusals are not kept: nothing was
 * done, and it may go well next time.
 */
export class Idempotency {
  readonly #store: AccessStore
  readonly #now: () => number
  readonly #running = new Map<string, { readonly request: string; readonly answer: Promise<KeptResponse> }>()

  constructor(store: AccessStore, now: () => number) {
    this.#store = store
    this.#now = now
  }

  async once({ keyId, operation, idempotencyKey, request }: Named, work: RepeatableWork): Promise<KeptResponse> {
    const name = sha256(JSON.stringify([keyId, operation, idempotencyKey]))
    const running = this.#running.get(name)
    if (running !== undefined) {
      if (areDifferent(running.request, request)) throw conflict()
      return running.answer
    }
    const answer = this.#answer(name, request, work)
    this.#running.set(name, { request, answer })
    try {
      return await answer
    } finally {
      this.#running.delete(name)
    }
  }

  async #answer(name: string, request: string, work: RepeatableWork): Promise<KeptResponse> {
    for (;;) {
      const kept = await this.#begin(name, request, work)
      if (kept === undefined) return this.#do(name, request, work)
      if (areDifferent(kept.request, request)) throw conflict()
      if (kept.status !== BEGUN) return answerOf(kept)
      // Another server may be at it, or was when it ended.
      if (this.#now() - kept.at < LEASE_MS) await setTimeout(LOOK_MS)
      else if (await this.#takeOver(kept)) return this.#resume(kept, work)
    }
  }

  /** Nothing if it is ours to do now; otherwise what is known of the first try. */
  async #begin(name: string, request: string, { again }: RepeatableWork): Promise<AnswerRow | undefined> {
    const kept = await this.#store.answer(name)
    const now = this.#now()
    if (kept !== undefined && now - kept.at < KEPT_MS) return kept
    // What can be done twice needs no mark: it is done again.
    if (again?.harmless === true) return undefined
    const before = again === undefined ? null : await again.before()
    const mark: AnswerRow = { name, request, status: BEGUN, body: JSON.stringify(before), at: now }
    return this.#store.changeAnswer(
      name,
      (row) => (row === undefined || now - row.at >= KEPT_MS ? mark : row),
      now - KEPT_MS,
    )
  }

  /** The first try is dead: is it done? */
  async #resume(mark: AnswerRow, work: RepeatableWork): Promise<KeptResponse> {
    const { name, request } = mark
    const outcome = work.again === undefined ? 'unknown' : await work.again.outcome(JSON.parse(mark.body))
    if (outcome === 'not done') return this.#do(name, request, work)
    if (outcome === 'unknown')
      throw notRepeated('the server stopped while it ran, so it may or may not have been done', 'unknown')
    return this.#keep(name, request, work.answer(outcome.value))
  }

  async #do(name: string, request: string, work: RepeatableWork): Promise<KeptResponse> {
    const alive = setInterval(() => void this.#renew(name).catch(() => undefined), LEASE_MS / 3).unref()
    let answer: KeptResponse
    try {
      answer = await work.run()
    } catch (error) {
      if (isRefusal(error)) await this.#store.changeAnswer(name, (row) => (row?.status === BEGUN ? null : row), 0)
      throw error
    } finally {
      clearInterval(alive)
    }
    return this.#keep(name, request, answer)
  }

  async #keep(name: string, request: string, answer: KeptResponse): Promise<KeptResponse> {
    const now = this.#now()
    await this.#store.keepAnswer({ name, request, ...answer, at: now }, now - KEPT_MS)
    return answer
  }

  async #renew(name: string): Promise<void> {
    const at = this.#now()
    await this.#store.changeAnswer(name, (row) => (row?.status === BEGUN ? { ...row, at } : row), 0)
  }

  /** Of several servers that wait for a dead one, one goes on. */
  async #takeOver(mark: AnswerRow): Promise<boolean> {
    const at = this.#now()
    const isSame = (row: AnswerRow | undefined): boolean => row?.status === BEGUN && row.at === mark.at
    const found = await this.#store.changeAnswer(mark.name, (row) => (isSame(row) ? { ...mark, at } : row), 0)
    return isSame(found)
  }
}

function answerOf({ status, body }: AnswerRow): KeptResponse {
  if (body === '') throw notRepeated('it was done, and its response was deleted when something was forgotten', 'done')
  return { status, body }
}

/** Whether nothing was done. What the disk or a stranger says proves nothing. */
function isRefusal(error: unknown): boolean {
  return MemoryError.is(error) && !['store/unknown', 'store/failed', 'server/failed'].includes(error.code)
}

/** The header of a write, if there is one. */
export function idempotencyKeyOf(headers: Pick<Headers, 'get'>): string | undefined {
  const key = headers.get('idempotency-key')
  if (key === null) return undefined
  checkId('read the request', 'Idempotency-Key', key)
  return key
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function conflict(): MemoryError {
  return new MemoryError('access/key-conflict', 'Cannot use this Idempotency-Key: it was used for another request')
}

function notRepeated(why: string, outcome: 'done' | 'unknown'): MemoryError {
  return new MemoryError(
    'access/not-repeated',
    `Cannot repeat the response to this request: ${why}; check whether it was done, and if not, send it with a new Idempotency-Key`,
    { outcome },
  )
}
