import { randomBytes } from 'node:crypto'
import { MemoryError } from '../domain/error.ts'
import { quote } from '../domain/refuse.ts'
import type { DataKeyRow, KeyStore } from '../ports/key-store.ts'
import { type CipherKey, cipherKey, decrypt, encrypt, subkey } from './cipher.ts'

/** A data key, ready for use. */
export interface DataKey extends CipherKey, Pick<DataKeyRow, 'id' | 'scope' | 'session' | 'purpose'> {}

/**
 * Whoever can write to the database could put the rows of one session, whole, into another's, where somebody else may read them:
 * they would decrypt, since they name their own key. So a key opens only what stands in its own session.
 *
 * @throws {MemoryError} `store/corrupt` if it is another's.
 */
export function checkKeyOwner(key: DataKey, scope: string, sessions: ReadonlySet<string>): DataKey {
  if (key.scope === scope && sessions.has(key.session)) return key
  throw new MemoryError(
    'store/corrupt',
    `Cannot decrypt a value of ${quote(scope)}: it was written to another session, run verify() and restore from a backup`,
    { scope, sessions: [...sessions], key: key.id },
  )
}

/** As many as a process may work with at once; the others are read again. */
const KEYS_KEPT_MAX = 4_096
const ROWS_PER_PAGE = 500

/** Data keys, unwrapped when they are wanted and kept for a while. */
export class KeyRing {
  readonly #store: KeyStore
  readonly #master: CipherKey
  readonly #masterId: string
  readonly #kept = new Map<string, DataKey>()
  /** For blobs that come before the session that shows them: known to this process only, and gone with it. */
  readonly #passing = new Map<string, DataKey>()

  private constructor(store: KeyStore, master: Uint8Array) {
    this.#store = store
    this.#master = cipherKey(master)
    this.#masterId = idOf(master)
  }

  /**
   * Checks the master key against what is kept. With a former one, what it wrapped is wrapped again.
   *
   * @throws {MemoryError} `encryption/wrong-key` if a data key was wrapped by another.
   */
  static async open(store: KeyStore, master: Uint8Array, former?: Uint8Array): Promise<KeyRing> {
    const ring = new KeyRing(store, master)
    if (former !== undefined) await ring.#rewrap(former)
    const [other] = await store.wrappedBy({ isNot: ring.#masterId }, 1)
    if (other !== undefined) throw ring.#wrongKey(other)
    return ring
  }

  /** At hand, without waiting. */
  kept(id: string): DataKey | undefined {
    return this.#kept.get(id)
  }

  async byId(id: string): Promise<DataKey | undefined> {
    const kept = this.#kept.get(id)
    if (kept !== undefined) return kept
    const row = await this.#store.byId(id)
    return row === undefined ? undefined : this.#keep(row)
  }

  /** As the store has it now, whatever is at hand here. */
  async fresh(id: string): Promise<DataKey | undefined> {
    const row = await this.#store.byId(id)
    return row === undefined ? undefined : this.#keep(row)
  }

  /** A new one for a session that begins or that gets another, durable before anything is encrypted with it. */
  async begin(scope: string, session: string): Promise<DataKey> {
    const row = this.#fresh(scope, session, 'content')
    await this.#store.add(row)
    return this.#keep(row)
  }

  /** The one for a session's state, made if there is none. Not taken from what is kept: the session may have been forgotten since. */
  async forState(scope: string, session: string): Promise<DataKey> {
    const found = await this.#store.ofState(scope, session)
    if (found !== undefined) return this.#keep(found)
    await this.#store.add(this.#fresh(scope, session, 'state'))
    const made = await this.#store.ofState(scope, session)
    if (made === undefined)
      throw new MemoryError('store/failed', 'Cannot store a data key: it was already destroyed', {})
    return this.#keep(made)
  }

  /** Of the sessions of a scope, and the one for blobs that came before theirs. */
  async ofScope(scope: string): Promise<readonly DataKey[]> {
    const passing = this.#passing.get(scope)
    const rows = (await this.#store.ofScope(scope)).map((row) => this.#keep(row))
    return passing === undefined ? rows : [...rows, passing]
  }

  passing(scope: string): DataKey {
    const found = this.#passing.get(scope)
    if (found !== undefined) return found
    const key: DataKey = {
      id: randomBytes(16).toString('hex'),
      scope,
      session: '',
      purpose: 'content',
      ...cipherKey(randomBytes(32)),
    }
    this.#passing.set(scope, key)
    this.#kept.set(key.id, key)
    return key
  }

  async stateKeyOf(scope: string, session: string): Promise<string | undefined> {
    return (await this.#store.ofState(scope, session))?.id
  }

  /** Of a session's state and of its blocks. */
  async stateKeysOf(scope: string, session: string): Promise<readonly string[]> {
    return (await this.#store.ofStateAndBlocks(scope, session)).map(({ id }) => id)
  }

  /** Of the state of this name in a scope and in all scopes below it. */
  async stateKeysBelow(scope: string, session: string): Promise<readonly string[]> {
    return (await this.#store.ofStateBelow(scope, session)).map(({ id }) => id)
  }

  async destroy(ids: readonly string[]): Promise<void> {
    await this.#store.destroy(ids)
    for (const id of ids) this.#kept.delete(id)
  }

  destructions(): Promise<number> {
    return this.#store.destructions()
  }

  close(): Promise<void> {
    return this.#store.close()
  }

  #fresh(scope: string, session: string, purpose: DataKeyRow['purpose']): DataKeyRow {
    const row = { id: randomBytes(16).toString('hex'), scope, session, purpose }
    return { ...row, master: this.#masterId, wrapped: encrypt(this.#master, placeOf(row), randomBytes(32)) }
  }

  #keep(row: DataKeyRow): DataKey {
    const kept = this.#kept.get(row.id)
    if (kept !== undefined) return kept
    const { id, scope, session, purpose } = row
    const key = { id, scope, session, purpose, ...cipherKey(this.#unwrap(row)) }
    const [oldest] = this.#kept.keys()
    if (this.#kept.size >= KEYS_KEPT_MAX && oldest !== undefined) this.#kept.delete(oldest)
    this.#kept.set(id, key)
    return key
  }

  #unwrap(row: DataKeyRow): Uint8Array {
    if (row.master !== this.#masterId) throw this.#wrongKey(row)
    return decrypt(this.#master, placeOf(row), row.wrapped)
  }

  /** Page by page: if it is interrupted, it resumes the next time. */
  async #rewrap(former: Uint8Array): Promise<void> {
    const is = idOf(former)
    if (is === this.#masterId) return
    const before = cipherKey(former)
    for (;;) {
      const rows = await this.#store.wrappedBy({ is }, ROWS_PER_PAGE)
      // What is left of the old wrapping would be of use to whoever has the old master key.
      if (rows.length === 0) return void (await this.#store.destroy([]))
      await this.#store.rewrap(
        rows.map((row) => ({
          id: row.id,
          master: this.#masterId,
          wrapped: encrypt(this.#master, placeOf(row), decrypt(before, placeOf(row), row.wrapped)),
        })),
      )
    }
  }

  #wrongKey({ master }: DataKeyRow): MemoryError {
    return new MemoryError(
      'encryption/wrong-key',
      `Cannot open the content: its data keys are wrapped by the master key ${master}, found ${this.#masterId}, expected that one or it as encryption.former`,
      { found: this.#masterId, expected: master },
    )
  }
}

/** Tells master keys apart and tells nothing of them. */
function idOf(master: Uint8Array): string {
  return subkey(master, 'master key id').toString('hex', 0, 8)
}

function placeOf({ id, scope, session, purpose }: Pick<DataKeyRow, 'id' | 'scope' | 'session' | 'purpose'>): string {
  return JSON.stringify(['data key', id, scope, session, purpose])
}
