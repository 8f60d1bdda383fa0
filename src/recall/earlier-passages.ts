import type { Message } from '../domain/message.ts'
import { scan } from '../log/scan.ts'
import { type View, changesOf, viewOf } from '../log/view.ts'
import type { LogStore, SessionHead } from '../ports/log-store.ts'
import type { NewPassage, Shelf } from '../ports/recall-store.ts'
import { threadOf } from './place.ts'
import { messagePassages } from './message-passages.ts'
import type { IndexParts } from './poster.ts'

/** A passage as it stood then. The index only knows how things stand now. */
export interface EarlierPassage extends NewPassage {
  readonly thread: number
  readonly shelf: number
}

export interface Earlier {
  readonly passages: readonly EarlierPassage[]
  /** Whether a message stood then as it stands in the index now; otherwise it came later, or was other. */
  readonly stands: (thread: number, seq: number) => boolean
}

const SESSIONS_PER_PAGE = 100
/** Asked for together: more would be held in memory at once than is wanted. */
const SESSIONS_AT_ONCE = 16
const MESSAGES_AT_ONCE = 64
/** Whoever cleared more than this since then finds the newest of it. */
const MESSAGES_MAX = 2_000

/** A session that has changed since, and where. */
interface Changed {
  readonly shelf: Shelf
  readonly thread: number
  readonly view: View
  /** The last message that was cleared since; 0 if none was. */
  readonly cleared: number
  /** Messages after it that were revised or removed since. */
  readonly seqs: readonly number[]
}

/** What came since a moment, and messages that were revised, removed or cleared since, as they were at it. Costs what was changed since, not the history. */
export async function earlierPassages(index: IndexParts, shelves: readonly Shelf[], asOf: number): Promise<Earlier> {
  const found = await Promise.all(
    shelves.filter(({ kind }) => kind === 'message').map((shelf) => changedSessions(index, shelf, asOf)),
  )
  const sessions = found.flat()
  const passages: EarlierPassage[] = []
  const since = new Map(
    sessions.map(({ thread, view: { lastSeq } }) => [thread, { lastSeq, changed: new Set<number>() }]),
  )
  for (let at = 0, left = MESSAGES_MAX; at < sessions.length && left > 0; at += SESSIONS_AT_ONCE) {
    const some = sessions.slice(at, at + SESSIONS_AT_ONCE)
    const read = await Promise.all(some.map((one) => changedMessages(index, one, left)))
    for (const [nth, { shelf, thread }] of some.entries())
      for (const message of read[nth] ?? []) {
        if (left-- <= 0) break
        since.get(thread)?.changed.add(message.seq)
        if (message.removed === true) continue
        for (const passage of messagePassages(index.analyser, message))
          passages.push({ ...passage, thread, shelf: shelf.key })
      }
  }
  return {
    passages,
    stands: (thread, seq) => {
      const session = since.get(thread)
      return session === undefined || (seq <= session.lastSeq && !session.changed.has(seq))
    },
  }
}

async function changedSessions(index: IndexParts, shelf: Shelf, asOf: number): Promise<readonly Changed[]> {
  const changed: Changed[] = []
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const page = await index.log.sessions({ scope: shelf.scope }, { limit: SESSIONS_PER_PAGE, before })
    const since = page.filter(({ updatedAt }) => updatedAt > asOf)
    const found = await Promise.all(since.map((session) => changedSession(index, shelf, session, asOf)))
    changed.push(...found.filter((one) => one !== undefined))
    const last = page.at(-1)
    if (last === undefined || page.length < SESSIONS_PER_PAGE) return changed
    before = last.key
  }
}

async function changedSession(
  { log }: IndexParts,
  shelf: Shelf,
  session: SessionHead,
  asOf: number,
): Promise<Changed | undefined> {
  const view = await viewOf(log, session, new Date(asOf))
  const own = session.lineage.at(-1)
  if (own === undefined || view.version >= session.version) return undefined
  const seqs = new Set<number>()
  let cleared = 0
  for await (const { kind, seq } of changesOf(log, own, session.version, view.version)) {
    if (kind === 'revise' || kind === 'remove') seqs.add(seq)
    if (kind === 'clear' || kind === 'clear-keeping-system') cleared = Math.max(cleared, seq)
  }
  const after = [...seqs].filter((seq) => seq > cleared && seq <= view.lastSeq)
  return { shelf, thread: threadOf('message', session.key), view, cleared, seqs: after }
}

/** So many at most: first what was cleared, newest first. */
async function changedMessages({ log }: IndexParts, { view, cleared, seqs }: Changed, max: number): Promise<Message[]> {
  const found: Message[] = []
  const within = { newestFirst: true, withRemoved: true }
  const from = view.session.lineage.at(-1)?.from ?? 1
  for await (const message of scan(log, view, { ...within, from, through: Math.min(cleared, view.lastSeq) })) {
    if (found.length === max) return found
    found.push(message)
  }
  for (let at = 0; at < seqs.length && found.length < max; at += MESSAGES_AT_ONCE) {
    const some = seqs.slice(at, Math.min(at + MESSAGES_AT_ONCE, at + max - found.length))
    const read = await Promise.all(some.map((seq) => messageAt(log, view, seq)))
    found.push(...read.filter((message) => message !== undefined))
  }
  return found
}

async function messageAt(log: LogStore, view: View, seq: number): Promise<Message | undefined> {
  for await (const message of scan(log, view, { from: seq, through: seq, newestFirst: true, withRemoved: true }))
    return message
  return undefined
}
