import { hash, randomBytes } from 'node:crypto'
import type { AccessStore } from '../ports/access-store.ts'

/** No answer has it: their names are hashes. */
const SECRET_NAME = 'secret of request digests'
/** It may be gone: one that is at hand for as long costs nothing, and tells nobody anything. */
const AT_HAND_MS = 1_000
/** Later than any time before which answers are deleted: it stays. */
const AT = Number.MAX_SAFE_INTEGER

/**
 * Digests of requests, made with a secret of the memory: a digest alone cannot confirm what a request said. The secret is kept as
 * an answer is, so whatever is forgotten takes it along, in encrypted memories from old backups too: digests from before then
 * tell nothing to anybody. Each names its secret, since those of different secrets cannot be compared.
 */
export class RequestDigests {
  readonly #store: AccessStore
  readonly #now: () => number
  #atHand: Secret & { readonly at: number } = { ...secretOf(''), at: Number.NEGATIVE_INFINITY }

  constructor(store: AccessStore, now: () => number) {
    this.#store = store
    this.#now = now
  }

  /** At once while the secret is at hand. */
  of(request: string | Uint8Array): string | Promise<string> {
    const now = this.#now()
    const age = now - this.#atHand.at
    if (age >= 0 && age < AT_HAND_MS) return digest(this.#atHand, request)
    return this.#secret().then((text) => {
      this.#atHand = { ...secretOf(text), at: now }
      return digest(this.#atHand, request)
    })
  }

  async #secret(): Promise<string> {
    const kept = await this.#store.answer(SECRET_NAME)
    if (kept !== undefined && kept.body !== '') return kept.body
    const body = randomBytes(32).toString('hex')
    const made = { name: SECRET_NAME, request: '', status: 200, body, at: AT }
    // Another server may be faster: then it is theirs.
    const before = await this.#store.changeAnswer(
      SECRET_NAME,
      (row) => (row === undefined || row.body === '' ? made : row),
      0,
    )
    return before === undefined || before.body === '' ? body : before.body
  }
}

const NAME_LENGTH = 16

/** A secret, ready to make digests with. */
interface Secret {
  readonly name: string
  readonly inner: Uint8Array
  readonly outer: Uint8Array
}

function secretOf(text: string): Secret {
  // As long as a block of the hash.
  const key = Buffer.from(text)
  return {
    name: hash('sha256', `name of ${text}`).slice(0, NAME_LENGTH),
    inner: key.map((byte) => byte ^ 0x36),
    outer: key.map((byte) => byte ^ 0x5c),
  }
}

/** An HMAC with SHA-256, made of two plain hashes: Node's own takes three times as long for a small request. */
function digest({ name, inner, outer }: Secret, request: string | Uint8Array): string {
  const bytes = typeof request === 'string' ? Buffer.from(request) : request
  const first = hash('sha256', Buffer.concat([inner, bytes]), 'hex')
  return `${name}${hash('sha256', Buffer.concat([outer, Buffer.from(first, 'hex')])).slice(NAME_LENGTH)}`
}

/** Whether two digests are of different requests, as far as that is known. */
export function areDifferent(a: string, b: string): boolean {
  return a !== b && a.slice(0, NAME_LENGTH) === b.slice(0, NAME_LENGTH)
}
