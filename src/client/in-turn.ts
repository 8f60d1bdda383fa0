/** Work on one session in the order it was asked for: over several connections, a later request may arrive first. */
export class InTurn {
  readonly #last = new Map<string, Promise<unknown>>()

  async run<Result>(place: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(place)
    const result = (async () => {
      await before?.catch(() => undefined) // told to the one who asked for it
      return work()
    })()
    this.#last.set(place, result)
    try {
      return await result
    } finally {
      if (this.#last.get(place) === result) this.#last.delete(place)
    }
  }
}
