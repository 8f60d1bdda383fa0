/** Where something was found: a passage's address. */
export interface PassageAddress {
  readonly thread: number
  readonly place: number
}

/** A map by place without a string for each: there are thousands. */
export class Places<Value> {
  readonly #threads = new Map<number, Map<number, Value>>()

  get({ thread, place }: PassageAddress): Value | undefined {
    return this.#threads.get(thread)?.get(place)
  }

  set({ thread, place }: PassageAddress, value: Value): void {
    const places = this.#threads.get(thread) ?? new Map<number, Value>()
    if (places.size === 0) this.#threads.set(thread, places)
    places.set(place, value)
  }
}
