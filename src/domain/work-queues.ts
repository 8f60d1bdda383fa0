/** Runs work of the same name one at a time, in the order of the calls. */
export class WorkQueues {
  readonly #tails = new Map<string, Promise<unknown>>()

  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
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
