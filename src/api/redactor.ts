import type { JSONValue } from '../domain/json.ts'
import type { NewFact } from '../domain/new-fact.ts'
import type { NewMessage } from '../domain/new-message.ts'

/**
 * Sees everything new before any of it is stored. What it returns is stored instead; to refuse, it throws. It gets copies, so it
 * may change them and return them.
 */
export interface Redactor {
  /** Each message of an append, and each message as a revision would make it. */
  message?(message: NewMessage): NewMessage | PromiseLike<NewMessage>
  /** Each fact of a `remember`. */
  fact?(fact: NewFact): NewFact | PromiseLike<NewFact>
  /** Each value, note and task of a session's state, and each block. It returns the value to store. */
  state?(state: NewState): JSONValue | PromiseLike<JSONValue>
}

/** What is about to be stored in a session's state or in a block. */
export interface NewState {
  /** What it is. */
  readonly kind: 'value' | 'note' | 'task' | 'block'
  /** The key of the value, the id of the note or task, or the name of the block. */
  readonly key: string
  /** The value. Of a note what is given of `text` and `tags`, of a task what is given of `description` and `reason`; of a block the words that are given. */
  readonly value: JSONValue
}
