import { defined } from '../domain/defined.ts'
import type { DropReason, ExpectedMessage, MissReason, Recalled } from '../api/recall.ts'
import { scan } from '../log/scan.ts'
import { openView } from '../log/view.ts'
import type { PassageRow } from '../ports/recall-store.ts'
import type { Candidates } from './find-candidates.ts'
import { placesOf, seqOf, threadOf } from './place.ts'
import type { Ranked } from './rank.ts'
import type { RecallRequest, RecallWiring } from './recall.ts'
import { relevanceOf } from './relevance.ts'

/** What a question was answered from. */
interface Answered {
  /** Nothing where the question has no word to look for. */
  readonly ranking: Candidates | undefined
  readonly ranked: readonly Ranked[]
  /** What an item had to reach. */
  readonly line: number
  /** With everything that was left out. */
  readonly shown: Recalled
}

interface Position {
  readonly session: string
  readonly seq: number
}

/** What became of a message that somebody expects to be found. */
export async function expectedMessage(
  parts: RecallWiring,
  request: RecallRequest & { readonly expected: string },
  { ranking, ranked, line, shown }: Answered,
): Promise<ExpectedMessage> {
  const at = request.expected.lastIndexOf('#')
  const place = { session: request.expected.slice(0, at), seq: Number(request.expected.slice(at + 1)) }
  const { passages, problem } = await passagesAt(parts, request, place)
  const here = new Set(passages.flatMap(({ terms }) => Array.from(terms.filter((_, nth) => nth % 2 === 0))))
  const has = Object.groupBy(ranking?.concepts ?? [], ({ terms }) =>
    terms.some((term) => here.has(term)) ? 'words' : 'missing',
  )
  const isHere = ({ passage }: Ranked): boolean =>
    passage.reference === '' && passage.thread === passages[0]?.thread && seqOf(passage.place) === place.seq
  const rank = ranked.findIndex(isHere)
  const one = ranked[rank]
  const reason = isShown(shown, place)
    ? undefined
    : (problem ??
      droppedAt(shown, place) ??
      (ranking === undefined
        ? 'nothing-to-look-for'
        : one !== undefined
          ? 'below-limit'
          : has.words === undefined
            ? await unlike(parts, request.scope, { thread: passages[0]?.thread, seq: place.seq })
            : 'too-weak'))
  return {
    found: reason === undefined,
    ...defined({ reason }),
    summary:
      reason === undefined
        ? 'It was found.'
        : reason === 'no-shared-word' && parts.vectors !== undefined
          ? UNLIKE
          : sentences[reason],
    words: (has.words ?? []).map(({ word }) => word),
    missing: (has.missing ?? []).map(({ word }) => word),
    rank: one === undefined ? null : rank + 1,
    score: one?.score ?? null,
    lowestScore: shown.items.at(-1)?.score ?? null,
    relevance: one === undefined || ranking === undefined ? null : relevanceOf(one, ranking.question),
    neededRelevance: Number.isFinite(line) ? line : null,
  }
}

/** The passages of a message in the index; where there are none, why. */
async function passagesAt(
  { log, recall: store }: RecallWiring,
  { scope }: RecallRequest,
  { session, seq }: Position,
): Promise<{ readonly passages: readonly PassageRow[]; readonly problem?: MissReason }> {
  const view = await openView(log, { scope, session })
  if (view === undefined || seq > view.lastSeq) return { passages: [], problem: 'not-stored' }
  // A fork shares messages with the session that it was made from.
  const owners = view.segments.filter(({ from, through }) => seq >= from && seq <= through).map(({ key }) => key)
  for (const key of new Set([view.session.key, ...owners])) {
    const thread = threadOf('message', key)
    const passages = await store.passages([scope], { thread, ...placesOf(seq, seq) })
    if (passages.length > 0) return { passages }
  }
  const [posted] = await store.threads([scope], [threadOf('message', view.session.key)])
  if (posted === undefined || posted.version < view.version) return { passages: [], problem: 'not-indexed' }
  for await (const _ of scan(log, view, { from: seq, through: seq, newestFirst: false, withRemoved: false }))
    return { passages: [], problem: 'no-text' }
  return { passages: [], problem: 'removed' }
}

/** Why a message without a word of the question was not found by its meaning. */
async function unlike(
  { vectors }: RecallWiring,
  scope: string,
  { thread, seq }: { readonly thread: number | undefined; readonly seq: number },
): Promise<MissReason> {
  if (vectors === undefined) return 'no-shared-word'
  const waiting = await vectors.waiting([scope])
  const isWaiting = waiting.some((one) => threadOf('message', one.session) === thread && one.seq === seq)
  return isWaiting ? 'not-embedded' : 'no-shared-word'
}

function isShown({ items }: Recalled, position: Position): boolean {
  return items.some(({ source, copies = [] }) => [source, ...copies].some((one) => isAt(one, position)))
}

function droppedAt({ dropped }: Recalled, position: Position): DropReason | undefined {
  return dropped.find(({ kind, source }) => kind === 'message' && isAt(source, position))?.reason
}

function isAt(source: { readonly session: string | null; readonly seq: number | null }, position: Position): boolean {
  return source.session === position.session && source.seq === position.seq
}

const UNLIKE = 'It has no word of the question, and was not found by its meaning either: use words of the message.'

const sentences: Readonly<Record<MissReason, string>> = {
  'no-shared-word':
    'It has no word of the question. Recall finds words, not meanings: use words of the message, or open the memory with an embedder.',
  'not-embedded':
    'It has no word of the question, and it is not embedded yet, so it cannot be found by its meaning. Call memory.settled(), or run "daybook jobs settle" with the same --embedder.',
  'too-weak': 'Too many other messages have more words of the question, or rarer ones. Use more words of the message.',
  'nothing-to-look-for': 'The question has no word to look for, only words such as "what" and "the".',
  'not-indexed': 'It is not in the index yet. Ask with fresh: true (--fresh), which waits for it.',
  'no-text': 'It has no text to search, for example because it is only a call of a tool or an image.',
  'not-stored': 'There is no such message in this scope.',
  'below-line': 'It has too little in common with the question, beside better hits.',
  'below-limit': 'Others fit better. Raise limit (--limit), or ask more precisely.',
  'over-budget': 'It does not fit into the budget.',
  duplicate: 'Another item says nearly the same and represents it.',
  'other-role': 'Messages of its role were not asked for. System prompts are only found if roles (--roles) names them.',
  'other-time': 'It was said outside since and until.',
  'already-shown': 'The context shows it anyway.',
  'not-yet-known': 'It was said later than asOf.',
  removed: 'It was removed, or cleared with its session.',
  quarantined: 'It comes from a source that is not trusted.',
  superseded: 'A later fact took its place.',
  'not-true-then': 'It was not true at that time.',
}
