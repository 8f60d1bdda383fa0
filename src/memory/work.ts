import { MemoryError } from '../domain/error.ts'

/** What was begun and not yet answered. Closing waits for it, and lets nothing new begin. */
export class OpenWork {
  readonly #running = new Set<Promise<unknown>>()
  #closed = false

  checkOpen(): void {
    if (this.#closed) throw new MemoryError('store/closed', 'Cannot use this memory: it was closed, open another', {})
  }

  begin<Result>(work: Promise<Result>): Promise<Result> {
    const end = (): boolean => this.#running.delete(work)
    this.#running.add(work)
    work.then(end).catch(end)
    return work
  }

  async finish(): Promise<void> {
    this.#closed = true
    await Promise.allSettled(this.#running)
  }
}
