import type { Message } from '../domain/message.ts'
import type { NewMessage } from '../domain/new-message.ts'
import { parseMessage } from '../domain/parse-message.ts'

/**
 * Those of a host's messages that the log does not have. Hosts give the whole conversation again after each reply, mostly
 * without ids: what it begins with and the log ends with is the same. A single message is always new, since a user may well
 * say "yes" twice; whoever wants a single message retried safely gives it an id.
 *
 * @param stored the newest stored messages, oldest first: as many as there are given ones.
 */
export function newMessages(given: readonly NewMessage[], stored: readonly Message[]): readonly NewMessage[] {
  if (given.length < 2) return given
  const wanted = given.map(likeness)
  const known = stored.map(likeness)
  for (let overlap = Math.min(wanted.length, known.length); overlap > 0; overlap--) {
    const from = known.length - overlap
    if (wanted.slice(0, overlap).every((one, index) => one === known[from + index])) return given.slice(overlap)
  }
  return given
}

/** As the door reads it, so that a shorthand and what was stored for it look alike. Bytes are stored under another name: left out. */
function likeness(message: NewMessage | Message): string {
  const { role, name, parts } = parseMessage('record', 'message', message)
  const said = parts.map((part) =>
    part.type === 'image' || part.type === 'file' || part.type === 'audio' ? part.type : part,
  )
  return JSON.stringify([role, name, said])
}
