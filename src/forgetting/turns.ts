/** Work of the same name, one after the other in the order in which it was asked for. */
export class Turns {
  readonly #tails = new Map<string, Promise<unknown>>()

  async take<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const turn = (this.#tails.get(name) ?? Promise.resolve()).then(work)
    const tail = turn.catch(() => undefined)
    this.#tails.set(name, tail)
    try {
      return await turn
    } finally {
      if (this.#tails.get(name) === tail) this.#tails.delete(name)
    }
  }
}
