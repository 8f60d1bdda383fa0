import type { Fold } from '../domain/fold.ts'
import { liveFolds } from '../context/window/window.ts'
import type { Message } from '../domain/message.ts'
import { scan } from '../log/scan.ts'
import { type View, openView } from '../log/view.ts'
import type { PassageRow, Shelf } from '../ports/recall-store.ts'
import { NearCopies } from './near-copies.ts'
import { recallText, shownText } from './message-text.ts'
import { passagesOf } from './passage.ts'
import { indexOf, seqOf } from './place.ts'
import type { Ranked } from './rank.ts'
import type { Question } from './read-question.ts'
import type { RecallParts, RecallRequest } from './recall.ts'
import { type DropReason, type Dropped, type RecallItem, type RecallSource, type Recalled, itemKind } from './result.ts'
import { trustOfMessage } from '../domain/trust.ts'
import { isWorthShowing, whyOf } from './why.ts'

interface Found {
  readonly question: Question
  readonly ranked: readonly Ranked[]
  readonly shelves: readonly Shelf[]
}

/** What is shown of an item, from the log or from the facts. */
interface Shown extends Pick<RecallItem, 'text' | 'excerpt' | 'speaker' | 'trust' | 'at' | 'before' | 'after'> {
  readonly id: string
}

const DROPPED_MAX = 200
/** A longer message is shown in part. */
const PASSAGES_SHOWN_WHOLE = 4

/** The best of what was ranked, read from the log: each memory once, near-duplicates folded, as many as asked for or as fit. */
export async function present(
  parts: RecallParts,
  request: RecallRequest & { readonly limit: number },
  { question, ranked, shelves }: Found,
): Promise<Recalled> {
  const reader = new Reader(parts, request, shelves)
  const copies = new NearCopies()
  const items: RecallItem[] = []
  const dropped: Dropped[] = []
  const seen = new Set<string>()
  let left = request.budget ?? Number.POSITIVE_INFINITY
  const drop = async (one: Ranked, reason: DropReason): Promise<void> => {
    if (request.explain !== true || dropped.length >= DROPPED_MAX) return
    const source = await reader.source(one.passage)
    dropped.push({ kind: reader.kind(one.passage), source, score: one.score, reason })
  }
  for (const one of ranked) {
    const memory = memoryOf(one.passage)
    if (seen.has(memory)) continue
    seen.add(memory)
    // Sorted by score, not by worth: what is not worth showing may stand above what is.
    if (!isWorthShowing(one)) {
      await drop(one, 'below-line')
      continue
    }
    if (items.length >= request.limit) {
      if (request.explain !== true) break
      await drop(one, 'below-limit')
      continue
    }
    if (request.inSight?.(one.passage) === true) {
      await drop(one, 'in-sight')
      continue
    }
    const shown = isInTime(one.passage, request) ? await reader.read(one) : 'other-time'
    if (typeof shown === 'string') {
      await drop(one, shown)
      continue
    }
    const source = { ...(await reader.source(one.passage)), id: shown.id }
    const copy = copies.find(one.passage, shown.text)
    const original = copy === undefined ? undefined : items[copy]
    if (copy !== undefined && original !== undefined) {
      items[copy] = { ...original, copies: [...(original.copies ?? []), source] }
      await drop(one, 'duplicate')
      continue
    }
    const tokens = await parts.count([shown.text, shown.before ?? '', shown.after ?? ''].join('\n').trim())
    if (tokens > left) {
      await drop(one, 'over-budget')
      continue
    }
    left -= tokens
    copies.add(one.passage, shown.text)
    const { id: _, ...rest } = shown
    items.push({
      kind: reader.kind(one.passage),
      ...rest,
      score: one.score,
      why: whyOf(one, question),
      source,
      tokens,
    })
  }
  return { items, dropped }
}

/** Passages of one message, fold or fact are one memory. */
function memoryOf({ thread, place, reference }: PassageRow): string {
  return reference === '' ? `${thread} ${seqOf(place)}` : `${thread} ${reference}`
}

function isInTime({ at }: PassageRow, { since, until }: RecallRequest): boolean {
  return (since === undefined || at >= since) && (until === undefined || at < until)
}

/** Reads what was found, each session once. Nothing is shown that the log does not vouch for. */
class Reader {
  readonly #parts: RecallParts
  readonly #request: RecallRequest
  readonly #shelves: ReadonlyMap<number, Shelf>
  readonly #names = new Map<number, string | null>()
  readonly #views = new Map<number, View | undefined>()
  readonly #folds = new Map<number, readonly Fold[]>()

  constructor(parts: RecallParts, request: RecallRequest, shelves: readonly Shelf[]) {
    this.#parts = parts
    this.#request = request
    this.#shelves = new Map(shelves.map((shelf) => [shelf.key, shelf]))
  }

  kind({ shelf }: PassageRow): RecallItem['kind'] {
    return itemKind(this.#shelves.get(shelf)?.kind ?? 'messages')
  }

  async source(passage: PassageRow): Promise<RecallSource> {
    const scope = this.#shelves.get(passage.shelf)?.scope ?? ''
    const isFact = this.kind(passage) === 'fact'
    const session = await this.#session(scope, passage.thread)
    return { scope, session, seq: isFact ? null : seqOf(passage.place), id: passage.reference }
  }

  async read({ passage }: Ranked): Promise<Shown | DropReason> {
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
      ...this.#excerpt(message, indexOf(passage.place)),
      speaker: message.name ?? message.role,
      trust: trustOfMessage(message),
      at: message.at,
      ...(before === undefined ? {} : { before: shownText(recallText(before)) }),
      ...(after === undefined ? {} : { after: shownText(recallText(after)) }),
    }
  }

  #excerpt(message: Message, at: number): Pick<Shown, 'text' | 'excerpt'> {
    const whole = recallText(message)
    const passages = passagesOf(this.#parts.analyser, whole.text)
    if (passages.length <= PASSAGES_SHOWN_WHOLE) return { text: shownText(whole) }
    const text = passages.slice(Math.max(0, at - 1), at + 2).map((passage) => passage.text)
    return { text: text.join('').trim(), excerpt: true }
  }

  async #fold(passage: PassageRow): Promise<Shown | DropReason> {
    const view = await this.#view(passage)
    if (view === undefined) return 'not-yet-known'
    const folds = this.#folds.get(passage.thread) ?? (await liveFolds(this.#parts.log, view))
    this.#folds.set(passage.thread, folds)
    const fold = folds.find(({ id }) => id === passage.reference)
    if (fold === undefined) return this.#request.asOf === undefined ? 'removed' : 'not-yet-known'
    const text = fold.standIn.map((draft) => shownText(recallText(draft))).join('\n')
    return { id: fold.id, text, trust: 0, at: fold.lastAt }
  }

  async #fact(passage: PassageRow): Promise<Shown | DropReason> {
    const { asOf, at, includeQuarantined } = this.#request
    const fact = await this.#parts.facts?.read(this.#request.scope, passage.reference, {
      ...(asOf === undefined ? {} : { asOf }),
      ...(at === undefined ? {} : { at }),
    })
    if (fact === undefined) return 'removed'
    if (fact.state === 'quarantined' && includeQuarantined !== true) return 'quarantined'
    if (fact.state !== 'current' && fact.state !== 'quarantined') return fact.state
    return { id: passage.reference, text: fact.text, trust: fact.trust, at: new Date(fact.at).toISOString() }
  }

  async #session(scope: string, thread: number): Promise<string | null> {
    if (!this.#names.has(thread)) {
      const [row] = await this.#parts.recall.threads([scope], [thread])
      this.#names.set(thread, row?.session ?? null)
    }
    return this.#names.get(thread) ?? null
  }

  async #view(passage: PassageRow): Promise<View | undefined> {
    if (!this.#views.has(passage.thread)) {
      const { scope, session } = await this.source(passage)
      const { asOf } = this.#request
      const moment = asOf === undefined ? undefined : new Date(asOf)
      this.#views.set(
        passage.thread,
        session === null ? undefined : await openView(this.#parts.log, { scope, session }, moment),
      )
    }
    return this.#views.get(passage.thread)
  }
}
