import { defined } from '../domain/defined.ts'
import type { KeptPiece, MessagePiece } from '../api/streams.ts'
import { MemoryError } from '../domain/error.ts'
import type { Message } from '../domain/message.ts'
import { piecesPlace } from '../domain/pieces-place.ts'
import { quote, refuse } from '../domain/refuse.ts'
import { textOf } from '../domain/text-of.ts'
import type { StateReplacement } from '../ports/state-store.ts'
import { append } from './append.ts'
import { writeBody } from './body.ts'
import { get } from './get.ts'
import type { Address, Log } from './log.ts'
import type { PreparedMessage } from './prepare.ts'
import { isStreamed } from './with-pieces.ts'

const ATTEMPT = 'keep a piece'
/** The row that says what the others are. */
const HEAD_KEY = ''
const KEY_DIGITS = 9
const LAST_KEY = '~'

/** What is stored in pieces, in characters of the whole text. */
interface Extent {
  /** How many characters are in the row of the message itself. */
  readonly first: number
  /** Where the last piece begins. */
  readonly last: number
  readonly end: number
}

/**
 * Stores a piece of a message that is being streamed. The first piece appends the message, marked `incomplete: 'streaming'`. Later
 * ones are rows of their own, without a history: the last one may be written again with more text. A revision of the message takes
 * the place of all of them.
 *
 * @throws {MemoryError} `log/not-found` if there is no such message; `log/conflict` if it is complete, or the piece does not fit.
 */
export async function keepPiece(
  log: Log,
  address: Address,
  id: string,
  piece: MessagePiece & { readonly description?: Promise<PreparedMessage | undefined> },
): Promise<KeptPiece> {
  // A secret may be cut in two by the end of a piece, and then no redactor finds it.
  if (log.redact !== undefined)
    refuse(
      ATTEMPT,
      'redact',
      'a redactor',
      'a memory without one: it has to see the whole message, so append it at its end',
    )
  const { from, text, message, description } = piece
  const current = await get(log.store, address, id)
  if (current === undefined) {
    if (message === undefined || from !== 0) throw notFound(address, id)
    const first = { ...message, id, content: text, incomplete: 'streaming' } as const
    await append(log, address, [first], defined({ description }))
    return { characters: text.length }
  }
  if (!isStreamed(current)) throw isComplete(id)
  if (!(await isOwn(log, address, id))) throw isInherited(address, id)
  const whole = textOf(current).slice(0, from) + text
  const size = Buffer.byteLength(writeBody({ ...current, parts: [{ type: 'text', text: whole }] }))
  if (size > log.messageBytesMax)
    throw new MemoryError(
      'input/too-large',
      `Cannot ${ATTEMPT}: the message has ${size} bytes, expected at most ${log.messageBytesMax}`,
      { option: 'text', received: size, max: log.messageBytesMax },
    )
  const kept = await extend(log, address, { from, text, current })
  if (await isOwn(log, address, id)) return kept
  // Forgotten since it was read. Whoever forgets deletes what was stored before, and this what was stored after.
  await log.pieces.forget(piecesPlace(address.scope, address.session, id))
  throw notFound(address, id)
}

/** Whether the session itself has the message, and not only a session that it was forked from. */
async function isOwn(log: Log, { scope, session }: Address, id: string): Promise<boolean> {
  const own = (await log.store.session(scope, session))?.lineage.at(-1)
  return own !== undefined && (await log.store.message(own, id)) !== undefined
}

async function extend(
  log: Log,
  { scope, session }: Address,
  { from, text, current }: MessagePiece & { readonly current: Message },
): Promise<KeptPiece> {
  const written = textOf(current)
  const counted = await countFrom(log, current, text)
  const outcome = await log.pieces.replace<KeptPiece | MemoryError>(
    piecesPlace(scope, session, current.id),
    { section: 'piece', keys: [HEAD_KEY] },
    (head, rows) => {
      const at = Math.max(head.at, log.clock.now())
      const nothing = { at, clears: [], writes: [] }
      const known = rows.get(HEAD_KEY)?.value
      const extent: Extent =
        known == null
          ? { first: written.length, last: written.length, end: written.length }
          : (JSON.parse(known) as Extent)
      // Sent again after a lost response, with what is in the row of the message itself.
      const repeated = Math.max(0, extent.first - from)
      if (repeated > 0 && text.slice(0, repeated) === written.slice(from, from + Math.min(repeated, text.length))) {
        if (text.length <= repeated) return { ...nothing, answer: { characters: extent.end } }
        return write({ ...extent, last: extent.first }, text.slice(repeated), at, counted)
      }
      if (from !== extent.last && from !== extent.end)
        return { ...nothing, answer: doesNotFit(current.id, from, extent) }
      return write({ ...extent, last: from }, text, at, counted)
    },
  )
  if (outcome instanceof MemoryError) throw outcome
  return outcome
}

function write({ first, last }: Extent, text: string, at: number, tokens: number): StateReplacement<KeptPiece> {
  const end = last + text.length
  const key = String(last).padStart(KEY_DIGITS, '0')
  return {
    answer: { characters: end },
    at,
    clears: [{ section: 'piece', from: key, to: LAST_KEY }],
    writes: [
      { section: 'piece', key, value: JSON.stringify({ text, tokens }) },
      { section: 'piece', key: HEAD_KEY, value: JSON.stringify({ first, last, end }) },
    ],
  }
}

async function countFrom(log: Log, { role }: Message, text: string): Promise<number> {
  return log.count({ role, parts: [{ type: 'text', text }] })
}

function notFound(address: Address, id: string): MemoryError {
  return new MemoryError(
    'log/not-found',
    `Cannot ${ATTEMPT}: session ${quote(address.session)} has no message ${quote(id)}, expected a first piece with the role of the speaker`,
    { id, ...address },
  )
}

function isComplete(id: string): MemoryError {
  return new MemoryError('log/conflict', `Cannot ${ATTEMPT}: message ${quote(id)} is no longer being streamed`, {
    id,
  })
}

function isInherited(address: Address, id: string): MemoryError {
  return new MemoryError(
    'log/conflict',
    `Cannot ${ATTEMPT}: message ${quote(id)} is streamed to the session that ${quote(address.session)} was forked from, expected a message of its own`,
    { id, ...address },
  )
}

function doesNotFit(id: string, from: number, { last, end }: Extent): MemoryError {
  return new MemoryError(
    'log/conflict',
    `Cannot ${ATTEMPT} of message ${quote(id)} from character ${from}: expected ${end}, or ${last} to write the last piece again`,
    { id, from, last, end },
  )
}
