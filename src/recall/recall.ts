import type { RecallOptions } from '../api/recall.ts'
import { defined } from '../domain/defined.ts'
import { scopeChain } from '../domain/scope-path.ts'
import { errorText } from '../domain/error-text.ts'
import type { RecallKind, RecallLag, Recalled } from '../api/recall.ts'
import type { PassageRow, RecallStore, Shelf } from '../ports/recall-store.ts'
import { addRarity } from './add-rarity.ts'
import { earlierPassages } from './earlier-passages.ts'
import { expectedMessage } from './expected-message.ts'
import type { EmbedderHint } from './embedder-hint.ts'
import { hasFoundEnough } from './has-found-enough.ts'
import type { AskedIndex } from './asked-index.ts'
import { type Candidates, type Search, type SupportedPlace, findCandidates } from './find-candidates.ts'
import type { PassageSpans } from './passage-spans.ts'
import { placeOf, threadOf } from './place.ts'
import type { PassageAddress } from './places.ts'
import type { IndexParts } from './poster.ts'
import type { Posting } from './posting.ts'
import { showBest } from './present.ts'
import { rank } from './rank.ts'
import { relevanceLine } from './relevance.ts'
import { isEmptyQuestion, readQuestion } from './read-question.ts'
import { repeatedQuestions } from './repeated-questions.ts'
import { removedMessages } from './removed-messages.ts'
import { unread } from './unread.ts'
import type { FactReader, VectorSource } from './sources.ts'

/** The same with times in milliseconds. */
export interface RecallRequest extends Omit<RecallOptions, 'since' | 'until' | 'asOf' | 'at'> {
  readonly scope: string
  readonly query: string
  readonly since?: number
  readonly until?: number
  readonly asOf?: number
  readonly at?: number
  readonly now: number
  /** What whoever asks can see already. */
  readonly isShown?: (passage: Pick<PassageRow, 'thread' | 'place' | 'reference'>) => boolean
  /** The same by the id of a message. */
  readonly isVisible?: (message: string) => boolean
}

export interface RecallWiring extends IndexParts {
  readonly posting: Pick<Posting, 'now' | 'within'>
  readonly count: (text: string) => Promise<number>
  readonly facts?: FactReader
  readonly vectors?: VectorSource
  readonly hint?: EmbedderHint
  readonly spans: PassageSpans
  /** Where to look for those who said that old answers will do. */
  readonly stale?: Pick<RecallWiring, 'log' | 'recall' | 'facts'>
}

const LIMIT = 10
const LIMIT_WITH_BUDGET = 100
const kindsAll: readonly RecallKind[] = ['message', 'fold', 'fact']

/**
 * Finds what was said in this scope, or learned in it and its ancestors, that may answer a question. What was said in the
 * ancestors is only included on request. Any string is a question.
 */
export async function recall(newest: RecallWiring, request: RecallRequest): Promise<Recalled> {
  const scopes = scopeChain(request.scope)
  const parts = request.stale === true ? { ...newest, ...newest.stale } : newest
  // The database that has the newest log says which scopes are not indexed yet, also for a caller that reads from a replica.
  // Usually there are none. The shelves are read at the same time, so that this costs no second round trip.
  const [unposted, shelves] = await Promise.all([newest.recall.unposted(scopes), parts.recall.shelves(scopes)])
  if (unposted.length === 0) return look(parts, { ...request, scopes }, shelves)
  const failure = await catchUp(newest, unposted, request.fresh === true)
  const found = await look(parts, { ...request, scopes }, await parts.recall.shelves(scopes))
  if (failure === undefined) return found
  const behind = await howFarBehind(newest, request, failure)
  // A scope whose index was never begun has nothing to find: everything was searched.
  const isMissing = behind.failure !== undefined || behind.sessions + behind.messages + behind.facts > 0
  return isMissing ? { ...found, behind } : found
}

/** Posts what is missing, within the time that a question may take. Returns what is not posted by then, or why it cannot be. */
async function catchUp(
  { posting }: RecallWiring,
  unposted: readonly string[],
  fresh: boolean,
): Promise<{ readonly failure?: unknown } | undefined> {
  if (fresh) {
    for (const scope of unposted) await posting.now(scope)
    return undefined
  }
  const { done, ...failure } = await posting.within(unposted)
  return done ? undefined : failure
}

async function howFarBehind(
  { recall: store }: RecallWiring,
  request: RecallRequest,
  { failure }: { readonly failure?: unknown },
): Promise<RecallLag> {
  const lag = await store.lag({ messages: messageScopes(request), facts: scopeChain(request.scope) })
  return { ...lag, ...(failure === undefined ? {} : { failure: errorText(failure) }) }
}

async function look(
  parts: RecallWiring,
  request: RecallRequest & { readonly scopes: readonly string[] },
  { shelves: all, speakers }: Awaited<ReturnType<RecallStore['shelves']>>,
): Promise<Recalled> {
  const { scopes } = request
  const index = { store: parts.recall, scopes }
  const kinds = request.kinds ?? kindsAll
  const readable = all.filter(({ kind, scope }) => kind === 'fact' || messageScopes(request).includes(scope))
  const shelves = readable.filter(
    ({ kind, passages }) => kinds.includes(kind) && (passages > 0 || request.asOf !== undefined),
  )
  const now = request.asOf ?? request.now
  const question = readQuestion(parts.analyser, request.query, { speakers, now })
  const during = duringOf(request)
  if (isEmptyQuestion(question) && during === undefined)
    return withExpected(parts, request, { ranking: undefined, ranked: [], line: 0, shown: { items: [], dropped: [] } })
  const limit = request.limit ?? (request.budget === undefined ? LIMIT : LIMIT_WITH_BUDGET)
  const search = {
    question,
    shelves,
    during,
    supported: () => supportedPlaces(parts, { ...request, asker: question.asker }, shelves),
    earlier: request.asOf === undefined ? undefined : await earlierPassages(parts, readable, request.asOf),
    isShown: request.isShown,
    now,
  }
  const { ranking, isRepeated } = await findAnswers(parts, index, { ...search, request })
  const passages = shelves.reduce((sum, shelf) => sum + shelf.passages, 0)
  const ranked = await addRarity(index, rank(ranking), { passages: Math.max(1, passages), wanted: limit })
  const line =
    request.relevant === true
      ? relevanceLine(
          question,
          ranked.filter(
            (one) => !isRepeated(one.passage) && unread(one, question, { ...request, line: 0 }) === undefined,
          ),
        )
      : 0
  const shown = await showBest(
    parts,
    { ...request, explain: request.explain === true || request.expected !== undefined, limit, line },
    { question, ranked, shelves, names: ranking.names },
  )
  const removed =
    request.explain === true && request.asOf === undefined && kinds.includes('message')
      ? await removedMessages(parts, messageScopes(request), question)
      : []
  const explained = { ...shown, dropped: [...shown.dropped, ...removed] }
  const found = await withExpected(parts, request, { ranking, ranked, line, shown: explained })
  if (!question.hasContent) return found
  const { vectors } = parts
  if (vectors === undefined) return { ...found, ...defined({ hint: parts.hint?.for(found.items, passages) }) }
  if (hasFoundEnough(found.items) || !kinds.includes('message')) return found
  const unembedded = (await vectors.waiting(messageScopes(request))).length
  return unembedded === 0 ? found : { ...found, unembedded }
}

/** Adds what became of a message that is expected. What was left out is only returned to those who asked for it. */
async function withExpected(
  parts: RecallWiring,
  request: RecallRequest,
  answered: Parameters<typeof expectedMessage>[2],
): Promise<Recalled> {
  const { shown } = answered
  const { expected } = request
  if (expected === undefined) return shown
  const dropped = request.explain === true ? shown.dropped : []
  return { ...shown, dropped, expected: await expectedMessage(parts, { ...request, expected }, answered) }
}

/**
 * Finds candidates. Where only what bears on the question is wanted, the message that asks it is in the log already: its words must
 * not count as if they were said elsewhere.
 */
async function findAnswers(
  { analyser }: RecallWiring,
  index: AskedIndex,
  { request, ...search }: Search & { readonly request: RecallRequest },
): Promise<{ readonly ranking: Candidates; readonly isRepeated: (passage: PassageAddress) => boolean }> {
  const ranking = await findCandidates(index, search)
  if (request.relevant !== true) return { ranking, isRepeated: () => false }
  const { all, unanswered, hasUnanswered } = repeatedQuestions(analyser, request.query, ranking)
  const isRepeated = (passage: PassageAddress): boolean => all.get(passage) === true
  if (!hasUnanswered) return { ranking, isRepeated }
  const isShown: Search['isShown'] = (passage) => unanswered.get(passage) === true || search.isShown?.(passage) === true
  return { ranking: await findCandidates(index, { ...search, isShown }), isRepeated }
}

/** The scopes whose messages and summaries may be found. */
function messageScopes({ scope, ancestors = false }: RecallRequest): readonly string[] {
  return ancestors ? scopeChain(scope) : [scope]
}

function duringOf({ since, until, asOf }: RecallRequest): { readonly from: number; readonly to: number } | undefined {
  if (since === undefined && until === undefined && asOf === undefined) return undefined
  const end = Math.min(until ?? Number.MAX_SAFE_INTEGER, asOf === undefined ? Number.MAX_SAFE_INTEGER : asOf + 1)
  return { from: since ?? -Number.MAX_SAFE_INTEGER, to: end }
}

/** Places found by meaning or through the graph. Their sources may lag behind the log: words find the rest. */
async function supportedPlaces(
  { recall: store, facts, vectors }: RecallWiring,
  request: RecallRequest & { readonly asker: boolean },
  shelves: readonly Shelf[],
): Promise<readonly SupportedPlace[]> {
  const { scope, query, kinds = kindsAll } = request
  const scopes = scopeChain(scope)
  const [near, around] = await Promise.all([
    kinds.includes('message') ? (vectors?.near(messageScopes(request), query) ?? []) : [],
    kinds.includes('fact') ? (facts?.around(scopes, query, request.asker) ?? []) : [],
  ])
  const shelfOf = new Map(shelves.filter(({ kind }) => kind === 'fact').map(({ scope: path, key }) => [path, key]))
  const edges = await Promise.all(
    around.map(async ({ scope: path, id, ...support }) => {
      const key = shelfOf.get(path)
      if (key === undefined) return []
      const [passage] = await store.passages([path], { thread: threadOf('fact', key), reference: id })
      return passage === undefined ? [] : [{ thread: passage.thread, place: passage.place, ...support }]
    }),
  )
  return [
    ...near.map(({ session, seq, vector }) => ({
      thread: threadOf('message', session),
      place: placeOf(seq, 0),
      vector,
    })),
    ...edges.flat(),
  ]
}
