import type { ContextOptions } from '../../api/contexts.ts'
import type { Scope } from '../../api/scope.ts'
import { checkScopeHandle } from '../../domain/check-scope-handle.ts'
import { anObject, mayHave, mustHave } from '../../shape/object.ts'
import type { Shape } from '../../shape/shape.ts'
import { aCallback, aCount, aFlag, anId, checkedBy, oneOf, unchecked } from '../../shape/values.ts'

const modes = ['static', 'agent', 'both'] as const
const histories = ['auto', 'memory', 'host'] as const

/** Whose memory, which conversation, and how it is used. */
export interface MemoryForModel {
  /** The scope: `memory.scope('acme/ada')`. */
  readonly scope: Scope
  /** The id of the conversation. */
  readonly session: string
  /**
   * Who uses the memory. `static`: what is remembered is added to each turn. `agent`: the model looks it up with tools. `both`.
   * The conversation is stored in any case.
   *
   * @default 'both'
   */
  readonly mode?: (typeof modes)[number]
  /**
   * Who keeps the conversation. `host`: your messages have all of it. `memory`: you give only what is new, and the messages before
   * it come from the log. `auto`: `host` if your messages have a reply of the model, else `memory`.
   *
   * @default 'auto'
   */
  readonly history?: (typeof histories)[number]
  /** How many tokens recalled text may cost. @default 1,000 */
  readonly recallBudget?: number
  /** Also gives the agent of `withMemory` the tool `forget`, which destroys without asking anybody. @default false */
  readonly allowDestroy?: boolean
  /**
   * How the conversation is fitted into the window of the model, where it comes from the log. A model whose window is not known has
   * a budget of 16,000 tokens.
   */
  readonly context?: Omit<ContextOptions, 'model' | 'recall'>
  /** Called when recall failed, so that a request went out without it, and when a streamed reply could not be stored. @default not reported */
  readonly onError?: (error: unknown) => void
}

const aScopeHandle: Shape<Scope> = checkedBy({ kind: 'local' }, 'a scope', (attempt, _path, given) =>
  checkScopeHandle(attempt, given),
)

const OPTIONS: Shape<MemoryForModel> = anObject<MemoryForModel>(undefined, {
  scope: mustHave(aScopeHandle, 'The scope'),
  session: mustHave(anId, 'The id of the conversation'),
  mode: mayHave(oneOf(modes), 'Who uses the memory', 'both'),
  history: mayHave(oneOf(histories), 'Who keeps the conversation', 'auto'),
  recallBudget: mayHave(aCount, 'How many tokens recalled text may cost', '1,000'),
  allowDestroy: mayHave(aFlag, 'Also gives the agent the tool `forget`', 'false'),
  context: mayHave(unchecked('options of a context'), 'How the conversation is fitted into the window of the model'),
  onError: mayHave(aCallback(), 'Called when recall failed or a streamed reply could not be stored', 'not reported'),
})

/** @throws {MemoryError} `input/invalid` with the option that is wrong. */
export function checkMemoryOptions(attempt: string, options: MemoryForModel): void {
  OPTIONS.check(attempt, '', options)
}
