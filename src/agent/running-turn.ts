import type { ContextOptions } from '../api/contexts.ts'
import type { TurnOptions, TurnTool } from '../api/turn.ts'

/** The options of a turn with what was left out: a signal, a context that names the model, and a tool to read what is folded. */
export interface RunningTurn extends TurnOptions {
  readonly context: ContextOptions
  readonly signal: AbortSignal
  readonly reopen: TurnTool
}
