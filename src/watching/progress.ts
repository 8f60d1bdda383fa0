import { hash } from 'node:crypto'
import { refuse } from '../domain/refuse.ts'
import type { FactCursor } from '../knowledge/changes.ts'
import type { SessionHead } from '../ports/log-store.ts'

/** How far a session was reported. */
export interface SessionProgress {
  readonly seq: number
  readonly version: number
  /** When the session last changed, of what was read of it. */
  readonly at: number
}

/** How far a watch of a scope has come. */
export interface Progress {
  /** Sessions that changed before this time are reported as far as they were then. */
  floor: number
  /** Those that changed since, by `sessionMark`, and those in `importing`. */
  readonly sessions: Map<string, SessionProgress>
  /**
   * The sessions that were created last with times before the floor, with their keys: an import may still add messages with such times to
   * them. Undefined until the keys were looked up. Not part of a cursor, for the reason of `newestKey`.
   */
  importing: ReadonlyMap<string, number> | undefined
  /** The sessions that were created last, of those that are reported: an import makes sessions that are new and have old times. */
  newest: readonly string[]
  /** The key of the last of them; undefined until it was looked up. Not part of a cursor, since it would show how many sessions others have. */
  newestKey: number | undefined
  /** How many sessions of the scope were forgotten as a whole. */
  forgotten: number
  /** How many changes of what the scope and its ancestors know are reported, as they count them. */
  factsVersion: number
  /** Where to read on. Not part of a cursor: it has numbers of the root, which would show how much others write. */
  facts: FactCursor | undefined
  /** When the last reported job changed, by the store's clock. */
  jobsAt: number
  /** The state in which each job was seen last. Not part of a cursor. */
  jobs: ReadonlyMap<string, string>
}

/** With more sessions than this a cursor has only the time and `importing`, and what happened shortly before it is reported again. */
const SESSIONS_MAX = 32

type Written = readonly [
  floor: number,
  factsVersion: number,
  jobsAt: number,
  sessions: readonly (readonly [mark: string, seq: number, version: number, at: number])[],
  newest: readonly string[],
  forgotten: number,
]

/** Names a session in a cursor. Its key would show how many sessions others have. */
export function sessionMark({ name, createdAt }: Pick<SessionHead, 'name' | 'createdAt'>): string {
  return hash('sha256', JSON.stringify([name, createdAt]), 'base64url').slice(0, 12)
}

/** Where a watch continues. A cursor belongs to its scope and is refused for any other. */
export function writeProgress(scope: string, progress: Progress): string {
  const { floor, factsVersion, jobsAt, sessions, newest, forgotten } = progress
  const known = [...sessions].filter(([mark]) => sessions.size <= SESSIONS_MAX || progress.importing?.has(mark))
  const written: Written = [
    floor,
    factsVersion,
    jobsAt,
    known.map(([mark, { seq, version, at }]) => [mark, seq, version, at] as const),
    newest,
    forgotten,
  ]
  const text = JSON.stringify(written)
  return Buffer.from(`${checksum(scope, text)}${text}`).toString('base64url')
}

/** @throws {MemoryError} `input/invalid` if it belongs to another scope, or is not a cursor. */
export function readProgress(scope: string, cursor: string): Progress {
  const all = Buffer.from(cursor, 'base64url').toString()
  const text = all.slice(CHECKSUM_LENGTH)
  if (all.slice(0, CHECKSUM_LENGTH) !== checksum(scope, text))
    refuse('watch', 'after', cursor, 'the cursor of an event of this scope')
  const written = readWritten(text)
  if (written === undefined) refuse('watch', 'after', cursor, 'the cursor of an event of this scope')
  const [floor, factsVersion, jobsAt, sessions, newest, forgotten] = written
  return {
    floor,
    factsVersion,
    facts: undefined,
    jobsAt,
    jobs: new Map(),
    newest,
    newestKey: undefined,
    importing: undefined,
    forgotten,
    sessions: new Map(sessions.map(([mark, seq, version, at]) => [mark, { seq, version, at }])),
  }
}

/** Anybody can compute the checksum, so what it covers is checked too. */
function readWritten(text: string): Written | undefined {
  const given = parsed(text)
  if (!Array.isArray(given)) return undefined
  const [floor, factsVersion, jobsAt, sessions, newest, forgotten] = given as readonly unknown[]
  const isWritten =
    [floor, factsVersion, jobsAt, forgotten].every(isCount) &&
    Array.isArray(sessions) &&
    sessions.every(isSession) &&
    Array.isArray(newest) &&
    newest.every((mark) => typeof mark === 'string')
  return isWritten ? (given as unknown as Written) : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function isSession(given: unknown): boolean {
  return Array.isArray(given) && given.length === 4 && typeof given[0] === 'string' && given.slice(1).every(isCount)
}

function isCount(given: unknown): boolean {
  return Number.isSafeInteger(given) && Number(given) >= 0
}

const CHECKSUM_LENGTH = 12

function checksum(scope: string, text: string): string {
  return hash('sha256', JSON.stringify(['watch', scope, text]), 'base64url').slice(0, CHECKSUM_LENGTH)
}
