import { readFile } from 'node:fs/promises'
import { MemoryError } from '../domain/error.ts'
import type { KeySource } from '../domain/key-source.ts'
import { quote, refuse } from '../domain/refuse.ts'

const KEY_BYTES = 32
/** Somebody may have to touch a token or to type a password first. */
const COMMAND_MS_MAX = 60_000
const WANTED = '32 bytes, or their 64 hexadecimal digits or base64; make one with: openssl rand -hex 32' as const

/**
 * Reads a key from where it is kept. A pass phrase is none: what people can remember, others can guess.
 *
 * @throws {MemoryError} `encryption/unreadable-key` if the source has none; `input/invalid` if what it has is no key.
 */
export async function readKey(option: string, source: KeySource): Promise<Uint8Array> {
  if (typeof source === 'string') return parseKey(option, source)
  if (source instanceof Uint8Array) return keyOfBytes(option, source)
  const [[kind, value] = [], ...more] = Object.entries((source as object | null | undefined) ?? {})
  if (more.length === 0 && isName(value)) {
    if (kind === 'env') return parseKey(option, fromEnvironment(option, value))
    if (kind === 'path') return fromFile(option, value)
  }
  if (more.length === 0 && kind === 'command' && Array.isArray(value) && value.length > 0 && value.every(isName))
    return parseKey(option, await fromCommand(option, value))
  // Not quoted: it may be a key in the wrong place.
  return refuse(
    'open a memory',
    option,
    typeof source,
    'a key, { env }, { path } or { command: [program, …arguments] }',
  )
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !value.includes('\0')
}

function fromEnvironment(option: string, name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '')
    throw unreadable(option, `the environment variable ${shown(name)} is not set`, named('env', name))
  return value
}

async function fromFile(option: string, path: string): Promise<Uint8Array> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (error) {
    // The cause quotes the path.
    const cause = isKeyLike(path) ? undefined : error
    throw unreadable(option, `the file ${shown(path)} cannot be read (${codeOf(error)})`, named('path', path), cause)
  }
  return bytes.length === KEY_BYTES ? new Uint8Array(bytes) : parseKey(option, bytes.toString('latin1'))
}

async function fromCommand(option: string, [program = '', ...rest]: readonly string[]): Promise<string> {
  // Loaded here: few keys come from a command, and every program that opens a memory would load it.
  const [{ execFile }, { promisify }] = await Promise.all([import('node:child_process'), import('node:util')])
  try {
    const { stdout } = await promisify(execFile)(program, rest, { timeout: COMMAND_MS_MAX, windowsHide: true })
    return stdout
  } catch (error) {
    // Without what it wrote: that may be the key.
    throw unreadable(option, `the command ${shown(program)} failed (${codeOf(error)})`, named('command', program))
  }
}

const HEX = /^[0-9a-f]{64}$/i
const BASE64 = /^[\w+/-]{43}=?$/

/** A key where the name of its place is wanted is a mistake that is easily made, and errors are logged. */
function isKeyLike(text: string): boolean {
  return HEX.test(text.trim()) || BASE64.test(text.trim())
}

function shown(name: string): string {
  return isKeyLike(name) ? 'whose name looks like a key' : quote(name)
}

function named(kind: 'env' | 'path' | 'command', name: string): Record<string, unknown> {
  return isKeyLike(name) ? {} : { [kind]: name }
}

function codeOf(error: unknown): string {
  return String((error as { readonly code?: unknown }).code ?? 'no code')
}

function parseKey(option: string, text: string): Uint8Array {
  const trimmed = text.trim()
  if (HEX.test(trimmed)) return new Uint8Array(Buffer.from(trimmed, 'hex'))
  if (BASE64.test(trimmed)) return keyOfBytes(option, Buffer.from(trimmed, 'base64'))
  throw noKey(option, `a text of ${trimmed.length} characters`)
}

function keyOfBytes(option: string, bytes: Uint8Array): Uint8Array {
  if (bytes.length !== KEY_BYTES) throw noKey(option, `${bytes.length} bytes`)
  return new Uint8Array(bytes)
}

/** Says how long it is and nothing more. */
function noKey(option: string, found: string): MemoryError {
  return new MemoryError('input/invalid', `Cannot open a memory: ${option} is ${found}, expected ${WANTED}`, { option })
}

function unreadable(option: string, found: string, details: Record<string, unknown>, cause?: unknown): MemoryError {
  return new MemoryError(
    'encryption/unreadable-key',
    `Cannot read the key for ${option}: ${found}, expected ${WANTED}`,
    { option, ...details },
    cause,
  )
}
