import { setImmediate } from 'node:timers/promises'
import { copyPlain } from '../domain/copy-plain.ts'
import { MemoryError } from '../domain/error.ts'
import { blobHashes } from '../domain/media-parts.ts'
import type { Role } from '../domain/message.ts'
import type { NewMessage } from '../domain/new-message.ts'
import { type ParsedMessage, parseMessage } from '../domain/parse-message.ts'
import type { Part } from '../domain/part.ts'
import { refuse } from '../domain/refuse.ts'
import type { Blob, LogFindings } from '../ports/log-store.ts'
import { type Body, readBody, writeBody } from './body.ts'
import type { Log } from './log.ts'
import { storeMedia } from './media.ts'

/** One transaction holds this many messages of full size: more would hold everybody else for seconds. */
const FULL_MESSAGES_PER_APPEND_MAX = 4

/** Read and counted at once; some milliseconds. Then others have their turn. */
const CHARACTERS_PER_TURN = 500_000

/** A message that only waits for its place: checked, counted, written as text. */
export interface PreparedMessage {
  readonly role: Role
  readonly body: string
  /** What `body` says, as objects that nobody else holds. */
  readonly draft: Body
  readonly parts: readonly Part[]
  readonly tokens: number
  readonly id: string
  /** Whether the caller chose the id, so that it may be stored already. */
  readonly idGiven: boolean
  readonly at?: number
  readonly blobs: readonly Blob[]
}

/**
 * Everything slow or refusable about messages, done before the transaction that stores them. All are parsed and written
 * as text before the first wait, so that what the caller changes afterwards changes nothing.
 */
export async function prepare(
  log: Log,
  attempt: string,
  inputs: readonly NewMessage[],
  imported?: true,
): Promise<readonly PreparedMessage[]> {
  const written = await writeAll(log, attempt, inputs, imported)
  checkSize(
    log,
    attempt,
    'messages',
    written.reduce((sum, { text }) => sum + text.length, 0),
  )
  return finishAll(log, attempt, written)
}

/** The same for messages that need not fit into one transaction. */
export async function prepareEach(
  log: Log,
  attempt: string,
  inputs: readonly NewMessage[],
): Promise<readonly PreparedMessage[]> {
  return finishAll(log, attempt, await writeAll(log, attempt, inputs))
}

/**
 * The same for one message that nobody redacts, without waiting where nothing has to be waited for. Most appends are of one short
 * message, and each wait costs a lone caller about as much as the message's hash.
 */
export function prepareOne(
  log: Log,
  attempt: string,
  input: NewMessage,
  imported?: true,
): PreparedMessage | Promise<PreparedMessage> {
  return finish(log, attempt, write(attempt, 'message', input, imported))
}

async function writeAll(
  log: Log,
  attempt: string,
  inputs: readonly NewMessage[],
  imported?: true,
): Promise<readonly Written[]> {
  const given = log.redact === undefined ? inputs : await redacted(log, inputs)
  return given.map((input, index) =>
    write(attempt, given.length === 1 ? 'message' : `messages[${index}]`, input, imported),
  )
}

async function finishAll(log: Log, attempt: string, written: readonly Written[]): Promise<readonly PreparedMessage[]> {
  const prepared: PreparedMessage[] = []
  let characters = 0
  for (const message of written) {
    characters += message.text.length
    if (characters > CHARACTERS_PER_TURN) {
      await setImmediate()
      characters = message.text.length
    }
    prepared.push(await finish(log, attempt, message))
  }
  return prepared
}

/** Its parts as `prepare` would have them stored, for whoever asks whether they are. */
export async function partsToStore(log: Log, attempt: string, input: NewMessage): Promise<readonly Part[]> {
  const [clean = input] = log.redact === undefined ? [input] : await redacted(log, [input])
  const { pending, ...parsed } = parseMessage(attempt, 'message', clean)
  const { parts } = readBody(writeBody(parsed))
  await storeMedia(log, attempt, pending, parts)
  return parts
}

/** Copied before the first wait, for the same reason. */
async function redacted({ redact }: Log, inputs: readonly NewMessage[]): Promise<readonly NewMessage[]> {
  const copies = inputs.map((input) => copyPlain(input) as NewMessage)
  const answers: NewMessage[] = []
  for (const copy of copies) answers.push((await redact?.(copy)) ?? refuse('redact', 'message', undefined, 'a message'))
  return answers
}

interface Written {
  readonly path: string
  readonly parsed: ParsedMessage
  readonly text: string
}

function write(attempt: string, path: string, input: NewMessage, imported: true | undefined): Written {
  const parsed = parseMessage(attempt, path, input)
  return { path, parsed, text: writeBody(imported === undefined ? parsed : { ...parsed, imported }) }
}

function finish(log: Log, attempt: string, written: Written): PreparedMessage | Promise<PreparedMessage> {
  const { parsed, text } = written
  const draft = readBody(text)
  if (parsed.pending.length > 0) return finishWithMedia(log, attempt, written, draft)
  return counted(log, attempt, written, { draft, body: text, blobs: [] })
}

async function finishWithMedia(log: Log, attempt: string, written: Written, draft: Body): Promise<PreparedMessage> {
  const blobs = await storeMedia(log, attempt, written.parsed.pending, draft.parts)
  return counted(log, attempt, written, { draft, body: blobs.length === 0 ? written.text : writeBody(draft), blobs })
}

function counted(
  log: Log,
  attempt: string,
  { path, parsed }: Written,
  { draft, body, blobs }: Pick<PreparedMessage, 'draft' | 'body' | 'blobs'>,
): PreparedMessage | Promise<PreparedMessage> {
  checkSize(log, attempt, path, Buffer.byteLength(body) + blobs.reduce((sum, blob) => sum + blob.bytes.length, 0))
  const { role, id, at } = parsed
  const finished = (tokens: number): PreparedMessage => ({
    role,
    body,
    draft,
    parts: draft.parts,
    tokens,
    id: id ?? log.newId(),
    idGiven: id !== undefined,
    ...(at === undefined ? {} : { at }),
    blobs,
  })
  const tokens = log.count({ role, ...draft })
  return typeof tokens === 'number' ? finished(tokens) : tokens.then(finished)
}

function checkSize(log: Log, attempt: string, path: string, bytes: number): void {
  const max = path === 'messages' ? log.messageBytesMax * FULL_MESSAGES_PER_APPEND_MAX : log.messageBytesMax
  if (bytes <= max) return
  throw new MemoryError('input/too-large', `Cannot ${attempt}: ${path} has ${bytes} bytes, expected at most ${max}`, {
    option: path,
    received: bytes,
    max,
  })
}

/** Blobs that the messages name without bringing their bytes. */
export function namedBlobs(messages: readonly PreparedMessage[]): readonly string[] {
  const named = messages.flatMap((message) => blobHashes(message.parts))
  if (named.length === 0) return named
  const brought = new Set(messages.flatMap((message) => message.blobs.map((blob) => blob.hash)))
  return named.filter((hash) => !brought.has(hash))
}

/** A hash alone gives nobody content: it must already belong to this scope. */
export function checkBlobs(
  attempt: string,
  messages: readonly PreparedMessage[],
  findings: Pick<LogFindings, 'blobs'>,
): void {
  for (const hash of namedBlobs(messages)) {
    if (!findings.blobs.has(hash)) refuse(attempt, 'blob', hash, 'the hash of a blob in this scope, or its bytes')
  }
}
