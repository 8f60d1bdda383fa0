import type { Message } from '../domain/message.ts'
import { scan } from '../log/scan.ts'
import { type View, changesOf, openView } from '../log/view.ts'
import type { NewPassage, Shelf } from '../ports/recall-store.ts'
import { threadOf } from './place.ts'
import { messagePassages } from './message-passages.ts'
import type { Index } from './poster.ts'

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
/** Whoever cleared more than this since then finds the newest of it. */
const MESSAGES_MAX = 2_000

/** What came since a moment, and messages that were revised, removed or cleared since, as they were at it. Costs what was changed since, not the history. */
export async function earlierPassages(index: Index, shelves: readonly Shelf[], asOf: number): Promise<Earlier> {
  const passages: EarlierPassage[] = []
  const since = new Map<number, { readonly lastSeq: number; readonly changed: ReadonlySet<number> }>()
  let left = MESSAGES_MAX
  for (const shelf of shelves) {
    if (shelf.kind !== 'messages') continue
    for await (const session of sessionsSince(index, shelf.scope, asOf)) {
      const view = await openView(index.log, { scope: shelf.scope, session }, new Date(asOf))
      if (view === undefined || view.version >= view.session.version) continue
      const thread = threadOf('messages', view.session.key)
      const changed = new Set<number>()
      since.set(thread, { lastSeq: view.lastSeq, changed })
      for await (const message of changedMessages(index, view)) {
        if (left-- <= 0) break
        changed.add(message.seq)
        if (message.removed === true) continue
        for (const passage of messagePassages(index.analyser, message))
          passages.push({ ...passage, thread, shelf: shelf.key })
      }
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

async function* sessionsSince({ log }: Index, scope: string, asOf: number): AsyncGenerator<string> {
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const page = await log.sessions({ scope }, { limit: SESSIONS_PER_PAGE, before })
    for (const { name, updatedAt } of page) if (updatedAt > asOf) yield name
    const last = page.at(-1)
    if (last === undefined || page.length < SESSIONS_PER_PAGE) return
    before = last.key
  }
}

async function* changedMessages({ log }: Index, view: View): AsyncGenerator<Message> {
  const own = view.session.lineage.at(-1)
  if (own === undefined) return
  const seqs = new Set<number>()
  let cleared = 0
  for await (const { kind, seq } of changesOf(log, own, view.session.version, view.version)) {
    if (kind === 'revise' || kind === 'remove') seqs.add(seq)
    if (kind === 'clear' || kind === 'clear-keeping-system') cleared = Math.max(cleared, seq)
  }
  const within = { newestFirst: true, withRemoved: true }
  for await (const message of scan(log, view, { ...within, from: own.from, through: Math.min(cleared, view.lastSeq) }))
    yield message
  for (const seq of seqs)
    if (seq > cleared && seq <= view.lastSeq)
      for await (const message of scan(log, view, { ...within, from: seq, through: seq })) yield message
}
