/** Calls a listener. What it throws is ignored: it must not undo what happened. */
export function emitter<Event>(listener: ((event: Event) => void) | undefined): (event: Event) => void {
  return (event) => {
    try {
      listener?.(event)
    } catch {
      // the listener's own mistake
    }
  }
}
