import type { Fact } from '../domain/fact.ts'
import { rootOf } from '../domain/scope-path.ts'
import { ask } from './ask.ts'
import { facts } from './facts.ts'
import type { Knowledge } from './knowledge.ts'

/** More do not fit into a profile. */
const FACTS_MAX = 300
const SCOPES_MAX = 32
/** A fact that begins or ends by itself is noticed after this time at the latest. */
const KEPT_MS = 10_000

interface Known {
  readonly version: number
  readonly at: number
  readonly facts: readonly Fact[]
}

/** Reads the newest facts of scopes that are true, now or at a time. Those of now are kept while nothing is learned. */
export class FactsOf {
  readonly #knowledge: Knowledge
  readonly #known = new Map<string, Known>()

  constructor(knowledge: Knowledge) {
    this.#knowledge = knowledge
  }

  async read(scope: string, asOf?: number): Promise<readonly Fact[]> {
    if (asOf !== undefined) return facts(this.#knowledge, scope, { limit: FACTS_MAX, asOf: new Date(asOf) })
    const at = this.#knowledge.clock.now()
    const mark = await this.#knowledge.store.read(scope, () => ask({ of: 'mark', root: rootOf(scope) }))
    const version = mark?.version ?? 0
    const known = this.#known.get(scope)
    if (known?.version === version && Math.abs(at - known.at) < KEPT_MS) return known.facts
    const found = await facts(this.#knowledge, scope, { limit: FACTS_MAX })
    this.#known.delete(scope)
    this.#known.set(scope, { version, at, facts: found })
    const [oldest] = this.#known.keys()
    if (this.#known.size > SCOPES_MAX && oldest !== undefined) this.#known.delete(oldest)
    return found
  }
}
