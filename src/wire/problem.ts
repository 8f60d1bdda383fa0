import { type ErrorCode, MemoryError } from '../domain/error.ts'

export const PROBLEM_TYPE = 'application/problem+json'

/** An error as it travels (RFC 9457), with our code and the facts of the message. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: ErrorCode
  readonly detail: string
  readonly details: Readonly<Record<string, unknown>>
}

/** By code, or by the part before the slash. What is another's is 404: 403 would say that it is there. */
const STATUS: Readonly<Record<string, number>> = {
  'input/too-large': 413,
  input: 422,
  dialect: 422,
  'log/orphan-result': 422,
  'log/not-found': 404,
  log: 409,
  'context/over-budget': 422,
  'context/not-found': 404,
  'knowledge/not-found': 404,
  'knowledge/conflict': 409,
  'state/not-found': 404,
  'state/refused': 422,
  state: 409,
  'records/not-found': 404,
  records: 409,
  'jobs/not-found': 404,
  'jobs/full': 429,
  jobs: 409,
  'archive/conflict': 409,
  archive: 422,
  'access/unauthenticated': 401,
  'access/forbidden': 403,
  'access/not-found': 404,
  'access/key-conflict': 409,
  'access/not-repeated': 409,
  'server/overloaded': 429,
  'server/failed': 500,
  'server/not-offered': 501,
  server: 503,
  'store/failed': 500,
  'store/exists': 409,
  'store/unsupported': 422,
  store: 503,
}

function statusOf(code: ErrorCode): number {
  return STATUS[code] ?? STATUS[code.split('/')[0] ?? ''] ?? 500
}

/** What a caller may know of an error: all of ours, nothing of a stranger. */
export function problemOf(error: unknown): Problem {
  const known = MemoryError.is(error)
    ? error
    : new MemoryError('server/failed', 'Cannot handle the request: something failed inside the server')
  const { code, message: detail, details } = known
  return {
    type: `urn:daybook:error:${code}`,
    title: code,
    status: statusOf(code),
    code,
    detail,
    details: plain(details),
  }
}

/** The error again, as the library would have thrown it. */
export function errorOf(problem: Problem): MemoryError {
  return new MemoryError(problem.code, problem.detail, { ...problem.details })
}

/** Facts that JSON can tell, and no megabyte of what somebody sent. */
function plain(details: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(details).filter(([, value]) => {
      if (value === null || ['number', 'boolean'].includes(typeof value)) return true
      try {
        return (JSON.stringify(value)?.length ?? Number.POSITIVE_INFINITY) <= 1_000
      } catch {
        return false
      }
    }),
  )
}
