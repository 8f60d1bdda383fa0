import type { Emit } from '../api/events.ts'

/** Calls a listener. What it throws is ignored: it must not undo what happened. */
export function emitter(listener: Emit | undefined): Emit {
  return (event) => {
    try {
      listener?.(event)
    } catch {
      // the listener's own mistake
    }
  }
}
