import type { Scope } from '../../api/scope.ts'
import type { JSONValue } from '../../domain/json.ts'

const COLLECTION = 'proxy'
const RECORDS_PER_PAGE = 1_000
/** How many responses are stored at least before the records of all are looked through again. */
const KEPT_BEFORE_SWEEP = 100

/** Where the reply of a response is. */
interface ResponsePlace {
  readonly session: string
  readonly seq: number
}

/**
 * In which session each response of a provider is, for requests that name it. These are records of the scope. Forgetting a session does
 * not know of them, so they are deleted here when their session is gone.
 */
export class KeptResponses {
  readonly #scope: Scope
  #keptUntilSweep = 0
  #sweeping: Promise<void> = Promise.resolve()

  constructor(scope: Scope) {
    this.#scope = scope
  }

  async find(name: string): Promise<ResponsePlace | undefined> {
    const found = read((await this.#scope.records(COLLECTION).get(name))?.json)
    if (found === undefined || (await this.#exists(found.session))) return found
    await this.#scope.records(COLLECTION).delete(name)
    return undefined
  }

  async keep(name: string, { session, seq }: ResponsePlace): Promise<void> {
    await this.#scope.records(COLLECTION).put(name, { session, seq })
    this.#keptUntilSweep -= 1
    if (this.#keptUntilSweep < 0) this.sweep()
  }

  /** Deletes the records of sessions that are gone, in the background. `swept` says when it is done. */
  sweep(): void {
    this.#keptUntilSweep = KEPT_BEFORE_SWEEP
    // What fails here is tried again with the next sweep.
    this.#sweeping = this.#sweeping.then(() => this.#deleteGone()).catch(() => undefined)
  }

  swept(): Promise<void> {
    return this.#sweeping
  }

  async #deleteGone(): Promise<void> {
    const records = this.#scope.records(COLLECTION)
    const known = new Map<string, boolean>()
    let [after, left] = ['', 0]
    for (;;) {
      const page = await records.list({ limit: RECORDS_PER_PAGE, contents: true, ...(after === '' ? {} : { after }) })
      for (const { key, json, version } of page) {
        const { session = '' } = read(json) ?? {}
        if (!known.has(session)) known.set(session, await this.#exists(session))
        if (known.get(session) === true) left += 1
        else await records.delete(key, { expect: version })
      }
      after = page.at(-1)?.key ?? ''
      if (page.length < RECORDS_PER_PAGE) break
    }
    // Looking through all of them takes time with their number, so it happens less often the more there are.
    this.#keptUntilSweep = Math.max(KEPT_BEFORE_SWEEP, left)
  }

  async #exists(session: string): Promise<boolean> {
    return session !== '' && (await this.#scope.session(session).stats()).version > 0
  }
}

function read(json: JSONValue | undefined): ResponsePlace | undefined {
  return json as unknown as ResponsePlace | undefined
}
