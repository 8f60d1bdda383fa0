import type { ProgramStep } from '../sql/program.ts'
import type { Driver } from './driver.ts'
import { onlyIfHeld } from './only-if-held.ts'
import { identifier } from './identifier.ts'
import type { PreparedStatement } from './statement.ts'

/**
 * One connection during one transaction. What is sent does not wait for earlier answers: the driver writes it to the wire at
 * once. After a failure the server refuses the rest of the transaction, so the first failure is the one to tell.
 */
export class Link {
  readonly #client: Driver.PoolClient
  readonly #prepare: (text: string) => PreparedStatement
  #failure: { readonly error: unknown } | undefined
  #held: Promise<boolean> | undefined

  constructor(client: Driver.PoolClient, prepare: (text: string) => PreparedStatement) {
    this.#client = client
    this.#prepare = prepare
  }

  /** Sends a statement. Nobody has to wait for its answer: a failure comes out of the next that is waited for. */
  send({ text, values, gives }: ProgramStep): Promise<unknown> {
    const query = {
      ...this.#prepare(this.#held !== undefined && gives === 'nothing' ? onlyIfHeld(text) : text),
      values: [...values],
      ...(gives === 'lists' ? { rowMode: 'array' as const } : {}),
    }
    const answer = this.#client.query<Driver.QueryResultRow>(query).then(
      (result) => {
        if (this.#failure !== undefined) throw this.#failure.error
        return gives === 'changes' ? (result.rowCount ?? 0) : result.rows
      },
      (error: unknown) => {
        this.#failure ??= { error }
        throw this.#failure.error
      },
    )
    answer.catch(() => undefined) // whoever waits hears of it
    if (gives === 'held') {
      this.#held = answer.then((rows) => Array.isArray(rows) && rows[0]?.['held'] === true)
      this.#held.catch(() => undefined)
    }
    return answer
  }

  /** Whether every session was as this process left it, once an answer came that was sent later. */
  async isHeld(): Promise<boolean> {
    return this.#held ?? true
  }

  /** Sends a word without values: begin, commit, roll back. Answers with what the server says it did. */
  async say(word: string): Promise<string> {
    try {
      return (await this.#client.query(word)).command
    } catch (error) {
      this.#failure ??= { error }
      throw this.#failure.error
    }
  }

  /** What went wrong first, if anything did. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure
  }

  /** Listens to a channel until it is stopped or the connection ends. `onReady`: from now on nothing is missed. */
  async listen(channel: string, onNotice: () => void, stop: AbortSignal, onReady: () => void): Promise<void> {
    const ended = Promise.withResolvers<void>()
    const end = (): void => ended.resolve()
    this.#client.on('notification', onNotice)
    this.#client.on('end', end)
    this.#client.on('error', end)
    stop.addEventListener('abort', end)
    try {
      await this.#client.query(`LISTEN ${identifier(channel)}`)
      onReady()
      if (!stop.aborted) await ended.promise
    } finally {
      stop.removeEventListener('abort', end)
    }
  }

  /** Gives the connection back. One that failed in the middle of something is not used again. */
  release(broken: boolean): void {
    this.#client.release(broken)
  }
}
