import { hash } from 'node:crypto'
import type { Key, Verb } from '../domain/key.ts'
import type { AccessKeyRow } from '../ports/access-store.ts'

const TOKEN = /^dbk_([0-9a-f]{16})_[\w-]{43}$/

/** The id in a token; `undefined` if it is not one of ours. */
export function idOfToken(token: string): string | undefined {
  return TOKEN.exec(token)?.[1]
}

export function hashOfToken(token: string): Uint8Array {
  // By way of hexadecimal: Node makes a buffer of its own more slowly.
  return Buffer.from(hash('sha256', token, 'hex'), 'hex')
}

/** Requests that arrive together share the row of their key. */
const keys = new WeakMap<AccessKeyRow, Key>()

export function keyFromRow(row: AccessKeyRow): Key {
  let key = keys.get(row)
  if (key === undefined) keys.set(row, (key = readKey(row)))
  return key
}

function readKey({ id, name, scope, can, ...times }: AccessKeyRow): Key {
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
