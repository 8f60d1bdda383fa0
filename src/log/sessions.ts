import { defined } from '../domain/defined.ts'
import { setImmediate } from 'node:timers/promises'
import type { SessionSummary, SessionsOptions, SessionsPage } from '../api/sessions.ts'
import { MemoryError } from '../domain/error.ts'
import { ignoreCase } from '../domain/ignore-case.ts'
import { isSealed } from '../domain/sealed.ts'
import type { LogStore, SessionHead } from '../ports/log-store.ts'
import type { StateStore } from '../ports/state-store.ts'
import { sha256 } from './chain.ts'
import type { PreviewSources } from './preview-sessions.ts'

const SESSIONS_PER_PAGE = 50
const SESSIONS_PER_SEARCH = 200

/** What the list is made from. */
interface SessionSources extends PreviewSources {
  readonly state: Pick<StateStore, 'sessions'>
}

/** Where a page begins: before a session that has messages, or after one that has only state. */
type Start = Before | { readonly after: string }

/** `changedBefore` where the list is by last change. */
interface Before {
  readonly before: number | undefined
  readonly changedBefore?: number
}

/**
 * The scope's sessions, newest first or by last change; then those that have state and no message yet, by name. New sessions do not disturb a reader
 * who is paging.
 */
export async function sessions(
  store: SessionSources,
  scope: string,
  { preview = false, ...options }: SessionsOptions,
): Promise<SessionsPage> {
  const page = await pageOf(store, scope, options)
  if (!preview) return page
  const { previewSessions } = await import('./preview-sessions.ts')
  return { ...page, sessions: await previewSessions(store, scope, page.sessions) }
}

async function pageOf(
  store: SessionSources,
  scope: string,
  { limit = SESSIONS_PER_PAGE, after, text = '', order = 'created' }: SessionsOptions,
): Promise<SessionsPage> {
  const start: Before =
    order === 'active' ? { before: undefined, changedBefore: Number.MAX_SAFE_INTEGER } : { before: undefined }
  const from: Start = after === undefined ? start : readCursor(scope, after, order)
  const wanted = { limit, needle: ignoreCase(text) }
  const logged = 'before' in from ? await withMessages(store.log, scope, wanted, from) : []
  const shown = logged.slice(0, limit)
  if (logged.length > limit) return { sessions: shown.map(summary), next: cursorAfter(scope, shown, order) }
  const rest = { ...wanted, limit: limit - shown.length }
  const bare = await withStateOnly(store.state, scope, rest, 'after' in from ? from.after : '')
  const listed = bare.slice(0, rest.limit)
  const last = listed.at(-1)?.id ?? ('after' in from ? from.after : '')
  return {
    sessions: [...shown.map(summary), ...listed],
    next: bare.length > rest.limit ? writeCursor(scope, `s${Buffer.from(last).toString('hex')}`) : null,
  }
}

interface Wanted {
  readonly limit: number
  readonly needle: string
}

/** One more than asked for, if there are more. */
async function withMessages(
  store: Pick<LogStore, 'sessions'>,
  scope: string,
  { limit, needle }: Wanted,
  from: Before,
): Promise<readonly SessionHead[]> {
  const found: SessionHead[] = []
  let { before, changedBefore } = from
  // Larger pages when most sessions will not match.
  const size = Math.max(limit + 1, needle === '' ? 0 : SESSIONS_PER_SEARCH)
  while (found.length <= limit) {
    const page = await store.sessions(
      { scope },
      {
        limit: size,
        ...defined({ before, changedBefore }),
      },
    )
    found.push(...page.filter((head) => ignoreCase(`${head.name}\n${descriptionOf(head) ?? ''}`).includes(needle)))
    before = page.at(-1)?.key
    if (changedBefore !== undefined) changedBefore = page.at(-1)?.updatedAt ?? changedBefore
    if (page.length < size) break
    await setImmediate()
  }
  return found
}

/** One more than asked for, if there are more. */
async function withStateOnly(
  store: Pick<StateStore, 'sessions'>,
  scope: string,
  { limit, needle }: Wanted,
  from: string,
): Promise<readonly SessionSummary[]> {
  const found: SessionSummary[] = []
  for (let after = from; found.length <= limit;) {
    const page = await store.sessions(scope, { after, limit: SESSIONS_PER_SEARCH })
    for (const { session, createdAt, at } of page)
      if (ignoreCase(session).includes(needle))
        found.push({
          id: session,
          description: null,
          messages: 0,
          version: 0,
          createdAt: new Date(createdAt).toISOString(),
          updatedAt: new Date(at).toISOString(),
          forkOf: null,
        })
    after = page.at(-1)?.session ?? after
    if (page.length < SESSIONS_PER_SEARCH) break
    await setImmediate()
  }
  return found
}

type Order = NonNullable<SessionsOptions['order']>

function cursorAfter(scope: string, shown: readonly SessionHead[], order: Order): string | null {
  const last = shown.at(-1)
  if (last === undefined) return null
  return writeCursor(scope, order === 'active' ? `a${last.updatedAt}-${last.key}` : String(last.key))
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

/** What cannot be read because its key is missing is not shown. */
function descriptionOf({ description }: SessionHead): string | null {
  return isSealed(description) ? null : description
}

/** Bound to its scope: a cursor of another scope is refused instead of paging through strangers. */
function writeCursor(scope: string, place: string): string {
  return Buffer.from(`${place}.${seal(scope, place)}`).toString('base64url')
}

function readCursor(scope: string, cursor: string, order: Order): Start {
  const [place = '', mark] = Buffer.from(cursor, 'base64url').toString().split('.')
  const known = order === 'active' ? /^(?:a\d{1,16}-\d{1,15}|s[0-9a-f]*)$/ : /^(?:\d{1,15}|s[0-9a-f]*)$/
  if (!known.test(place) || mark !== seal(scope, place)) {
    throw new MemoryError(
      'input/invalid',
      `Cannot list sessions: after is ${JSON.stringify(cursor)}, expected the next of an earlier page of this scope`,
      { option: 'after', received: cursor },
    )
  }
  if (place.startsWith('a')) {
    const [at, key] = place.slice(1).split('-').map(Number)
    return { before: key, changedBefore: at ?? 0 }
  }
  return place.startsWith('s') ? { after: Buffer.from(place.slice(1), 'hex').toString() } : { before: Number(place) }
}

function seal(scope: string, place: string): string {
  return Buffer.from(sha256(JSON.stringify(['sessions', scope, place])))
    .toString('base64url')
    .slice(0, 12)
}
