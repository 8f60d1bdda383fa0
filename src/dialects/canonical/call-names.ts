/** Remembers which tool a call id belongs to: results on several wires carry the id only. */
export class CallNames {
  readonly #names = new Map<string, string>()

  add(id: string, name: string): void {
    this.#names.set(id, name)
  }

  get(id: string | undefined): string | undefined {
    return id === undefined ? undefined : this.#names.get(id)
  }
}
