import { defined } from '../domain/defined.ts'
import { hostIdOf, withHostId } from '../domain/host-id.ts'
import type { Message } from '../domain/message.ts'
import type { Part } from '../domain/part.ts'
import { type Body, writeBody } from './body.ts'
import type { PreparedMessage } from './prepare.ts'
import { withoutLengths } from './without-lengths.ts'

/** What makes live messages follow a transcript. */
export interface SyncPlan {
  readonly revise: readonly { readonly before: Message; readonly message: PreparedMessage }[]
  readonly remove: readonly Message[]
  readonly append: readonly PreparedMessage[]
}

/** An id that the log made: the host gave none. */
const MADE_HERE = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/

/**
 * Compares live messages with a transcript. New messages can only be stored at the end, so what follows the first new one in the
 * transcript is stored after it, and what was in its place is removed. Messages before the first shared one stay, unless the
 * transcript is complete.
 */
export function planSync(
  live: readonly Message[],
  given: readonly PreparedMessage[],
  { complete }: { readonly complete: boolean },
): SyncPlan {
  const reading = new Reading(live, given)
  let at = complete ? 0 : reading.start()
  const revise: { before: Message; message: PreparedMessage }[] = []
  const remove: Message[] = []
  // Many hosts keep their instructions outside of the transcript.
  const hasSystem = given.some(({ role }) => role === 'system')
  const drop = (to: number): void => {
    for (; at < to; at++) {
      const message = live[at]
      if (message !== undefined && (hasSystem || message.role !== 'system')) remove.push(message)
    }
  }
  let done = 0
  for (const message of given) {
    const found = reading.find(message, at, hasSystem)
    const before = found === undefined ? undefined : live[found]
    if (found === undefined || before === undefined || before.role !== message.role) break
    drop(found)
    const draft = bodyFor(before, message)
    const body = writeBody(draft)
    if (body !== writeBody(before)) revise.push({ before, message: { ...message, draft, body } })
    at = found + 1
    done += 1
  }
  drop(live.length)
  return { revise, remove, append: given.slice(done) }
}

class Reading {
  readonly #live: readonly Message[]
  readonly #given: readonly PreparedMessage[]
  readonly #places: ReadonlyMap<string, number>
  readonly #names: ReadonlySet<string>

  constructor(live: readonly Message[], given: readonly PreparedMessage[]) {
    this.#live = live
    this.#given = given
    this.#places = new Map(live.map((message, index) => [hostIdOf(message) ?? message.id, index]))
    this.#names = new Set(given.flatMap(({ id, idGiven }) => (idGiven ? [id] : [])))
  }

  /** Where the transcript begins: at its first message that is live, or where the end of the log is its beginning. */
  start(): number {
    for (const { id, idGiven } of this.#given) {
      const place = idGiven ? this.#places.get(id) : undefined
      if (place !== undefined) return place
    }
    const [live, given] = [this.#live, this.#given]
    const begun = live.findIndex(({ role }) => role !== 'system')
    for (let shared = Math.min(live.length, given.length); shared > 0; shared--) {
      const from = live.length - shared
      const isEnd = given.slice(0, shared).every((message, index) => {
        const one = live[from + index]
        // A conversation that was stored before its host gave it ids is the same one, from its beginning.
        return message.idGiven ? from === begun && isUnnamed(one, message) : isSame(one, message)
      })
      if (isEnd) return from
    }
    return live.length
  }

  /** The live message, from a place on, that is this one. */
  find(message: PreparedMessage, from: number, hasSystem: boolean): number | undefined {
    const named = message.idGiven ? this.#places.get(message.id) : undefined
    if (named !== undefined) return named < from ? undefined : named
    const next = this.#live.findIndex(
      (one, index) => index >= from && !this.#names.has(hostIdOf(one) ?? '') && (hasSystem || one.role !== 'system'),
    )
    const candidate = this.#live[next]
    if (candidate === undefined || candidate.role !== message.role) return undefined
    if (message.idGiven) return isUnnamed(candidate, message) ? next : undefined
    return message.role === 'system' || isSame(candidate, message) ? next : undefined
  }
}

/** The content that a live message gets: as in the transcript, with the id that it has there. */
function bodyFor(before: Message, message: PreparedMessage): Body {
  const hostId = message.idGiven ? message.id : hostIdOf(before)
  const { provider, ...rest } = message.draft
  return {
    ...rest,
    ...withHostId(provider, hostId === before.id ? undefined : hostId),
    ...defined({ imported: before.imported }),
  }
}

function isSame(before: Message | undefined, message: PreparedMessage): boolean {
  if (before === undefined || before.role !== message.role) return false
  const draft = bodyFor(before, { ...message, idGiven: false })
  const stored = writeBody(before)
  return writeBody(draft) === stored || (message.blobs.length > 0 && withoutLengths(draft, before) === stored)
}

/** Whether a stored message has no id of a host and says the same, whatever form the host gave it. */
function isUnnamed(before: Message | undefined, message: PreparedMessage): boolean {
  if (before === undefined || before.role !== message.role || !MADE_HERE.test(hostIdOf(before) ?? '')) return false
  return JSON.stringify(gist(before.parts)) === JSON.stringify(gist(message.parts))
}

function gist(parts: readonly Part[]): readonly unknown[] {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : []))
  const results = parts.flatMap((part) => (part.type === 'tool-result' ? [part.callId] : []))
  return [text, calls, results]
}
