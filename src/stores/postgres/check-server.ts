import type { Danger } from '../../domain/danger.ts'
import { MemoryError } from '../../domain/error.ts'
import type { Pool } from './pool.ts'

const VERSION_MIN = 15

/** What a server says of itself and of our role. */
export interface ServerFindings {
  readonly version: number
  readonly fsync: string
  readonly fullPageWrites: string
  readonly synchronousCommit: string
  readonly encoding: string
  readonly superuser: boolean
  readonly bypass: boolean
  readonly role: string
  readonly standby: boolean
}

/** What a role may become it is: one statement later it has all that the other may do. */
const SERVER = `SELECT current_setting('server_version_num')::int AS "version", current_setting('fsync') AS "fsync",
    current_setting('full_page_writes') AS "fullPageWrites", current_setting('server_encoding') AS "encoding",
    (SELECT reset_val FROM pg_settings WHERE name = 'synchronous_commit') AS "synchronousCommit",
    bool_or(r.rolsuper) AS "superuser", bool_or(r.rolbypassrls) AS "bypass", current_user::text AS "role",
    pg_is_in_recovery() AS "standby"
  FROM pg_roles r WHERE pg_has_role(r.oid, 'MEMBER')`

export const REMEDY =
  'expected one of its own: CREATE ROLE app LOGIN PASSWORD …, its address for the memory, and this one as postgres.migrate'

/** A danger that does not stop the memory, in words for a person. */
export type Warn = (danger: Danger | 'synchronous-commit-off' | 'owner', message: string) => void

/** Refuses a server or a role that would break a promise of ours. Answers with the name of the role. */
export async function checkServer(pool: Pool, accept: readonly Danger[], warn: Warn): Promise<string> {
  const server = await factsOf(pool)
  for (const [danger, words] of refuseUnfit(server, accept)) warn(danger, words)
  if (server.synchronousCommit === 'off')
    warn(
      'synchronous-commit-off',
      'synchronous_commit is off: others on this server may lose what was acknowledged; it is switched on for this memory',
    )
  return server.role
}

/** Of a standby only the role matters: what is written there is written by its primary. */
export async function checkReplica(pool: Pool, accept: readonly Danger[], warn: Warn): Promise<void> {
  const server = { ...(await factsOf(pool)), standby: false, fsync: 'on', fullPageWrites: 'on' }
  for (const [danger, words] of refuseUnfit(server, accept)) warn(danger, words)
}

async function factsOf(pool: Pool): Promise<ServerFindings> {
  const server = await pool.using('connect to PostgreSQL', async (link) => {
    const [found] = (await link.send({ text: SERVER, values: [], gives: 'rows' })) as readonly ServerFindings[]
    return found
  })
  if (server === undefined)
    throw new MemoryError('store/cannot-open', 'Cannot open a memory: the server returned no role')
  return server
}

/** Answers with the dangers that were accepted. */
export function refuseUnfit(server: ServerFindings, accept: readonly Danger[]): readonly (readonly [Danger, string])[] {
  const major = Math.floor(server.version / 10_000)
  if (major < VERSION_MIN) {
    throw new MemoryError(
      'store/unsupported',
      `Cannot open a memory: the server is PostgreSQL ${major}, expected ${VERSION_MIN} or newer`,
      { found: major, expected: VERSION_MIN },
    )
  }
  if (server.standby)
    throw new MemoryError('store/read-only', 'Cannot open a memory: the server is a standby, expected a primary', {})
  const found = dangersOf(server)
  const refused = found.filter(([danger]) => !accept.includes(danger))
  if (refused.length === 0) return found
  const names = refused.map(([danger]) => danger)
  throw new MemoryError(
    'store/unsafe',
    `Cannot open a memory: ${refused.map(([, words]) => words).join('; ')} (to accept: postgres.accept ${JSON.stringify(names)})`,
    { dangers: names },
  )
}

function dangersOf(server: ServerFindings): readonly (readonly [Danger, string])[] {
  const role = `role ${JSON.stringify(server.role)}`
  const all: readonly (readonly [boolean, Danger, string])[] = [
    [server.fsync === 'off', 'fsync-off', 'fsync is off, so a power cut loses acknowledged writes; expected on'],
    [
      server.fullPageWrites === 'off',
      'full-page-writes-off',
      'full_page_writes is off, so a power cut can damage stored data; expected on',
    ],
    [server.encoding !== 'UTF8', 'encoding', `the database has the encoding ${server.encoding}, expected UTF8`],
    [
      server.superuser,
      'superuser',
      `${role} is a superuser or may become one, and row security does not apply to superusers, ${REMEDY}`,
    ],
    [
      server.bypass && !server.superuser,
      'bypass-row-security',
      `${role} bypasses row security or may become one that does, ${REMEDY}`,
    ],
  ]
  return all.filter(([is]) => is).map(([, danger, words]) => [danger, words] as const)
}
