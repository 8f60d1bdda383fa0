import type { PromptName } from '../../domain/prompt-name.ts'
import type { Fold } from '../../domain/fold.ts'
import type { Draft } from '../../domain/message.ts'
import type { Entry } from '../window/entry.ts'

/** What a stage is given: the window as it stands after the stages before, and what it must leave alone. */
export interface StageInput {
  readonly entries: readonly Entry[]
  /**
   * Positions of entries that no stage may touch: system messages, pins, exempt tools, plan tools, the newest user turn,
   * and tool results that the model has not answered yet, with all of their bundles.
   */
  readonly untouchable: ReadonlySet<number>
  /** Tokens of the whole window now, and what it should come down to. */
  readonly tokens: number
  readonly target: number
  /** What it may keep at the most: up to here summaries are not dropped. */
  readonly limit: number
}

/**
 * A fold that a stage would make: whole units of the window, and what should stand for them, at the place of the first.
 * The runner counts it, refuses it if it is not smaller, gives it its id and its ledger, and for `prompt` asks a model for
 * better words.
 */
export interface ProposedFold {
  readonly kind: Fold['kind']
  /** The entries to hide, in the order of the window. For `offload` and `truncate` exactly one. */
  readonly entries: readonly Entry[]
  /** What the rule itself would show; always there, so that no model is ever needed. */
  readonly standIn: readonly Draft[]
  readonly by: 'rule' | 'extract'
  /** What a model would be asked for instead, if there is one. */
  readonly prompt?: StagePrompt
}

export interface StagePrompt {
  readonly name: PromptName
  /** Upper bound for the answer. */
  readonly tokensMax: number
}
