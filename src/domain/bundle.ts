import type { Message } from './message.ts'

/**
 * Messages that no cut may part: an assistant message with its tool calls and all their results, wherever they arrived.
 * Any other message is a bundle of its own.
 */
export interface Bundle {
  /** Indices of its messages, in their order. */
  readonly members: readonly number[]
  /** Calls without a result yet. */
  readonly open: readonly string[]
}

/** Looked at in a step: less than a millisecond. */
const MESSAGES_PER_STEP = 1_000

/**
 * Groups messages into bundles, in the order of their first message. Linear. Results are paired as `repair` pairs them:
 * with the newest open call of the same id before them, and those that came too early with a later call that stayed open.
 * A session may have hundreds of thousands of messages, so it yields wherever others may run in between.
 */
export function* bundlesIn(messages: readonly Message[]): Generator<void, readonly Bundle[]> {
  const groups = new Groups(messages.length)
  const open = yield* pairUp(messages, groups)
  const bundles: { readonly members: number[]; readonly open: string[] }[] = []
  const placeOf = new Int32Array(messages.length)
  for (let index = 0; index < messages.length; index++) {
    if (index % MESSAGES_PER_STEP === 0) yield
    // A bundle's root is its first message.
    const root = groups.rootOf(index)
    if (root === index) {
      placeOf[index] = bundles.length
      bundles.push({ members: [index], open: [...(open.get(index) ?? [])] })
      continue
    }
    const bundle = bundles[placeOf[root] ?? 0]
    bundle?.members.push(index)
    for (const id of open.get(index) ?? []) bundle?.open.push(id)
  }
  return bundles
}

/** Joins callers and answers; says which calls stay open, by the message that made them. */
function* pairUp(
  messages: readonly Message[],
  groups: Groups,
): Generator<void, ReadonlyMap<number, readonly string[]>> {
  /** Who made the open calls of an id, newest last: ids may repeat. */
  const callers = new Map<string, number[]>()
  const answered = new Map<string, number>()
  const early: { readonly id: string; readonly index: number }[] = []
  const answer = (id: string, index: number): boolean => {
    const caller = callers.get(id)?.pop()
    if (caller === undefined) return false
    groups.join(caller, index)
    answered.set(id, caller)
    return true
  }
  for (const [index, message] of messages.entries()) {
    if (index % MESSAGES_PER_STEP === 0) yield
    for (const part of message.parts) {
      if ((part.type !== 'tool-call' && part.type !== 'tool-result') || part.providerExecuted === true) continue
      if (part.type === 'tool-call') {
        const calls = callers.get(part.id)
        if (calls === undefined) callers.set(part.id, [index])
        else calls.push(index)
      } else if (part.callId !== undefined && !answer(part.callId, index)) {
        const before = answered.get(part.callId)
        if (before === undefined) early.push({ id: part.callId, index })
        else groups.join(before, index)
      }
    }
  }
  for (const { id, index } of early) answer(id, index)
  const open = new Map<number, string[]>()
  for (const [id, indices] of callers)
    for (const index of indices) {
      const ids = open.get(index)
      if (ids === undefined) open.set(index, [id])
      else ids.push(id)
    }
  return open
}

/** Disjoint sets: one tool message may answer the calls of several assistant messages. */
class Groups {
  readonly #parent: Int32Array

  constructor(size: number) {
    this.#parent = new Int32Array(size)
    for (let index = 0; index < size; index++) this.#parent[index] = index
  }

  rootOf(index: number): number {
    let root = index
    while (this.#parent[root] !== root) root = this.#parent[root] ?? root
    for (let at = index; at !== root;) {
      const next = this.#parent[at] ?? root
      this.#parent[at] = root
      at = next
    }
    return root
  }

  /** The smaller index stays the root, so that a bundle stands where it began. */
  join(a: number, b: number): void {
    const [first, second] = [this.rootOf(a), this.rootOf(b)]
    this.#parent[Math.max(first, second)] = Math.min(first, second)
  }
}
