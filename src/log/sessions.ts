import { setImmediate } from 'node:timers/promises'
import type { SessionSummary, SessionsOptions, SessionsPage } from '../api/sessions.ts'
import { MemoryError } from '../domain/error.ts'
import { ignoreCase } from '../domain/ignore-case.ts'
import { isSealed } from '../domain/sealed.ts'
import type { LogStore, SessionHead } from '../ports/log-store.ts'
import { sha256 } from './chain.ts'

const SESSIONS_PER_PAGE = 50
const SESSIONS_PER_SEARCH = 200

/** The scope's sessions, newest first. New sessions do not disturb a reader who is paging. */
export async function sessions(store: LogStore, scope: string, options: SessionsOptions): Promise<SessionsPage> {
  const { limit = SESSIONS_PER_PAGE, after, text = '' } = options
  const needle = ignoreCase(text)
  const found: SessionHead[] = []
  let before = after === undefined ? undefined : readCursor(scope, after)
  // Larger pages when most sessions will not match; one more than asked tells whether there is a next page.
  const size = Math.max(limit + 1, needle === '' ? 0 : SESSIONS_PER_SEARCH)
  while (found.length <= limit) {
    const page = await store.sessions({ scope }, { limit: size, ...(before === undefined ? {} : { before }) })
    found.push(...page.filter((head) => ignoreCase(`${head.name}\n${descriptionOf(head) ?? ''}`).includes(needle)))
    before = page.at(-1)?.key
    if (page.length < size) break
    await setImmediate()
  }
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  return {
    sessions: shown.map(summary),
    next: found.length > limit && last !== undefined ? writeCursor(scope, last.key) : null,
  }
}

function summary(head: SessionHead): SessionSummary {
  return {
    id: head.name,
    description: descriptionOf(head),
    messages: head.lastSeq,
    version: head.version,
    createdAt: new Date(head.createdAt).toISOString(),
    updatedAt: new Date(head.updatedAt).toISOString(),
    forkOf: head.parent === null ? null : { id: head.parent.name, at: head.parent.throughSeq },
  }
}

/** What cannot be read, for want of its key, is not shown. */
function descriptionOf({ description }: SessionHead): string | null {
  return isSealed(description) ? null : description
}

/** Bound to its scope: a cursor of another scope is refused instead of paging through strangers. */
function writeCursor(scope: string, key: number): string {
  return Buffer.from(`${key}.${seal(scope, key)}`).toString('base64url')
}

function readCursor(scope: string, cursor: string): number {
  const [key = '', mark] = Buffer.from(cursor, 'base64url').toString().split('.')
  if (!/^\d{1,15}$/.test(key) || mark !== seal(scope, Number(key))) {
    throw new MemoryError(
      'input/invalid',
      `Cannot list sessions: after is ${JSON.stringify(cursor)}, expected the next of an earlier page of this scope`,
      { option: 'after', received: cursor },
    )
  }
  return Number(key)
}

function seal(scope: string, key: number): string {
  return Buffer.from(sha256(JSON.stringify(['sessions', scope, key])))
    .toString('base64url')
    .slice(0, 12)
}
