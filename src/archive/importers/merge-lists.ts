import type { ImportLocation } from '../../api/imports.ts'
import { stringOf, toJSON } from '../../dialects/canonical/json.ts'
import type { Draft } from '../../domain/message.ts'
import type { Turn } from './imported-item.ts'
import { digest } from './values.ts'

/**
 * Makes one conversation of lists that each hold it up to some moment, as checkpoints and traces do. Lists that agree share their
 * turns; where one goes another way it is a branch. A list that begins in the middle, because its owner shows a model only the
 * last messages, is laid where its first message stands.
 */
export class MergedLists {
  readonly #turns: Turn[] = []
  /** The turn after a turn, by what is said in it. */
  readonly #next = new Map<string, string>()
  /** The last turn that says this. */
  readonly #saying = new Map<string, string>()
  readonly #keys = new Set<string>()

  add(drafts: readonly Draft[], place: ImportLocation): void {
    let at: string | null = null
    for (const [index, draft] of drafts.entries()) {
      const says = sayingOf(draft)
      const known: string | undefined =
        this.#next.get(`${at ?? ''}\n${says}`) ?? (index === 0 ? this.#saying.get(says) : undefined)
      at = known ?? this.#put(at, draft, says, place)
    }
  }

  get turns(): readonly Turn[] {
    return this.#turns
  }

  #put(parent: string | null, draft: Draft, says: string, place: ImportLocation): string {
    const key = this.#keyOf(parent, draft, says)
    this.#keys.add(key)
    this.#next.set(`${parent ?? ''}\n${says}`, key)
    this.#saying.set(says, key)
    this.#turns.push({ key, parent, drafts: [draft], place: { ...place, id: key } })
    return key
  }

  /** Its own id, if it has one and no other branch says it too; otherwise one made of what was said up to it. */
  #keyOf(parent: string | null, draft: Draft, says: string): string {
    const own = stringOf(draft.id)
    return own !== undefined && !this.#keys.has(own) ? own : digest(`${parent ?? ''}\n${says}`)
  }
}

/** Equal for the same message in two lists: by its content, since some writers give it a new id each time. */
function sayingOf({ role, parts }: Draft): string {
  return digest(toJSON([role, parts.map((part) => ({ ...part, provider: undefined }))]))
}
