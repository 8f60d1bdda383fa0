import { setImmediate } from 'node:timers/promises'
import { MemoryError } from '../../domain/error.ts'
import type { Change } from '../../ports/log-store.ts'
import { readFacts, nameOf, type BatchFacts } from './read-facts.ts'
import type { Transactions } from './transactions.ts'
import { writeBatch } from './write-batch.ts'
import type { SessionFacts, Write } from './session-facts.ts'

const CHANGES_PER_BATCH_MAX = 256
/** A statement's values are one message to the server, which takes no more than a gigabyte. */
const CHARACTERS_PER_BATCH_MAX = 32_000_000

interface Waiting {
  readonly change: Change<unknown>
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

type Outcome = { readonly answer: unknown } | { readonly refusal: unknown } | 'later'

/**
 * The only way to write to the log. Changes that arrive together are one transaction with one commit, and while it is on its
 * way the next ones gather. One that is refused fails alone.
 *
 * The order of commits: a session's row is locked before its end is read, and free again only after the commit. So its
 * numbers are handed out in the order in which they become visible: who sees a message sees all before it.
 */
export class ChangeQueue {
  readonly #transactions: Transactions
  readonly #onCommit: () => void
  #waiting: Waiting[] = []
  #draining: Promise<void> | undefined

  constructor(transactions: Transactions, onCommit: () => void) {
    this.#transactions = transactions
    this.#onCommit = onCommit
  }

  add<Answer>(change: Change<Answer>): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#waiting.push({ change, resolve, reject })
    this.#draining ??= this.#drain()
    return promise as Promise<Answer>
  }

  /** Resolves when nothing waits any more. */
  async settled(): Promise<void> {
    while (this.#draining !== undefined) await this.#draining
  }

  async #drain(): Promise<void> {
    try {
      // One turn of the event loop, so that everybody who wants to write in this turn joins the first batch.
      await setImmediate()
      while (this.#waiting.length > 0) {
        const batch = this.#waiting.splice(0, batchSize(this.#waiting))
        await this.#run(batch)
      }
    } finally {
      this.#draining = undefined
    }
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    try {
      this.#settle(batch, await this.#commit(batch.map(({ change }) => change)))
    } catch (error) {
      // What the server refuses may be the fault of one: alone, each gets its own answer. Nothing of the batch is stored.
      if (batch.length > 1 && MemoryError.is(error) && !isOfAll(error)) for (const one of batch) await this.#run([one])
      else for (const { reject } of batch) reject(error)
    }
  }

  #commit(changes: readonly Change<unknown>[]): Promise<readonly Outcome[]> {
    const attempt =
      changes.length === 1
        ? `write to session ${JSON.stringify(changes[0]?.session)}`
        : `write to ${changes.length} sessions`
    const sight = [...new Set(changes.map(({ scope }) => scope))]
    return this.#transactions.write(attempt, sight, async (link) => {
      const facts = await readFacts(link, changes)
      const changed = new Set<SessionFacts>()
      const outcomes = decideAll(changes, facts, changed)
      await writeBatch(link, [...changed])
      return outcomes
    })
  }

  #settle(batch: readonly Waiting[], outcomes: readonly Outcome[]): void {
    const later = batch.filter((_, index) => outcomes[index] === 'later')
    this.#waiting.unshift(...later)
    for (const [index, { resolve, reject }] of batch.entries()) {
      const outcome = outcomes[index]
      if (outcome === undefined || outcome === 'later') continue
      if ('answer' in outcome) resolve(outcome.answer)
      else reject(outcome.refusal)
    }
    this.#onCommit()
  }
}

/** A fork reads one session and makes another: it goes alone, so that no batch needs the key of what it makes itself. */
function batchSize(waiting: readonly Waiting[]): number {
  const fork = waiting.findIndex(({ change }) => change.questions.parent !== undefined)
  return fork === 0 ? 1 : Math.min(CHANGES_PER_BATCH_MAX, fork === -1 ? waiting.length : fork)
}

/**
 * Decides one change after the other, each knowing what those before decided. What would make the batch too large waits.
 * `changed` gets the sessions that have something to write, in the order of their first change.
 */
function decideAll(
  changes: readonly Change<unknown>[],
  facts: BatchFacts,
  changed: Set<SessionFacts>,
): readonly Outcome[] {
  const blobs = new Map([...facts.blobs].map(([scope, hashes]) => [scope, new Set(hashes)]))
  let characters = 0
  return changes.map((change): Outcome => {
    if (characters > CHARACTERS_PER_BATCH_MAX) return 'later'
    const { scope, session, questions } = change
    const known = facts.sessions.get(nameOf(scope, session))
    const parent =
      questions.parent === undefined ? undefined : facts.sessions.get(nameOf(scope, questions.parent))?.head
    const owned = blobs.get(scope) ?? new Set<string>()
    if (known === undefined) return 'later'
    try {
      const { answer, write } = change.decide(
        known.facts(change, parent, { blobs: owned, forgotten: facts.forgotten.get(scope) ?? new Set() }),
      )
      if (write !== undefined) {
        known.apply(write)
        changed.add(known)
        for (const { hash } of write.blobs) owned.add(hash)
        blobs.set(scope, owned)
        characters += sizeOf(write)
      }
      return { answer }
    } catch (refusal) {
      return { refusal }
    }
  })
}

function sizeOf({ messages, amendments, blobs }: Write): number {
  const text = [...messages, ...amendments].reduce((sum, { body }) => sum + body.length, 0)
  return text + blobs.reduce((sum, { bytes }) => sum + 2 * bytes.length, 0)
}

/** Concerns the server and not one change: the next would fail the same way. */
function isOfAll(error: MemoryError): boolean {
  return !['store/failed', 'input/too-large'].includes(error.code)
}
