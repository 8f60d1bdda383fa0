import { defined } from '../domain/defined.ts'
import { importedTitle } from '../domain/imported-title.ts'
import type { Fold } from '../domain/fold.ts'
import { liveFolds } from '../context/window/window.ts'
import type { Message } from '../domain/message.ts'
import { trustOfMessage } from '../domain/trust.ts'
import { get } from '../log/get.ts'
import { scan } from '../log/scan.ts'
import { type View, openView } from '../log/view.ts'
import type { PassageRow, Shelf } from '../ports/recall-store.ts'
import { recallText, shownText } from './message-text.ts'
import { indexOf, seqOf } from './place.ts'
import type { Ranked } from './rank.ts'
import type { RecallWiring, RecallRequest } from './recall.ts'
import type { DropReason, Dropped, RecallItem, RecallSource } from '../api/recall.ts'
import type { Question } from './read-question.ts'
import { unread } from './unread.ts'

/** What is shown of an item, from the log or from the facts. */
export interface Shown extends Pick<
  RecallItem,
  'text' | 'excerpt' | 'speaker' | 'title' | 'trust' | 'at' | 'before' | 'after'
> {
  readonly id: string
  /** The messages that a fact was learned from. */
  readonly from?: readonly string[]
}

interface ReadRequest extends RecallRequest {
  readonly question: Question
  readonly line: number
}

/** A longer message is shown in part. */
const PASSAGES_SHOWN_WHOLE = 4
/** Has no more passages than that, whatever it says. */
const CHARACTERS_SHOWN_WHOLE = 120
/** More would be held in memory at once than a page of the log. */
const READ_AHEAD_MAX = 64

/** Reads what was found, each session once. Nothing is shown that the log does not vouch for. */
export class Reader {
  readonly #parts: RecallWiring
  readonly #request: ReadRequest
  readonly #shelves: ReadonlyMap<number, Shelf>
  readonly #names: Map<number, Promise<string | null>>
  readonly #views = new Map<number, Promise<View | undefined>>()
  readonly #folds = new Map<number, Promise<readonly Fold[]>>()
  readonly #reading = new Map<Ranked, Promise<Shown | DropReason>>()

  constructor(
    parts: RecallWiring,
    request: ReadRequest,
    { shelves, names }: { readonly shelves: readonly Shelf[]; readonly names: ReadonlyMap<number, string | null> },
  ) {
    this.#parts = parts
    this.#request = request
    this.#shelves = new Map(shelves.map((shelf) => [shelf.key, shelf]))
    this.#names = new Map(Array.from(names, ([thread, name]) => [thread, Promise.resolve(name)]))
  }

  isReading(one: Ranked): boolean {
    return this.#reading.has(one)
  }

  /** Begins to read the first so many of those that have to be read. While so many are wanted, none of them is read without need. */
  ahead(some: readonly Ranked[], wanted: number): void {
    let left = Math.min(wanted, READ_AHEAD_MAX)
    for (const one of some) {
      if (left === 0) return
      if (unread(one, this.#request.question, this.#request) !== undefined) continue
      left -= 1
      // Whoever comes to it hears of a failure; who never does need not.
      this.read(one).catch(() => undefined)
    }
  }

  async dropped({ one, reason }: { readonly one: Ranked; readonly reason: DropReason }): Promise<Dropped> {
    const [source, shown] = await Promise.all([this.source(one.passage), this.read(one)])
    const kind = this.kind(one.passage)
    return typeof shown === 'string'
      ? { kind, source, score: one.score, reason }
      : { kind, source: { ...source, id: shown.id }, text: shown.text, score: one.score, reason }
  }

  kind({ shelf }: PassageRow): RecallItem['kind'] {
    return this.#shelves.get(shelf)?.kind ?? 'message'
  }

  async source(passage: PassageRow): Promise<RecallSource> {
    const scope = this.#shelves.get(passage.shelf)?.scope ?? ''
    const isFact = this.kind(passage) === 'fact'
    const session = await this.#session(scope, passage.thread)
    return { scope, session, seq: isFact ? null : seqOf(passage.place), id: passage.reference }
  }

  read(one: Ranked): Promise<Shown | DropReason> {
    return kept(this.#reading, one, () => this.#read(one))
  }

  async #read({ passage }: Ranked): Promise<Shown | DropReason> {
    switch (this.kind(passage)) {
      case 'message':
        return this.#message(passage)
      case 'fold':
        return this.#fold(passage)
      case 'fact':
        return this.#fact(passage)
    }
  }

  async #message(passage: PassageRow): Promise<Shown | DropReason> {
    const view = await this.#view(passage)
    const seq = seqOf(passage.place)
    if (view === undefined || seq > view.lastSeq) return 'not-yet-known'
    const reach = this.#request.neighbours === true ? 1 : 0
    const found: Message[] = []
    const range = { from: Math.max(1, seq - reach), through: Math.min(view.lastSeq, seq + reach) }
    for await (const message of scan(this.#parts.log, view, { ...range, newestFirst: false, withRemoved: true }))
      found.push(message)
    const message = found.find((one) => one.seq === seq)
    if (message === undefined || message.removed === true) return 'removed'
    const [before, after] = [seq - 1, seq + 1].map((other) =>
      found.find((one) => one.seq === other && one.removed !== true),
    )
    return {
      id: message.id,
      ...(await this.#excerpt(message, passage)),
      speaker: message.name ?? message.role,
      ...defined({ title: importedTitle(message) }),
      trust: trustOfMessage(message),
      at: message.at,
      ...(before === undefined ? {} : { before: shownText(recallText(before)) }),
      ...(after === undefined ? {} : { after: shownText(recallText(after)) }),
    }
  }

  async #excerpt(message: Message, { thread, place }: PassageRow): Promise<Pick<Shown, 'text' | 'excerpt'>> {
    const whole = recallText(message)
    if (whole.text.length <= CHARACTERS_SHOWN_WHOLE) return { text: shownText(whole) }
    const key = `${thread} ${message.seq} ${message.revision}`
    const spans = await this.#parts.spans.of(key, whole.text)
    if (spans.length <= PASSAGES_SHOWN_WHOLE) return { text: shownText(whole) }
    const at = indexOf(place)
    const text = spans.slice(Math.max(0, at - 1), at + 2).map(({ start, end }) => whole.text.slice(start, end))
    return { text: text.join('').trim(), excerpt: true }
  }

  async #fold(passage: PassageRow): Promise<Shown | DropReason> {
    const view = await this.#view(passage)
    if (view === undefined) return 'not-yet-known'
    const folds = await kept(this.#folds, passage.thread, () => liveFolds(this.#parts.log, view))
    const fold = folds.find(({ id }) => id === passage.reference)
    if (fold === undefined) return this.#request.asOf === undefined ? 'removed' : 'not-yet-known'
    const text = fold.standIn.map((draft) => shownText(recallText(draft))).join('\n')
    return { id: fold.id, text, trust: 0, at: fold.lastAt }
  }

  async #fact(passage: PassageRow): Promise<Shown | DropReason> {
    const { asOf, at, includeQuarantined } = this.#request
    const fact = await this.#parts.facts?.read(this.#request.scope, passage.reference, {
      ...defined({ asOf, at }),
    })
    if (fact === undefined) return 'removed'
    if (fact.state === 'quarantined' && includeQuarantined !== true) return 'quarantined'
    if (fact.state !== 'current' && fact.state !== 'quarantined') return fact.state
    const { sources = [] } = fact
    const said = await this.#newest(passage, sources)
    return {
      id: passage.reference,
      text: fact.text,
      trust: fact.trust,
      at: said?.at ?? new Date(fact.at).toISOString(),
      from: sources.map(({ id }) => id),
    }
  }

  /** The newest message of those that say a fact, while the log still has it. */
  async #newest(
    passage: PassageRow,
    sources: readonly { readonly session: string; readonly id: string }[],
  ): Promise<Message | undefined> {
    const newest = sources.at(-1)
    if (newest === undefined) return undefined
    const { scope } = await this.source(passage)
    return get(this.#parts.log, { scope, session: newest.session }, newest.id)
  }

  #session(scope: string, thread: number): Promise<string | null> {
    return kept(this.#names, thread, async () => {
      const [row] = await this.#parts.recall.threads([scope], [thread])
      return row?.session ?? null
    })
  }

  #view(passage: PassageRow): Promise<View | undefined> {
    return kept(this.#views, passage.thread, async () => {
      const { scope, session } = await this.source(passage)
      const { asOf } = this.#request
      const moment = asOf === undefined ? undefined : new Date(asOf)
      return session === null ? undefined : openView(this.#parts.log, { scope, session }, moment)
    })
  }
}

/** What is there, or is on its way: several may ask for the same at once. */
function kept<Key, Value>(made: Map<Key, Promise<Value>>, key: Key, make: () => Promise<Value>): Promise<Value> {
  const known = made.get(key)
  if (known !== undefined) return known
  const fresh = make()
  made.set(key, fresh)
  return fresh
}
