import { pairKey } from '../../domain/pair-key.ts'
import type { LogChange, SessionHead } from '../../ports/log-store.ts'

/** With the largest descriptions, and the memory around their hashes, 16 MB. */
const KNOWN_MAX = 1_024
const DESCRIPTION_CHARACTERS_MAX = 4_096
/** A session that several processes write to is read first for so many writes after another was found to have written. */
const WARY_WRITES = 64

interface Known {
  readonly head?: SessionHead
  /** Writes to come before it is believed again. */
  readonly wary: number
}

/**
 * How this process left the sessions that it wrote to last. Mostly nobody else has written to them since, so a change may be
 * decided without reading them first, if the write then makes sure of it: everything that a decision rests on is in the last
 * link of the chain, but for the description, whose key may have changed.
 */
export class HeadCache {
  /** Oldest first. */
  readonly #known = new Map<string, Known>()

  /** The session that a change concerns, if it is known. */
  of({ scope, session, questions }: LogChange<unknown>): SessionHead | undefined {
    return questions.parent === undefined ? this.#known.get(pairKey(scope, session))?.head : undefined
  }

  /** The sessions of changes, by `pairKey`, if all of them are known. */
  all(changes: readonly LogChange<unknown>[]): ReadonlyMap<string, SessionHead> | undefined {
    const heads = new Map<string, SessionHead>()
    for (const change of changes) {
      const head = this.of(change)
      if (head === undefined) return undefined
      heads.set(pairKey(change.scope, change.session), head)
    }
    return heads
  }

  /** A fork rests on the rows of others, which its own chain does not tell: it is always read. */
  keep(head: SessionHead): void {
    const name = pairKey(head.scope, head.name)
    const wary = (this.#known.get(name)?.wary ?? 0) - 1
    this.#known.delete(name)
    if (head.parent !== null || (head.description?.length ?? 0) > DESCRIPTION_CHARACTERS_MAX) return
    this.#known.set(name, wary > 0 ? { wary } : { head, wary: 0 })
    if (this.#known.size <= KNOWN_MAX) return
    const [oldest = ''] = this.#known.keys()
    this.#known.delete(oldest)
  }

  /** It may not be as it was left. */
  wasOtherwise({ scope, name }: Pick<SessionHead, 'scope' | 'name'>): void {
    this.#known.set(pairKey(scope, name), { wary: WARY_WRITES })
  }

  /** When something is forgotten: a description may be what was. */
  clear(): void {
    this.#known.clear()
  }
}
