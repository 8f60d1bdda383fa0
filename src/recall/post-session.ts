import { liveFolds } from '../context/window/window.ts'
import type { Fold } from '../domain/fold.ts'
import type { Message } from '../domain/message.ts'
import { isRecalled } from '../domain/recalled.ts'
import type { Address } from '../log/log.ts'
import { scan } from '../log/scan.ts'
import { type View, changesOf, openView } from '../log/view.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { NewPassage, RecallChange, RecallCursor, RecallStore } from '../ports/recall-store.ts'
import type { Analyser } from './analyser.ts'
import { impactOf } from './bm25.ts'
import { fold as foldText } from './fold.ts'
import { recallText } from './message-text.ts'
import { type Passage, cueBits, passagesOf } from './passage.ts'
import { placeOf, placesOf, seqOf, threadOf } from './place.ts'
import { vectorKey } from './vectors/message-source.ts'
import { TRUST_OF_ROLE } from '../domain/trust.ts'

export interface Index {
  readonly log: LogStore
  readonly recall: RecallStore
  readonly analyser: Analyser
}

/** One transaction holds this much: some tens of milliseconds for everybody else who wants to write. Smaller ones spend their time syncing pages that the next one changes again. */
const MESSAGES_PER_CHANGE = 256
const CHARACTERS_PER_CHANGE = 100_000
const SEQS_PER_SWEEP = 512
const START: RecallCursor = { version: 0, seq: 0 }

/**
 * Brings the index of one session up to its newest version. Each step moves the cursor in the transaction that writes its
 * rows, so that a crash, or another process at the same work, neither loses a message nor posts it twice.
 */
export async function postSession(index: Index, address: Address): Promise<void> {
  while (!(await postOnce(index, address)));
}

/** Answers false when somebody else moved the cursor meanwhile. */
async function postOnce(index: Index, address: Address): Promise<boolean> {
  const view = await openView(index.log, address)
  if (view === undefined) return true
  const poster = new Poster(index, view)
  const before = await poster.start()
  if ((before?.version ?? -1) >= view.version) return true
  return (await postNew(poster)) && (await postChanged(poster, before)) && poster.finish()
}

/** The changes of one session, each resting on the one before. */
class Poster {
  readonly index: Index
  readonly view: View
  readonly thread: number
  #cursor: RecallCursor | null = null

  constructor(index: Index, view: View) {
    this.index = index
    this.view = view
    this.thread = threadOf('messages', view.session.key)
  }

  get posted(): RecallCursor {
    return this.#cursor ?? START
  }

  async start(): Promise<RecallCursor | undefined> {
    const [cursor] = await this.index.recall.threads([this.thread])
    this.#cursor = cursor ?? null
    return cursor
  }

  /** @param gone Positions of messages that leave the index, or come again. */
  async write(change: Pick<RecallChange, 'remove' | 'add' | 'next'>, gone: Iterable<number> = []): Promise<boolean> {
    const keyOf = (seq: number): string => vectorKey(this.thread, seq)
    const written = await this.index.recall.change({
      scope: this.view.session.scope,
      kind: 'messages',
      thread: this.thread,
      expected: this.#cursor,
      removeReferences: [],
      posted: [...new Set(change.add.map(({ place }) => seqOf(place)))].map(keyOf),
      unposted: [...new Set(gone)].map(keyOf),
      ...change,
    })
    if (written) this.#cursor = change.next
    return written
  }

  finish(): Promise<boolean> {
    const { version, lastSeq: seq } = this.view
    return this.write({ remove: [], add: [], next: { version, seq } })
  }
}

/** Messages that were never posted, as they stand now. A fork's inherited history is its parent's to post. */
async function postNew(poster: Poster): Promise<boolean> {
  const { index, view } = poster
  const from = Math.max(poster.posted.seq + 1, view.segments.at(-1)?.from ?? 1)
  let add: NewPassage[] = []
  let [messages, characters] = [0, 0]
  for await (const message of scan(index.log, view, {
    from,
    through: view.lastSeq,
    newestFirst: false,
    withRemoved: false,
  })) {
    const passages = messagePassages(index.analyser, message)
    add.push(...passages)
    messages += 1
    characters += passages.reduce((sum, { length }) => sum + length * 6, 0)
    if (messages < MESSAGES_PER_CHANGE && characters < CHARACTERS_PER_CHANGE) continue
    if (!(await poster.write({ remove: [], add, next: { ...poster.posted, seq: message.seq } }))) return false
    add = []
    ;[messages, characters] = [0, 0]
  }
  return add.length === 0 || poster.write({ remove: [], add, next: { ...poster.posted, seq: view.lastSeq } })
}

/** What was revised, removed, cleared or folded since; `before` is the cursor that this run began with. */
async function postChanged(poster: Poster, before: RecallCursor | undefined): Promise<boolean> {
  const { index, view, thread } = poster
  const own = view.segments.at(-1)
  if (own === undefined) return true
  const touched = new Set<number>()
  const cleared = { all: 0, butSystem: 0 }
  let amended = false
  for await (const row of changesOf(index.log, own.key, view.version, before?.version ?? 0)) {
    amended = true
    // A message posted in this run already stands as it is now; one that a fork inherited is posted once the fork changes it.
    if (row.kind === 'revise' || row.kind === 'remove') touched.add(row.seq)
    if (row.kind === 'clear') cleared.all = Math.max(cleared.all, row.seq)
    if (row.kind === 'clear-keeping-system') cleared.butSystem = Math.max(cleared.butSystem, row.seq)
  }
  if (!amended) return true
  for (const seq of touched) {
    const add: NewPassage[] = []
    for await (const message of scan(index.log, view, {
      from: seq,
      through: seq,
      newestFirst: false,
      withRemoved: false,
    }))
      if (seq >= own.from || message.revision > 0) add.push(...messagePassages(index.analyser, message))
    if (!(await poster.write({ remove: [placesOf(seq, seq)], add, next: poster.posted }, [seq]))) return false
  }
  for (let from = 0; from <= Math.max(cleared.all, cleared.butSystem); from += SEQS_PER_SWEEP) {
    const range = placesOf(from, from + SEQS_PER_SWEEP - 1)
    const rows = await index.recall.passages({ thread, ...range })
    const gone = rows.filter(
      ({ place, role }) =>
        place <= placesOf(0, cleared.all).through ||
        (place <= placesOf(0, cleared.butSystem).through && role !== TRUST_OF_ROLE.system),
    )
    const remove = gone.map(({ place }) => ({ from: place, through: place }))
    const seqs = gone.map(({ place }) => seqOf(place))
    if (remove.length > 0 && !(await poster.write({ remove, add: [], next: poster.posted }, seqs))) return false
  }
  return postFolds(index, view)
}

/** The summaries in the window of this session. Few and rewritten as a whole: a compaction replaces them all. */
async function postFolds({ log, recall, analyser }: Index, view: View): Promise<boolean> {
  const thread = threadOf('folds', view.session.key)
  const folds = (await liveFolds(log, view)).filter(({ kind }) => kind === 'summary' || kind === 'merge')
  return recall.change({
    scope: view.session.scope,
    kind: 'folds',
    thread,
    expected: (await recall.threads([thread]))[0] ?? null,
    next: { version: view.version, seq: 0 },
    remove: [placesOf(0, Number.MAX_SAFE_INTEGER / 2 ** 21)],
    removeReferences: [],
    add: folds.flatMap((fold) => foldPassages(analyser, fold)),
    posted: [],
    unposted: [],
  })
}

export function messagePassages(analyser: Analyser, message: Message): readonly NewPassage[] {
  if (isRecalled(message)) return []
  const { text, side } = recallText(message)
  const at = Date.parse(message.at)
  const marks = message.metadata?.['important'] === true ? cueBits.important : 0
  return passagesOf(analyser, text, side).flatMap((passage, index) =>
    saysNothing(passage)
      ? []
      : [
          newPassage(
            { ...passage, cues: passage.cues | marks },
            {
              place: placeOf(message.seq, index),
              reference: '',
              speaker: message.name === undefined ? '' : foldText(message.name),
              role: TRUST_OF_ROLE[message.role],
              at,
            },
          ),
        ],
  )
}

/** A page break is not a memory. `No, I did not.` is: it has no term of its own, but it may be the answer beside one. */
function saysNothing({ terms, text }: Passage): boolean {
  return terms.size === 0 && !/[\p{L}\p{N}]/u.test(text)
}

function foldPassages(analyser: Analyser, fold: Fold): readonly NewPassage[] {
  const text = fold.standIn.map((draft) => recallText(draft).text).join('\n')
  const at = Date.parse(fold.lastAt)
  return passagesOf(analyser, text).map((passage, index) =>
    newPassage(passage, {
      place: placeOf(fold.sources[0]?.from ?? 0, index),
      reference: fold.id,
      speaker: '',
      role: TRUST_OF_ROLE.assistant,
      at,
    }),
  )
}

export function newPassage(
  { terms, length, cues }: Passage,
  rest: Omit<NewPassage, 'terms' | 'length' | 'cues'>,
): NewPassage {
  const weights = [...terms].map(([term, weight]) => ({ term, weight, impact: impactOf(weight, length) }))
  return { ...rest, length, cues, terms: weights }
}
