import type { NewPassage, RecallCursor } from '../ports/recall-store.ts'
import type { Index, Poster } from './poster.ts'

/** To read the words of so many takes some 10 ms: then others have their turn. */
const POSTINGS_PER_TURN = 1_000
/** Steps of tidying after each change: enough that they keep up with a long import. */
const TIDIED_PER_CHANGE = 4

interface Part {
  readonly poster: Poster
  readonly add: NewPassage[]
  next: RecallCursor
}

/**
 * New passages of sessions, one session after the other, written in steps that hold as much as the store likes. While one is
 * written the next is made, so that neither waits for the other; they are written in their order.
 */
class PostingSteps {
  readonly #index: Index
  readonly #scope: string
  readonly #open = new Map<Poster, Part>()
  #postings = 0
  #sinceTurn = 0
  #writing: Promise<void> = Promise.resolve()

  constructor(index: Index, scope: string) {
    this.#index = index
    this.#scope = scope
  }

  async add(
    poster: Poster,
    passages: readonly NewPassage[],
    next: Pick<RecallCursor, 'unfinished'> & Partial<RecallCursor>,
  ): Promise<void> {
    const postings = passages.reduce((sum, { terms }) => sum + terms.length, 0)
    await this.#makeRoom(postings)
    const part = this.#partOf(poster)
    part.add.push(...passages)
    part.next = { ...part.next, ...next }
    this.#postings += postings
    this.#sinceTurn += postings
    if (this.#sinceTurn < POSTINGS_PER_TURN) return
    this.#sinceTurn = 0
    await this.#index.pause()
  }

  /** Nothing more of this session will come. */
  async move(poster: Poster, next: RecallCursor): Promise<void> {
    // As much as a posting: a thousand sessions without a word are not one step either.
    await this.#makeRoom(1)
    this.#partOf(poster).next = next
    this.#postings += 1
  }

  async end(): Promise<void> {
    if (this.#open.size > 0) await this.#send()
    await this.#writing
  }

  /** Whatever happened: what is under way comes to its end first. */
  async settle(): Promise<void> {
    await this.#writing.catch(() => undefined)
  }

  #partOf(poster: Poster): Part {
    const part = this.#open.get(poster) ?? { poster, add: [], next: poster.posted }
    this.#open.set(poster, part)
    return part
  }

  async #makeRoom(postings: number): Promise<void> {
    if (this.#postings > 0 && this.#postings + postings > this.#index.recall.postingsPerChange) await this.#send()
  }

  async #send(): Promise<void> {
    const parts = [...this.#open.values()]
    this.#open.clear()
    this.#postings = 0
    await this.#writing
    this.#writing = this.#write(parts)
    this.#writing.catch(() => undefined) // whoever waits hears of it
  }

  async #write(wanted: readonly Part[]): Promise<void> {
    const parts = wanted.filter(({ poster }) => !poster.isOvertaken)
    if (parts.length === 0) return
    const threads = parts.map(({ poster, add, next }) => poster.next({ remove: [], add, next }))
    const written = await this.#index.recall.change({ scope: this.#scope, kind: 'message', threads })
    for (const [index, { poster }] of parts.entries()) if (written[index] !== true) poster.isOvertaken = true
    await this.#index.pause()
    for (let left = TIDIED_PER_CHANGE; left > 0; left--) {
      if (!(await this.#index.recall.tidy(this.#scope, 'message'))) return
      await this.#index.pause()
    }
  }
}

export type { PostingSteps }

/** Answers when all that was added is written. */
export async function inSteps(
  index: Index,
  scope: string,
  work: (steps: PostingSteps) => Promise<void>,
): Promise<void> {
  const steps = new PostingSteps(index, scope)
  try {
    await work(steps)
    await steps.end()
  } finally {
    await steps.settle()
  }
}
