import type { Keys } from '../api/keys.ts'
import { createHash, randomBytes } from 'node:crypto'
import type { NewKeyOptions } from '../api/keys.ts'
import { MemoryError } from '../domain/error.ts'
import { type Key, type NewKey, type Verb, verbs } from '../domain/key.ts'
import { parseTime } from '../domain/moment.ts'
import { quote } from '../domain/refuse.ts'
import type { AccessKeyRow } from '../ports/access-store.ts'
import { checkCall } from '../surface/check-call.ts'
import { keyOperations } from '../surface/keys.ts'
import type { Wiring } from './wiring.ts'

/** 256 bits: beyond guessing, so a fast hash is enough to store it. */
const SECRET_BYTES = 32
const ID_BYTES = 8
const TOKEN = /^dbk_([0-9a-f]{16})_[\w-]{43}$/

/** The one that works on a store of its own. */
export class LocalKeys implements Keys {
  readonly #parts: Wiring

  /** @internal Use `memory.keys`. */
  constructor(parts: Wiring) {
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
      throw new MemoryError('access/not-found', `Cannot revoke key ${quote(id)}: found none of that id`, { id })
    return keyFromRow(row)
  }
}

/** The id in a token; `undefined` if it is not one of ours. */
export function idOfToken(token: string): string | undefined {
  return TOKEN.exec(token)?.[1]
}

export function hashOfToken(token: string): Uint8Array {
  return createHash('sha256').update(token).digest()
}

export function keyFromRow({ id, name, scope, can, ...times }: AccessKeyRow): Key {
  return {
    id,
    name,
    scope,
    can: can.split(',') as readonly Verb[],
    createdAt: new Date(times.createdAt).toISOString(),
    expiresAt: isoOrNull(times.expiresAt),
    revokedAt: isoOrNull(times.revokedAt),
    lastUsedAt: isoOrNull(times.lastUsedAt),
  }
}

function isoOrNull(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}
