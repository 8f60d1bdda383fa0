import { setImmediate as nextTurn } from 'node:timers/promises'

const TURN_MS_MAX = 8

/** How long the event loop has been held since somebody first asked in its present turn. Costs a timer per turn. */
export class LoopTurn {
  #since: number | undefined

  get isOver(): boolean {
    const now = performance.now()
    if (this.#since !== undefined) return now - this.#since > TURN_MS_MAX
    this.#since = now
    setImmediate(() => {
      this.#since = undefined
    }).unref()
    return false
  }

  /** Resolves when others have had their turn. */
  async turn(): Promise<void> {
    await nextTurn()
  }
}
