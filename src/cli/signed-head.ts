import { type KeyObject, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { MemoryHead } from '../api/upkeep.ts'
import { CommandError } from './exit-status.ts'

/** A statement of heads in a file. */
export interface SignedHead extends MemoryHead {
  readonly signature: 'unsigned' | HeadSignature
}

interface HeadSignature {
  readonly algorithm: 'ed25519'
  /** The public key: SPKI, DER, base64. */
  readonly publicKey: string
  readonly value: string
}

/** Signs a statement with the Ed25519 key of a PEM file, or labels it as unsigned. */
export async function signHead(head: MemoryHead, keyFile: string | undefined): Promise<SignedHead> {
  if (keyFile === undefined) return { ...head, signature: 'unsigned' }
  const key = await readKey(keyFile, createPrivateKey, 'a private Ed25519 key')
  const value = sign(null, bytesOf(head), key).toString('base64')
  return { ...head, signature: { algorithm: 'ed25519', publicKey: encoded(createPublicKey(key)), value } }
}

/**
 * Reads a statement from a file and checks its signature, with the key of another file if one is given. The check of the statement
 * itself is left to the library.
 */
export async function readHead(
  file: string,
  keyFile: string | undefined,
): Promise<{ readonly head: MemoryHead; readonly signedBy: string | null }> {
  const { signature, ...head } = parse(file, await readText(file))
  if (signature === undefined || signature === 'unsigned') {
    if (keyFile !== undefined) throw new CommandError('damaged', `The statement in ${quoted(file)} is not signed`)
    return { head, signedBy: null }
  }
  const given = keyFile === undefined ? undefined : await readKey(keyFile, createPublicKey, 'an Ed25519 key')
  if (given !== undefined && encoded(given) !== signature.publicKey)
    throw new CommandError('damaged', `The statement in ${quoted(file)} was signed with another key`)
  if (!isSignedBy(head, signature))
    throw new CommandError('damaged', `The statement in ${quoted(file)} was changed after it was signed`)
  return { head, signedBy: signature.publicKey }
}

function isSignedBy(head: MemoryHead, { publicKey, value }: HeadSignature): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
    return verify(null, bytesOf(head), key, Buffer.from(value, 'base64'))
  } catch {
    return false
  }
}

/** What is signed: the statement as JSON with its fields in one order, however the file is laid out. */
function bytesOf({ format, at, sessions, knowledge, state, audit, rows }: MemoryHead): Buffer {
  return Buffer.from(
    JSON.stringify([
      format,
      at,
      sessions.map(({ key, scope, session, seq, version, link }) => [key, scope, session, seq, version, link]),
      knowledge.map(({ root, version }) => [root, version]),
      state.map(({ scope, session, version }) => [scope, session, version]),
      audit === null ? null : [audit.number, audit.chain],
      rows.map(({ table, scope, session, hashes }) => [table, scope, session, hashes]),
    ]),
  )
}

function parse(file: string, text: string): MemoryHead & { readonly signature?: SignedHead['signature'] } {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && 'format' in value) return value as SignedHead
  } catch {
    // the same error as for JSON of another kind
  }
  throw new CommandError('usage', `Cannot read ${quoted(file)}: expected a statement that "daybook head" printed`)
}

async function readKey(file: string, make: (pem: string) => KeyObject, wanted: string): Promise<KeyObject> {
  const text = await readText(file)
  try {
    const key = make(text)
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // the same error as for a key of another kind
  }
  throw new CommandError(
    'usage',
    `Cannot use ${quoted(file)}: expected ${wanted} in PEM; make one with: openssl genpkey -algorithm ed25519`,
  )
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new CommandError('notFound', `Cannot read ${quoted(file)}: ${(error as NodeJS.ErrnoException).code}`)
  }
}

function encoded(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).toString('base64')
}

function quoted(text: string): string {
  return JSON.stringify(text)
}
