import { MemoryError } from '../../domain/error.ts'
import type { Message } from '../../domain/message.ts'
import { scan } from '../../log/scan.ts'
import { type View, changesOf, openView } from '../../log/view.ts'
import type { LearnCursor, LearnStore } from '../../ports/learn-store.ts'
import type { LogStore } from '../../ports/log-store.ts'
import type { LearnContext, Learned, Learner, Lesson, Material, Teach } from './lesson.ts'
import { withinBudget } from './limit.ts'
import { learnableText } from './learnable-text.ts'
import { soundClaims } from './sound-claims.ts'

/** A lesson ends with so many messages or so much text: what a crash can undo, and what a model is shown at once. */
const MESSAGES_MAX = 64
const CHARACTERS_MAX = 24_000
/** What is said refers to what was said shortly before. */
const BEFORE_MAX = 6
/** So long may the write lock be held. What a lesson has no room for is the next one's. */
const CLAIMS_MAX = 500

export interface LearnSettings {
  readonly log: LogStore<'searchable'>
  readonly learning: LearnStore
  readonly learner: Learner
  readonly teach: Teach
}

export interface LearnReport {
  readonly messages: number
  readonly facts: number
  /** Claims beyond what one message may teach. */
  readonly overBudget: number
  readonly remarks: readonly string[]
}

/**
 * Learns from everything in a session that nobody has learned from. Each lesson is stored with the step of the cursor that
 * goes with it, so a message is learned from once, whatever ends this in the middle and whoever does the same meanwhile.
 * A revised message is learned from in its new words, and its lesson says so. A fork learns from its own messages, and from what it shares only in
 * words that it has revised: the others are its parent's.
 */
export async function learnSession(
  { log, learning, learner, teach }: LearnSettings,
  address: { readonly scope: string; readonly session: string },
  { signal, isLastTry }: Pick<LearnContext, 'signal' | 'isLastTry'>,
): Promise<LearnReport> {
  const report = { messages: 0, facts: 0, overBudget: 0, unsound: 0, remarks: new Set<string>() }
  for (;;) {
    signal.throwIfAborted()
    const view = await openView(log, address)
    if (view === undefined) break
    const cursor = await learning.learned(view.session.key)
    if (cursor.version >= view.version) break
    const next = await nextMessages(log, view, cursor)
    const revised = await revisedSince(log, view, cursor, next.to.version)
    const materials = [...revised, ...next.messages].flatMap((message) => learnableText(message) ?? [])
    const study =
      materials.length === 0
        ? { learned: [], remarks: [] }
        : await learner(materials, {
            scope: address.scope,
            signal,
            isLastTry,
            before: () => messagesBefore(log, view, materials[0]?.seq ?? 1),
          })
    signal.throwIfAborted()
    const { kept, dropped } = withinBudget(study.learned)
    const left = new Set(beyond(next.messages, kept).map(({ id }) => id))
    const { sound, unsound } = soundClaims(
      kept.filter(({ source }) => !left.has(source.id)),
      address.session,
    )
    const lesson: Lesson = {
      ...address,
      key: view.session.key,
      ownFrom: view.segments.at(-1)?.from ?? 1,
      from: cursor.version,
      to: left.size === 0 ? next.to : await cursorAt(log, view, next.messages.at(-left.size - 1)),
      // What a fork shares, its parent still says: that is not taken back.
      revised: revised.filter(({ seq }) => seq >= (view.segments.at(-1)?.from ?? 1)).map(({ id }) => id),
      learned: sound,
    }
    // No longer ours: another process has learned from these messages, and goes on from there as we do.
    if (!(await teach(lesson))) continue
    report.messages += materials.length - left.size
    report.facts += sound.length
    report.overBudget += dropped
    report.unsound += unsound
    for (const remark of study.remarks) report.remarks.add(remark)
  }
  const { unsound, remarks, ...counts } = report
  const dropped = unsound === 0 ? [] : [`dropped: ${unsound} that could not be stored as facts`]
  return { ...counts, remarks: [...remarks, ...dropped] }
}

/** What was said right before a message. */
async function messagesBefore(log: LogStore, view: View, seq: number): Promise<readonly Material[]> {
  const before: Material[] = []
  const options = { from: Math.max(1, seq - BEFORE_MAX), through: seq - 1, newestFirst: false, withRemoved: false }
  if (options.through < options.from) return before
  for await (const message of scan(log, view, { ...options, hint: BEFORE_MAX }))
    before.push(...[learnableText(message) ?? []].flat())
  return before
}

/** The last messages, those whose claims a lesson has no room for. The first message always has. */
function beyond(messages: readonly Message[], claims: readonly Learned[]): readonly Message[] {
  const perMessage = Map.groupBy(claims, ({ source }) => source.id)
  let sum = 0
  const end = messages.findIndex(({ id }, index) => {
    sum += perMessage.get(id)?.length ?? 0
    return index > 0 && sum > CLAIMS_MAX
  })
  return end < 0 ? [] : messages.slice(end)
}

/** The next messages of the session's own, and where the cursor stands after them. */
async function nextMessages(
  log: LogStore,
  view: View,
  cursor: LearnCursor,
): Promise<{ readonly messages: readonly Message[]; readonly to: LearnCursor }> {
  const own = view.segments.at(-1)
  const from = Math.max(cursor.seq + 1, own?.from ?? 1)
  const messages: Message[] = []
  let characters = 0
  const options = { from, through: view.lastSeq, newestFirst: false, withRemoved: true, hint: MESSAGES_MAX }
  for await (const message of scan(log, view, options)) {
    messages.push(message)
    characters += JSON.stringify(message.parts).length
    if (messages.length >= MESSAGES_MAX || characters >= CHARACTERS_MAX) break
  }
  const last = messages.at(-1)
  if (last === undefined || last.seq === view.lastSeq)
    return { messages, to: { version: view.version, seq: view.lastSeq } }
  return { messages, to: await cursorAt(log, view, last) }
}

/** Messages that were learned from, here or in the session this is a fork of, and got new content here since. */
async function revisedSince(
  log: LogStore,
  view: View,
  cursor: LearnCursor,
  throughVersion: number,
): Promise<readonly Message[]> {
  const from = view.segments.at(-1)?.from ?? 1
  const seqs = new Set<number>()
  for await (const row of changesOf(log, view.session, throughVersion, cursor.version))
    if (row.kind === 'revise' && (row.seq <= cursor.seq || row.seq < from)) seqs.add(row.seq)
  const messages: Message[] = []
  for (const seq of [...seqs].toSorted((a, b) => a - b)) {
    const at = { from: seq, through: seq, newestFirst: false, withRemoved: true, hint: 1 }
    for await (const message of scan(log, view, at)) messages.push(message)
  }
  return messages
}

/** Where the cursor stands after a message of the session's own. */
async function cursorAt(log: LogStore, view: View, message: Message | undefined): Promise<LearnCursor> {
  const { id = '', seq = 0 } = message ?? {}
  const row = await log.message(view.session, id)
  if (row !== undefined) return { version: row.version, seq }
  throw new MemoryError('store/corrupt', `Cannot learn from message ${seq}: its row is missing, run verify()`, { seq })
}
