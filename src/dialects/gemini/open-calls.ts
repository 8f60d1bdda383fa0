interface Named {
  readonly id: unknown
  readonly name: unknown
}

interface Waiting<Call> {
  readonly call: Call
  taken: boolean
}

/** Those that came first are taken first. What was taken through another queue is passed over. */
class Queue<Call> {
  readonly #items: Waiting<Call>[] = []
  #first = 0

  add(item: Waiting<Call>): void {
    this.#items.push(item)
  }

  get first(): Waiting<Call> | undefined {
    while (this.#items[this.#first]?.taken === true) this.#first += 1
    return this.#items[this.#first]
  }
}

/**
 * Calls without a response. A response answers the call of its id and name, else the first of its name where either has no id.
 * Linear in the number of calls, in whatever order they are answered.
 */
export class OpenCalls<Call> {
  readonly #byName = new Map<unknown, Queue<Call>>()
  readonly #byId = new Map<unknown, Map<unknown, Queue<Call>>>()

  add(call: Call, { id, name }: Named): void {
    const waiting = { call, taken: false }
    let ids = this.#byId.get(name)
    if (ids === undefined) this.#byId.set(name, (ids = new Map<unknown, Queue<Call>>()))
    addTo(ids, id, waiting)
    addTo(this.#byName, name, waiting)
  }

  /** Takes the call that a response answers. */
  take({ id, name }: Named): Call | undefined {
    const ids = this.#byId.get(name)
    const found = id === undefined ? this.#byName.get(name)?.first : (ids?.get(id)?.first ?? ids?.get(undefined)?.first)
    if (found !== undefined) found.taken = true
    return found?.call
  }
}

function addTo<Call>(queues: Map<unknown, Queue<Call>>, key: unknown, waiting: Waiting<Call>): void {
  const queue = queues.get(key) ?? new Queue<Call>()
  queue.add(waiting)
  queues.set(key, queue)
}
