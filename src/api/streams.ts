import type { Message } from '../domain/message.ts'
import type { NewMessage } from '../domain/new-message.ts'

/** Who speaks in a message that is streamed, and what is stored with it. */
export type StreamedMessage = Pick<NewMessage, 'name' | 'tags' | 'metadata' | 'provider' | 'id' | 'at'> & {
  /** Who speaks. */
  readonly role: 'assistant' | 'user'
}

/** A piece of the text of a message that is being streamed. */
export interface MessagePiece {
  /** Where it begins: how many characters of the text come before it. */
  readonly from: number
  /** Its text. */
  readonly text: string
  /** Who speaks; required with the first piece, which starts the message. */
  readonly message?: StreamedMessage
}

/** How much of a message is stored. */
export interface KeptPiece {
  /** How many characters of its text. */
  readonly characters: number
}

/** A message that is stored while it is written. */
export interface MessageStream {
  /** The id of the message. */
  readonly id: string

  /** Adds text. It is stored within 200 milliseconds. */
  write(text: string): void

  /**
   * Completes the message and returns what was stored. Without an argument it has the text that was written. Otherwise the reply as a
   * whole: a message with calls of tools, or several, of which the first takes the place of the text.
   */
  end(reply?: NewMessage | readonly NewMessage[]): Promise<readonly Message[]>

  /** Stops before the end. What was written stays, marked `incomplete: 'stopped'`; `undefined` if nothing was written. */
  stop(): Promise<Message | undefined>

  /** Stops, unless the message was completed: for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}
