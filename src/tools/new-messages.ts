import type { Message } from '../domain/message.ts'
import type { NewMessage } from '../domain/new-message.ts'
import { parseMessage } from '../domain/parse-message.ts'

/** A message as far as it is compared. */
interface Likeness {
  readonly role: string
  /** Equal for messages with the same content. */
  readonly content: string
  /** The calls it makes, and ids of those whose results it holds: results are the same, whatever was shortened in them. */
  readonly calls: string
  readonly id: string | undefined
}

/**
 * Those of a host's messages that the log does not have. Hosts give the whole conversation, or the newest part of it, again after
 * each reply, mostly without ids, often with another system prompt and with old results shortened. So the given messages are laid
 * along the end of the stored ones, and what reaches beyond is new.
 *
 * A message or a turn that is given alone is always new, since a user may well say "yes" twice. To retry one safely, give its
 * messages ids.
 *
 * @param stored the newest stored messages, oldest first: as many as there are given ones.
 * @param isRecorded whether this very object was recorded before.
 */
export function newMessages(
  given: readonly NewMessage[],
  stored: readonly Message[],
  isRecorded: (message: NewMessage) => boolean = () => false,
): readonly NewMessage[] {
  if (given.length < 2) return given
  const wanted = given.map(likeness)
  const known = stored.map(likeness)
  const recorded = given.findLastIndex((message) => isRecorded(message)) + 1
  const overlap = Math.max(recorded, longestOverlap(wanted, known))
  return overlap === given.length && isTurnAlone(wanted) ? given : given.slice(overlap)
}

/** Whether the stored messages end with just these, and nobody has replied to them: the request is being repeated. */
export function isStoredEnd(given: readonly NewMessage[], stored: readonly Message[]): boolean {
  if (given.length === 0 || given.length > stored.length || stored.at(-1)?.role === 'assistant') return false
  const end = stored.slice(-given.length).map(likeness)
  return given.map(likeness).every((message, index) => isSame(message, end[index]))
}

/** One user message with what follows it, and nothing to recognise it by. */
function isTurnAlone(given: readonly Likeness[]): boolean {
  const users = given.filter(({ role }) => role === 'user').length
  return users <= 1 && given.every(({ role, calls, id }) => role !== 'system' && calls === '' && id === undefined)
}

/** How many of the given messages are stored: of all ways to lay them along the end, the one with most in common. */
function longestOverlap(given: readonly Likeness[], stored: readonly Likeness[]): number {
  // A host may write another system prompt each time.
  const ours = [...given.entries()].filter(([, { role }]) => role !== 'system')
  const theirs = stored.filter(({ role }) => role !== 'system')
  const said = ours.map(([, message]) => message)
  // Where the log has nothing older, both begin together: a turn that repeats the one before it is not the same turn.
  const isWhole = stored.length < given.length
  let best = { length: 0, equal: 0 }
  for (let end = ours.length; end > 0 && end >= best.equal; end--) {
    const equal = inCommon(said, end, theirs)
    if (equal > best.equal || (isWhole && equal > 0 && equal === best.equal))
      best = { length: (ours[end - 1]?.[0] ?? 0) + 1, equal }
  }
  return best.length
}

/**
 * How many of the first messages of one list are the last of another, compared backwards. A message of the same role in the same
 * place may have been changed; where there are more of those than equal ones, or where the last is not equal, it is another
 * conversation.
 */
function inCommon(given: readonly Likeness[], end: number, stored: readonly Likeness[]): number {
  if (!isSame(given[end - 1], stored.at(-1))) return 0
  let [equal, changed] = [0, 0]
  for (let back = 1; back <= Math.min(end, stored.length); back++) {
    const [ours, theirs] = [given[end - back], stored.at(-back)]
    if (isSame(ours, theirs)) equal += 1
    else if (ours?.role === theirs?.role) changed += 1
    else break
  }
  return changed > equal ? 0 : equal
}

function isSame(a: Likeness | undefined, b: Likeness | undefined): boolean {
  if (a === undefined || b === undefined || a.role !== b.role) return false
  if (a.id !== undefined && a.id === b.id) return true
  return a.calls === b.calls && (a.calls !== '' || a.content === b.content)
}

/** As the door reads it, so that a shorthand and what was stored for it look alike. Bytes are stored under another name: left out. */
function likeness(message: NewMessage | Message): Likeness {
  const { role, name, parts } = parseMessage('record', 'message', message)
  const said = parts.flatMap((part): readonly unknown[] => {
    if (part.type === 'image' || part.type === 'file' || part.type === 'audio') return [part.type]
    // What only one dialect has words for, a host does not give back in another.
    if (part.type === 'data' && part.kind.includes(':')) return []
    const { provider: _, ...rest } = part
    return [rest]
  })
  const calls = parts.flatMap((part) => {
    if (part.type === 'tool-call') return [`${part.id} ${part.name} ${part.arguments}`]
    return part.type === 'tool-result' && part.callId !== undefined ? [part.callId] : []
  })
  return { role, content: JSON.stringify([name, said]), calls: calls.join(' '), id: message.id }
}
