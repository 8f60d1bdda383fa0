import type { Dropped } from '../api/recall.ts'
import type { Message } from '../domain/message.ts'
import { scan } from '../log/scan.ts'
import { changesOf, viewOf } from '../log/view.ts'
import type { SessionHead } from '../ports/log-store.ts'
import { messagePassages } from './message-passages.ts'
import { recallText } from './message-text.ts'
import type { IndexParts } from './poster.ts'
import type { Question } from './read-question.ts'
import { weights } from './weights.ts'

/** An explanation names some of what was removed, the newest first; it does not search a whole archive. */
const SESSIONS_MAX = 200
const MESSAGES_MAX = 2_000

/** Messages with words of the question that were removed, or cleared with their session. The index no longer has them. */
export async function removedMessages(
  index: IndexParts,
  scopes: readonly string[],
  question: Question,
): Promise<readonly Dropped[]> {
  if (question.concepts.length === 0) return []
  const found: Dropped[] = []
  let left = MESSAGES_MAX
  for (const scope of scopes)
    for (const session of await index.log.sessions({ scope }, { limit: SESSIONS_MAX })) {
      if (left === 0) break
      for await (const message of removedFrom(index, session)) {
        const share = shareOf(index, question, message)
        const source = { scope, session: session.name, seq: message.seq, id: message.id }
        const { text } = recallText(message)
        if (share > 0) found.push({ kind: 'message', source, text, score: weights.words * share, reason: 'removed' })
        left -= 1
        if (left === 0) break
      }
    }
  return found.toSorted((a, b) => b.score - a.score)
}

async function* removedFrom({ log }: IndexParts, session: SessionHead): AsyncGenerator<Message> {
  const own = session.lineage.at(-1)
  if (own === undefined || !hasChanges(session) || !(await hasRemovals(log, own, session.version))) return
  const view = await viewOf(log, session)
  const all = { from: own.from, through: view.lastSeq, newestFirst: true, withRemoved: true }
  for await (const message of scan(log, view, all)) if (message.removed === true) yield message
}

/** Each message and each change is a version: a session with as many versions as messages was never changed. */
function hasChanges({ version, lastSeq, parent }: SessionHead): boolean {
  return version - (parent?.throughVersion ?? 0) > lastSeq - (parent?.throughSeq ?? 0)
}

async function hasRemovals(
  log: IndexParts['log'],
  own: Parameters<typeof changesOf>[1],
  version: number,
): Promise<boolean> {
  for await (const { kind } of changesOf(log, own, version))
    if (kind === 'remove' || kind === 'clear' || kind === 'clear-keeping-system') return true
  return false
}

/** How much of the question's words the message has, from 0 to 1. */
function shareOf({ analyser }: IndexParts, { concepts }: Question, message: Message): number {
  const terms = new Set(messagePassages(analyser, message).flatMap((passage) => passage.terms.map(({ term }) => term)))
  let [has, all] = [0, 0]
  for (const { forms, otherForms, weight } of concepts) {
    all += weight
    if ([...forms, ...otherForms()].some((form) => terms.has(form))) has += weight
  }
  return all === 0 ? 0 : has / all
}
