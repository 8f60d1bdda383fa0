/** A wake-up that is never lost: one that rings between a read and the wait ends the wait at once. */
export class Bell {
  stopped = false
  #rung = false
  #wake: (() => void) | undefined

  ring(): void {
    this.#rung = true
    this.#wake?.()
  }

  silence(): void {
    this.#rung = false
  }

  stop(): void {
    this.stopped = true
    this.ring()
  }

  /** Until it rings, or for so many milliseconds. */
  async wait(timeoutMs?: number): Promise<void> {
    if (this.#rung || this.stopped) return
    let timer: ReturnType<typeof setTimeout> | undefined
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      if (timeoutMs !== undefined) timer = setTimeout(resolve, timeoutMs)
    })
    clearTimeout(timer)
    this.#wake = undefined
  }

  /** For so many milliseconds however often it rings, or until it is stopped. */
  async rest(ms: number): Promise<void> {
    const until = performance.now() + ms
    for (let left = ms; left > 0 && !this.stopped; left = until - performance.now()) {
      this.silence()
      await this.wait(left)
    }
  }
}
