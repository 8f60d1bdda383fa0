import type { Keys } from '../api/keys.ts'
import { randomBytes } from 'node:crypto'
import type { NewKeyOptions } from '../api/keys.ts'
import { MemoryError } from '../domain/error.ts'
import { type Key, type NewKey, verbs } from '../domain/key.ts'
import { parseTime } from '../domain/moment.ts'
import { quote } from '../domain/refuse.ts'
import { hashOfToken, keyFromRow } from './stored-key.ts'
import type { AccessKeyRow } from '../ports/access-store.ts'
import { checkCall } from '../surface/check-call.ts'
import { keyOperations } from '../surface/keys.ts'
import type { AccessWiring } from './wiring.ts'

/** 256 bits: beyond guessing, so a fast hash is enough to store it. */
const SECRET_BYTES = 32
const ID_BYTES = 8

/** The one that works on a store of its own. */
export class LocalKeys implements Keys {
  readonly #parts: AccessWiring

  /** @internal Use `memory.keys`. */
  constructor(parts: AccessWiring) {
    this.#parts = parts
  }

  async create(options: NewKeyOptions): Promise<NewKey> {
    checkCall(keyOperations.create, options)
    const { scope, can, name = 'unnamed', expiresAt = null } = options
    const { work, store, log } = this.#parts
    work.checkOpen()
    const id = randomBytes(ID_BYTES).toString('hex')
    const token = `dbk_${id}_${randomBytes(SECRET_BYTES).toString('base64url')}`
    const row: AccessKeyRow = {
      id,
      name,
      scope,
      can: verbs.filter((verb) => can.includes(verb)).join(','),
      hash: hashOfToken(token),
      createdAt: log.clock.now(),
      expiresAt: expiresAt === null ? null : parseTime('make a key', 'expiresAt', expiresAt),
      revokedAt: null,
      lastUsedAt: null,
    }
    await work.begin(store.access.addKey(row))
    return { ...keyFromRow(row), token }
  }

  async list(): Promise<readonly Key[]> {
    this.#parts.work.checkOpen()
    return (await this.#parts.store.access.keys()).map(keyFromRow)
  }

  async revoke(id: string): Promise<Key> {
    checkCall(keyOperations.revoke, id)
    const { work, store, log } = this.#parts
    work.checkOpen()
    const now = log.clock.now()
    const row = await work.begin(store.access.updateKey(id, (key) => ({ ...key, revokedAt: key.revokedAt ?? now })))
    if (row === undefined)
      throw new MemoryError('access/not-found', `Cannot revoke key ${quote(id)}: there is none with this id`, { id })
    return keyFromRow(row)
  }
}
