import type { ContextEvent } from '../context/event.ts'
import type { JobEvent } from '../jobs/job-event.ts'

/** What a memory does by itself and somebody may want to see. */
export type MemoryEvent =
  | JobEvent
  | ContextEvent
  | {
      /** A question was not embedded: words alone found what was found. */
      readonly type: 'embed-fail'
      readonly embedder: string
      readonly reason: string
      readonly detail: string
    }
  | {
      /** The database's server or role has a setting that endangers others, or one that the caller accepted. */
      readonly type: 'store-warning'
      readonly danger: string
      readonly message: string
    }
  | { readonly type: 'recall-fail'; readonly scope: string; readonly session: string; readonly error: unknown }

export type Emit = (event: MemoryEvent) => void

/** Tells a listener; what it throws is its own business and must not undo what happened. */
export function emitter(listener: Emit | undefined): Emit {
  return (event) => {
    try {
      listener?.(event)
    } catch {
      // told, and that is all that was promised
    }
  }
}
