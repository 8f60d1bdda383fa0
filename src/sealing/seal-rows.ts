import { createHmac } from 'node:crypto'
import { MARK, type Sealed, isSealed, readSealed, writeSealed } from '../domain/sealed.ts'
import type { AmendmentRow, Blob, MessageRow } from '../ports/log-store.ts'
import { decrypt, encrypt } from './cipher.ts'
import type { DataKey } from './key-ring.ts'

/**
 * Stands where the salt was, which is sealed with the content: without it the digest beside tells nothing. It has neither
 * the length of a salt nor the length of a tombstone's.
 */
const NO_SALT = Buffer.from([1])
const IMPORTED = ',"imported":true}'

type Salted = Pick<MessageRow, 'body' | 'salt'>
type RowAddress = Pick<AmendmentRow, 'seq' | 'version'> & { readonly kind?: AmendmentRow['kind'] }

/** Tombstones, and changes that say nothing, have nothing to hide. Why something was forgotten stays readable for whoever verifies. */
function hidesNothing({ body, salt, kind }: Salted & RowAddress): boolean {
  return body === '' || salt.length === 0 || kind === 'forget' || isSealed(body)
}

export function sealRow<Row extends Salted & RowAddress>(key: DataKey, row: Row): Row {
  if (hidesNothing(row)) return row
  const { body, salt } = row
  const imported = row.kind === undefined && body.endsWith(IMPORTED) ? (true as const) : undefined
  const blobs = hashesIn(body).map((hash) => ({ hash: blobName(key, hash) }))
  const content = Buffer.concat([Buffer.from([salt.length]), salt, Buffer.from(body)])
  const data = encrypt(key, placeOf(key, row, { blobs, imported }), content).toString('base64')
  return { ...row, salt: NO_SALT, body: writeSealed({ key: key.id, blobs, data, ...(imported && { imported }) }) }
}

export function openRow<Row extends Salted & RowAddress>(key: DataKey, row: Row): Row {
  const { blobs = [], imported, data } = readSealed(row.body)
  const content = decrypt(key, placeOf(key, row, { blobs, imported }), Buffer.from(data, 'base64'))
  const end = 1 + (content[0] ?? 0)
  return { ...row, salt: content.subarray(1, end), body: content.toString('utf8', end) }
}

/** The associated data: scope, session and sequence; and what else stands in the clear beside the content. */
function placeOf(
  { scope, session }: DataKey,
  { seq, version, kind = undefined }: RowAddress,
  { blobs, imported }: { readonly blobs: Sealed['blobs']; readonly imported: true | undefined },
): string {
  return JSON.stringify([
    scope,
    session,
    seq,
    version,
    kind ?? 'message',
    blobs?.map(({ hash }) => hash),
    imported === true,
  ])
}

/** A text that is on its own: a description, a value of a state. */
export function sealText(key: DataKey, place: readonly (string | number)[], text: string): string {
  const data = encrypt(key, textPlace(key, place), Buffer.from(JSON.stringify(text))).toString('base64')
  return writeSealed({ key: key.id, data })
}

export function openText(key: DataKey, place: readonly (string | number)[], text: string): string {
  const { data } = readSealed(text)
  return JSON.parse(decrypt(key, textPlace(key, place), Buffer.from(data, 'base64')).toString()) as string
}

export function sealDescription(key: DataKey, description: string | null): string {
  return sealText(key, ['description'], JSON.stringify(description))
}

function textPlace({ scope, session }: DataKey, place: readonly (string | number)[]): string {
  return JSON.stringify([scope, session, ...place])
}

const ID_BYTES = 16

export function sealBytes(key: DataKey, place: readonly string[], bytes: Uint8Array): Uint8Array {
  return Buffer.concat([MARK, Buffer.from(key.id, 'hex'), encrypt(key, textPlace(key, place), bytes)])
}

/** Which key opens these bytes; `undefined` if they are not sealed. */
export function keyOfBytes(bytes: Uint8Array): string | undefined {
  if (Buffer.compare(bytes.subarray(0, MARK.length), MARK) !== 0) return undefined
  return Buffer.from(bytes.subarray(MARK.length, MARK.length + ID_BYTES)).toString('hex')
}

export function openBytes(key: DataKey, place: readonly string[], bytes: Uint8Array): Uint8Array {
  return decrypt(key, textPlace(key, place), bytes.subarray(MARK.length + ID_BYTES))
}

/** A blob is stored under a name that only its session's key can tell from its hash: the hash would tell what it is. */
export function blobName(key: DataKey, hash: string): string {
  return createHmac('sha256', key.names).update(hash).digest('hex')
}

export function sealBlob(key: DataKey, { hash, bytes }: Blob): Blob {
  const name = blobName(key, hash)
  return { hash: name, bytes: sealBytes(key, ['blob', name], bytes) }
}

export function openBlob(key: DataKey, { hash, bytes }: Blob): Uint8Array {
  return openBytes(key, ['blob', hash], bytes)
}

/** Hashes of the blobs that a body shows, as forgetting finds them too. */
export function hashesIn(body: string): readonly string[] {
  return [...new Set([...body.matchAll(/"hash":"([0-9a-f]{64})"/g)].map((found) => found[1] ?? ''))]
}
