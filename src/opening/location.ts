import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isPostgresAddress } from '../domain/postgres-address.ts'
import { refuse } from '../domain/refuse.ts'

/** Where a memory is, and so which driver opens it. */
export type Location =
  | { readonly kind: 'memory' }
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'postgres'; readonly address: string }
  | { readonly kind: 'server'; readonly address: string }

const SCHEME = /^([a-z][a-z0-9+.-]+):(?=\/\/)/i

/** An address that lost a slash or its colon would otherwise become the name of a file, password included. */
const MISSPELT = /^(?:postgres(?:ql)?:|[a-z][a-z0-9+.-]{1,20}:?\/{1,9}[^/]{0,200}:[^/]{0,500}@)/i
const POSTGRES_EXAMPLE =
  'an address such as postgres://user@host:5432/name, with special characters of a password percent-encoded'

/** Reads a location as people write it: `agent.db`, `file:agent.db`, `:memory:`, `postgres://…`, `https://…`. */
export function parseLocation(attempt: string, option: string, text: unknown): Location {
  const wrong = (expected: string): never => refuse(attempt, option, text, expected)
  if (typeof text !== 'string' || text === '' || text.includes('\0'))
    return wrong('a file path, ":memory:", or an address that begins with postgres:// or http://')
  if (/^file:/i.test(text)) return fromFileUrl(text, wrong)
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined) return MISSPELT.test(text) ? wrong(POSTGRES_EXAMPLE) : fromPath(text)
  if (scheme === 'postgres' || scheme === 'postgresql')
    return isPostgresAddress(text) ? { kind: 'postgres', address: text } : wrong(POSTGRES_EXAMPLE)
  if (scheme === 'http' || scheme === 'https') return { kind: 'server', address: text }
  return wrong('a file path, ":memory:", or an address that begins with postgres:// or http://')
}

/** A resolved path is never a URI or an option to SQLite. */
function fromPath(path: string): Location {
  return path === ':memory:' ? { kind: 'memory' } : { kind: 'file', file: resolve(path) }
}

/** Prisma, libSQL and SQLite write `file:agent.db` for a relative path; `file:///tmp/agent.db` is the standard URL. */
function fromFileUrl(text: string, wrong: (expected: string) => never): Location {
  if (/[?#]/.test(text)) return wrong('a file without parameters, such as file:agent.db')
  const path = text.slice('file:'.length)
  if (path === '') return wrong('a path after file:, such as file:agent.db')
  if (!path.startsWith('//')) return fromPath(path)
  if (!URL.canParse(text)) return wrong('a file on this machine, such as file:///var/lib/agent.db')
  const url = new URL(text)
  return url.host === '' || url.host === 'localhost'
    ? fromPath(fileURLToPath(url))
    : wrong('a file on this machine, such as file:agent.db or file:///var/lib/agent.db')
}
