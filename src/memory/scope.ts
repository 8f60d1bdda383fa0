import { checkOptions } from '../domain/check-options.ts'
import { checkId } from '../domain/names.ts'
import { refuse } from '../domain/refuse.ts'
import { type SessionsOptions, type SessionsPage, sessions } from '../log/sessions.ts'
import type { RecallOptions } from '../recall/recall.ts'
import type { Recalled } from '../recall/result.ts'
import { checkCount } from './check-arguments.ts'
import type { Parts } from './parts.ts'
import { recallIn } from './recall.ts'
import { Session, type SessionOptions } from './session.ts'

/** A handle to what one owner has: its sessions. Makes no call by itself. */
export class Scope {
  readonly path: string
  readonly #parts: Parts

  /** @internal Use `memory.scope(path)`. */
  constructor(parts: Parts, path: string) {
    this.#parts = parts
    this.path = path
  }

  /** A handle to one conversation. It exists from its first append. */
  session(id: string, options: SessionOptions = {}): Session {
    checkId('open a session', 'id', id)
    checkOptions('open a session', options, ['description'])
    const { description } = options
    if (description !== undefined && (typeof description !== 'string' || description === ''))
      refuse('open a session', 'description', description, 'a non-empty string')
    return new Session(this.#parts, { scope: this.path, session: id }, options)
  }

  /**
   * Finds messages, folds and facts of this scope and its ancestors that may answer a question, best first, each with its
   * reasons and its source. Works without a model; no string is a bad question.
   */
  async recall(query: string, options: RecallOptions = {}): Promise<Recalled> {
    return recallIn(this.#parts, this.path, query, options)
  }

  /** A page of sessions, newest first. */
  async sessions(options: SessionsOptions = {}): Promise<SessionsPage> {
    checkOptions('list sessions', options, ['limit', 'after', 'text'])
    if (options.limit !== undefined) checkCount('list sessions', 'limit', options.limit)
    if (options.after !== undefined && typeof options.after !== 'string')
      refuse('list sessions', 'after', options.after, 'the next of an earlier page')
    if (options.text !== undefined && typeof options.text !== 'string')
      refuse('list sessions', 'text', options.text, 'a string')
    this.#parts.work.checkOpen()
    return sessions(this.#parts.store.log, this.path, options)
  }
}
