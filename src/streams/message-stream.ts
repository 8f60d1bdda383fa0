import type { Session } from '../api/session.ts'
import type { MessageStream, StreamedMessage } from '../api/streams.ts'
import { MemoryError } from '../domain/error.ts'
import type { Message } from '../domain/message.ts'
import type { NewMessage, NewPart } from '../domain/new-message.ts'
import type { Revision } from '../api/messages.ts'
import { refuse } from '../domain/refuse.ts'

/** Text waits this long for more before it is stored, so that 200 ms are kept with time to store it. */
const WAIT_MS = 100
/** A piece that is at least this long is not written again. */
const PIECE_CHARACTERS_MAX = 1_000
/** A stream whose writer is silent stores this often that it is not abandoned: see `STREAM_SILENCE_MS_MAX`. */
const TOUCH_MS = 1_000
/** The longest pause between attempts to store a piece while they fail. */
const RETRY_MS_MAX = 3_000

const LASTING_CODES: ReadonlySet<string> = new Set(['store/closed', 'log/not-found', 'log/conflict'])

/** The calls of a session that a stream is made of: here or behind a server. */
export type StreamCalls = Pick<Session, 'append' | 'change' | 'keepPiece'>

/**
 * Stores a message while it is written: its text in pieces, and at the end the message as a whole. A piece that could not be stored
 * is tried again with the next one. What counts is the end, which fails if the message is not stored.
 */
export function messageStream(calls: StreamCalls, message: StreamedMessage, id: string): MessageStream {
  return new Stream(calls, message, id)
}

class Stream implements MessageStream {
  readonly id: string
  readonly #calls: StreamCalls
  readonly #message: StreamedMessage
  #text = ''
  /** Where the last piece that was stored begins, and how far the stored text goes. */
  #last = 0
  #stored = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  /** The timer only says now and then that the stream is not abandoned. */
  #isResting = false
  #keeping: Promise<void> | undefined
  #ending: Promise<readonly Message[]> | undefined
  /** How many attempts to store a piece have failed since the last that did not. */
  #failures = 0
  /** No later piece can be stored either. */
  #isRefused = false

  constructor(calls: StreamCalls, message: StreamedMessage, id: string) {
    this.#calls = calls
    this.#message = message
    this.id = id
  }

  write(text: string): void {
    if (typeof text !== 'string') refuse('write to a stream', 'text', text, 'a string')
    if (this.#ending !== undefined) throw ended(this.id)
    if (text === '') return
    this.#text += text
    if (this.#isResting) this.#rest()
    this.#later(WAIT_MS)
  }

  async end(reply?: NewMessage | readonly NewMessage[]): Promise<readonly Message[]> {
    if (this.#ending !== undefined) throw ended(this.id)
    const [first, ...rest] = this.#replyOf(reply)
    if (first === undefined) throw refuse('end a stream', 'reply', reply, 'a message, or text that was written')
    return this.#finish(() => this.#complete(first, rest))
  }

  async stop(): Promise<Message | undefined> {
    if (this.#ending !== undefined) throw ended(this.id)
    const text = this.#text
    const stored = await this.#finish(async () => (text === '' ? [] : this.#cutOff(text)))
    return stored[0]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#ending === undefined) await this.stop()
  }

  #replyOf(reply: NewMessage | readonly NewMessage[] | undefined): readonly NewMessage[] {
    if (reply === undefined) return this.#text === '' ? [] : [{ ...this.#message, content: this.#text }]
    return Array.isArray(reply) ? (reply as readonly NewMessage[]) : [reply as NewMessage]
  }

  /** Ends once. After a failure, `end` or `stop` may be called again. */
  async #finish(complete: () => Promise<readonly Message[]>): Promise<readonly Message[]> {
    this.#rest()
    const ending = (async () => {
      await this.#keeping
      return complete()
    })()
    this.#ending = ending
    try {
      return await ending
    } catch (error) {
      this.#ending = undefined
      throw error
    }
  }

  /** Text that is too large for a message ends where the stored pieces end. */
  async #cutOff(text: string): Promise<readonly Message[]> {
    const complete = (content: string): Promise<readonly Message[]> =>
      this.#complete({ ...this.#message, content, incomplete: 'stopped' }, [])
    try {
      return await complete(text)
    } catch (error) {
      if (this.#stored === 0 || !MemoryError.is(error, 'input/too-large')) throw error
      return complete(text.slice(0, this.#stored))
    }
  }

  async #complete(first: NewMessage, rest: readonly NewMessage[]): Promise<readonly Message[]> {
    const { id, operationId } = { id: this.id, operationId: `stream:${this.id}` }
    // The first piece may be stored, although its response was lost: sent again, it shows whether it is.
    if (this.#stored === 0 && this.#failures > 0 && !this.#isRefused) await this.#store()
    if (this.#stored === 0) return this.#calls.append([{ ...first, id }, ...rest], { operationId })
    const patch = { ...patchFrom(first), incomplete: first.incomplete ?? null }
    const append = rest.length === 0 ? [] : [{ type: 'append', messages: rest } as const]
    const { messages } = await this.#calls.change([{ type: 'revise', id, patch }, ...append], { operationId })
    return messages
  }

  #rest(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isResting = false
  }

  #later(wait: number): void {
    if (this.#timer !== undefined || this.#keeping !== undefined || this.#ending !== undefined || this.#isRefused)
      return
    this.#timer = setTimeout(() => {
      this.#rest()
      this.#keeping = this.#keep()
    }, wait)
  }

  async #keep(): Promise<void> {
    await this.#store()
    this.#keeping = undefined
    const isBehind = this.#stored < this.#text.length
    this.#later(isBehind ? Math.min(WAIT_MS * 2 ** this.#failures, RETRY_MS_MAX) : TOUCH_MS)
    this.#isResting = !isBehind && this.#timer !== undefined
    // A stream that nobody ends, or that cannot be stored, must not keep a process alive.
    if ((this.#isResting || this.#failures > 0) && typeof this.#timer === 'object') this.#timer.unref()
  }

  async #store(): Promise<void> {
    // A piece that is long enough stays as it is, and the next one begins behind it.
    const from = this.#stored - this.#last >= PIECE_CHARACTERS_MAX ? this.#stored : this.#last
    const text = this.#text.slice(from)
    const isFirst = this.#stored === 0
    try {
      const piece = isFirst ? { from, text, message: this.#message } : { from, text }
      await this.#calls.keepPiece(this.id, piece)
      // The first piece is in the row of the message: it is not written again.
      this.#last = isFirst ? text.length : from
      this.#stored = from + text.length
      this.#failures = 0
    } catch (error) {
      // Tried again with the next piece. The end stores everything, or fails.
      this.#failures += 1
      this.#isRefused = isLasting(error)
    }
  }
}

/** What a revision has to change for the message to be this one. */
function patchFrom(message: NewMessage): Revision {
  const { role: _role, id: _id, at: _at, toolCallId: _call, incomplete: _incomplete, ...patch } = message
  if (patch.parts !== undefined || typeof patch.content === 'string') return patch
  if (patch.content == null) return { ...patch, content: '' }
  const { content, toolCalls = [], ...rest } = patch
  // A list of parts takes the place of everything, so calls beside it have to be in it.
  return Array.isArray(content)
    ? {
        ...rest,
        parts: [
          ...(content as readonly NewPart[]),
          ...toolCalls.map((call) => ({ ...call, type: 'tool-call' as const })),
        ],
      }
    : patch
}

/** Whether every later piece would be refused too: the memory is closed, the message is gone or complete, or the text is not allowed. */
function isLasting(error: unknown): boolean {
  if (!MemoryError.is(error)) return false
  return error.code.startsWith('input/') || LASTING_CODES.has(error.code)
}

function ended(id: string): MemoryError {
  return new MemoryError('input/invalid', `Cannot use the stream of message ${JSON.stringify(id)}: it has ended`, {
    id,
  })
}
