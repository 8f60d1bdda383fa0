import { setImmediate } from 'node:timers/promises'

const TURN_MS_MAX = 5

/** For work that takes long: lets others run whenever it has held the event loop for some milliseconds. */
export class Turns {
  #since = performance.now()

  /** Cheap. Where it is true, `await take()`. */
  get isOver(): boolean {
    return performance.now() - this.#since >= TURN_MS_MAX
  }

  async take(): Promise<void> {
    await setImmediate()
    this.#since = performance.now()
  }
}
