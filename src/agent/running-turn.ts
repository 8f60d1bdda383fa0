import type { ContextOptions } from '../api/contexts.ts'
import type { TurnOptions } from '../api/turn.ts'

/** The options of a turn with what was left out: a signal, and a context that names the model. */
export interface RunningTurn extends TurnOptions {
  readonly context: ContextOptions
  readonly signal: AbortSignal
}
