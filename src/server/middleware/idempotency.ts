import { createHash } from 'node:crypto'
import { MemoryError } from '../../domain/error.ts'
import { checkId } from '../../domain/names.ts'
import type { AccessStore } from '../../ports/access-store.ts'

const KEPT_MS = 24 * 60 * 60 * 1_000

export interface Answer {
  readonly status: number
  readonly body: string
}

interface Named {
  readonly keyId: string
  readonly operation: string
  readonly idempotencyKey: string
  /** SHA-256 of method, address and body. */
  readonly request: string
}

/**
 * Does a write once for each `Idempotency-Key`: the same request again within a day is told what the first was told, also
 * while the first still runs. Refusals are not kept: nothing was done, and it may go well next time.
 */
export class Idempotency {
  readonly #store: AccessStore
  readonly #now: () => number
  readonly #running = new Map<string, { readonly request: string; readonly answer: Promise<Answer> }>()

  constructor(store: AccessStore, now: () => number) {
    this.#store = store
    this.#now = now
  }

  async once({ keyId, operation, idempotencyKey, request }: Named, run: () => Promise<Answer>): Promise<Answer> {
    const name = sha256(JSON.stringify([keyId, operation, idempotencyKey]))
    const running = this.#running.get(name)
    if (running !== undefined) {
      if (running.request !== request) throw conflict()
      return running.answer
    }
    const answer = this.#answer(name, request, run)
    this.#running.set(name, { request, answer })
    try {
      return await answer
    } finally {
      this.#running.delete(name)
    }
  }

  async #answer(name: string, request: string, run: () => Promise<Answer>): Promise<Answer> {
    const now = this.#now()
    const kept = await this.#store.answer(name)
    if (kept !== undefined && now - kept.at < KEPT_MS) {
      if (kept.request !== request) throw conflict()
      return { status: kept.status, body: kept.body }
    }
    const answer = await run()
    await this.#store.keepAnswer({ name, request, ...answer, at: now }, now - KEPT_MS)
    return answer
  }
}

/** The header of a write, if there is one. */
export function idempotencyKeyOf(headers: Headers): string | undefined {
  const key = headers.get('idempotency-key')
  if (key === null) return undefined
  checkId('read the request', 'Idempotency-Key', key)
  return key
}

export function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex')
}

function conflict(): MemoryError {
  return new MemoryError('access/key-conflict', 'Cannot do that: this Idempotency-Key was used for another request')
}
