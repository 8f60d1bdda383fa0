import { createHash } from 'node:crypto'

/** With the longest ending this stays below the 255 bytes that file systems allow. */
const NAME_CHARACTERS_MAX = 180
const PREFIX_CHARACTERS = 100
/** Names that Windows keeps for devices, with whatever ending. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/

/**
 * A file name for a session id: small letters, digits, `-`, `_` and `.` as they are, a capital as `+` and its small letter,
 * every other byte as `%` and two digits. So no two ids share a file where case or Unicode forms do not count, none begins
 * with a dot, and none is a path. An id that would be too long is cut and ends in `~` and its hash.
 */
export function encodeName(id: string): string {
  const name = escapeId(id)
  if (name.length <= NAME_CHARACTERS_MAX) return name
  // Not in the middle of an escape.
  const prefix = name.slice(0, PREFIX_CHARACTERS).replace(/[%+][0-9a-f]?$/, '')
  return `${prefix}~${createHash('sha256').update(id).digest('hex')}`
}

/** The id behind a name; `cut` where only the file itself can tell; `undefined` if it is no name of ours. */
export function decodeName(name: string): { readonly id: string } | 'cut' | undefined {
  if (/^[^~]*~[0-9a-f]{64}$/.test(name)) return 'cut'
  const bytes: number[] = []
  for (const [token] of name.matchAll(/\+[a-z]|%[0-9a-f]{2}|[^]/g)) {
    if (token.length === 3) bytes.push(Number.parseInt(token.slice(1), 16))
    else bytes.push((token.length === 2 ? token.slice(1).toUpperCase() : token).charCodeAt(0))
  }
  const id = Buffer.from(bytes).toString('utf8')
  return id !== '' && encodeName(id) === name ? { id } : undefined
}

/** Whether another program may have given a file this name and meant a session of the same id. */
export function isForeignName(name: string): boolean {
  return decodeName(name) === undefined && !name.startsWith('.') && !/[/\\\p{Cc}]/u.test(name) && name.isWellFormed()
}

function escapeId(id: string): string {
  const name = [...Buffer.from(id, 'utf8')].map(escapeByte).join('')
  return name.startsWith('.') || RESERVED.test(name) ? `${hex(name.charCodeAt(0))}${name.slice(1)}` : name
}

function escapeByte(byte: number): string {
  const character = String.fromCharCode(byte)
  if (/[a-z0-9._-]/.test(character)) return character
  return /[A-Z]/.test(character) ? `+${character.toLowerCase()}` : hex(byte)
}

function hex(byte: number): string {
  return `%${byte.toString(16).padStart(2, '0')}`
}
