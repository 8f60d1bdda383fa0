/** Where in a fold's text its messages stand, roughly: pages are read from the mark before them, not from the beginning. */
export interface Outline {
  readonly marks: readonly { readonly at: number; readonly seq: number }[]
  /** Characters of the whole text. */
  readonly total: number
}

export const CHARACTERS_PER_MARK = 50_000
const OUTLINES_MAX = 64

/** The outlines of the folds that were opened last, so that reading a fold page by page measures it once. */
export class Outlines {
  readonly #outlines = new Map<string, Outline>()

  async of(key: string, measure: () => Promise<Outline>): Promise<Outline> {
    const outline = this.#outlines.get(key) ?? (await measure())
    this.#outlines.delete(key)
    this.#outlines.set(key, outline)
    const [oldest] = this.#outlines.keys()
    if (this.#outlines.size > OUTLINES_MAX && oldest !== undefined) this.#outlines.delete(oldest)
    return outline
  }
}
