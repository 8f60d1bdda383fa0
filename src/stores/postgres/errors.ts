import { type ErrorCode, MemoryError } from '../../domain/error.ts'

/** SQLSTATEs, or the classes they start with, and what each means to a caller. */
const codes: readonly (readonly [prefix: string, code: ErrorCode, advice: string])[] = [
  ['40001', 'store/busy', 'other transactions changed the same rows for too long, try again'],
  ['40P01', 'store/busy', 'other transactions changed the same rows for too long, try again'],
  ['55P03', 'store/busy', 'another transaction held the rows for longer than the lock time-out, try again'],
  ['57014', 'store/timeout', 'the server took longer than the statement time-out'],
  ['25P03', 'store/timeout', 'the transaction waited longer than the server allows'],
  ['53100', 'store/full', 'the disk of the server is full, nothing was written'],
  ['53300', 'store/unavailable', 'the server has no connection to spare'],
  ['25006', 'store/read-only', 'the server takes no writes, expected a primary'],
  ['54000', 'input/too-large', 'scope and id together are too long for an index of the server'],
  [
    '42501',
    'store/forbidden',
    'the role has no right to do it; grant it, or pass the address of the role that owns the tables as postgres.migrate',
  ],
  ['28000', 'store/cannot-open', 'the server does not accept this role from here, or only with TLS (sslmode=require)'],
  [
    '28',
    'store/cannot-open',
    'the server does not accept this role or its password; correct them in the address, or pass postgres.password',
  ],
  ['3D000', 'store/cannot-open', 'the server has no such database; create it, or correct its name in the address'],
  ['57P', 'store/unavailable', 'the server is shutting down or starting up'],
  ['08004', 'store/unavailable', 'none of its servers takes writes, expected one of them to be the primary'],
  ['08', 'store/unavailable', 'the connection to the server was lost'],
  ['XX001', 'store/corrupt', 'the server says that its data is damaged'],
  ['XX002', 'store/corrupt', 'the server says that an index is damaged'],
]

/** What the driver says when the other end is gone; it has no code of its own for that. */
const LOST =
  /connection terminated|connection error|not queryable|timeout expired|read timeout|connection timeout|timeout exceeded|closed the connection/i
/** What the system says of a socket, with or without TLS: there are too many ways to break to list them. */
const NETWORK = /^(E[A-Z_]{3,}|ERR_(SSL|STREAM|SOCKET)_\w+)$/

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}

/** The connection is gone, or the server is: what was sent last may or may not have been done. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error)
  if (/^(57P0|08|25P03|53300)/.test(code) || (NETWORK.test(code) && !isAnswer(error))) return true
  // One error for several addresses of a name.
  if (error instanceof AggregateError) return error.errors.some(isLost)
  return code === '' && error instanceof Error && LOST.test(error.message)
}

/** The server itself said so. */
function isAnswer(error: unknown): boolean {
  return error instanceof Error && 'severity' in error
}

/** What a commit failed with. Unless the server said so it may be done, whatever the error is called. */
export function commitFailure(error: unknown): unknown {
  if (isLost(error) || isAnswer(error)) return error
  return Object.assign(new Error('it may or may not have been committed', { cause: error }), { code: '08007' })
}

/** The server undid the transaction because of others: the same again may succeed. */
export function isConflict(error: unknown): boolean {
  return codeOf(error) === '40001' || codeOf(error) === '40P01'
}

/** Somebody held the lock for longer than we wait. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03'
}

/** Where the server's own words name the role, the database or the object, and nothing that is stored. */
const SAID = ['28000', '28P01', '3D000', '42501']

/** Why there is no server, with its host: the address may come from elsewhere. */
function unreachable(error: unknown): string {
  // One error for several addresses of a name.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  const { code, address, port, hostname } = (first ?? {}) as Readonly<Record<string, string | number | undefined>>
  if (code === 'ECONNREFUSED' && address !== undefined)
    return `no server is listening at ${address}${port === undefined ? '' : `:${port}`}; start it, or correct the host and port of the address`
  if (hostname !== undefined)
    return `the host ${JSON.stringify(hostname)} was not found; correct the host of the address`
  return `the server cannot be reached${address === undefined ? '' : ` at ${address}`}`
}

/** Our error for the server's, with the original as its cause. */
export function fromPostgres(attempt: string, error: unknown): MemoryError {
  if (MemoryError.is(error)) return error
  const sqlstate = codeOf(error)
  const known = codes.find(([prefix]) => sqlstate.startsWith(prefix))
  const lost = ['', 'store/unavailable', unreachable(error)] as const
  const other = ['', 'store/failed', error instanceof Error ? error.message : String(error)] as const
  const [, code, advice] = known ?? (isLost(error) ? lost : other)
  const said = known !== undefined && SAID.includes(sqlstate) && error instanceof Error ? `: ${error.message}` : ''
  return new MemoryError(
    code,
    `Cannot ${attempt}: ${advice}${sqlstate === '' ? '' : ` (${sqlstate}${said})`}`,
    { sqlstate },
    error,
  )
}

/** The connection ended during the commit, and no later one could be made to ask. */
export function unknownAfterLostConnection(attempt: string, error: unknown): MemoryError {
  return new MemoryError(
    'store/unknown',
    `Cannot ${attempt}: the connection was lost during the commit and the server could not be asked since, so it may or may not be stored; append again with the same ids, or read it back, to find out`,
    { sqlstate: codeOf(error) },
    error,
  )
}
