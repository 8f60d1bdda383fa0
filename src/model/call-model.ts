import { defined } from '../domain/defined.ts'
import { errorText } from '../domain/error-text.ts'
import { MemoryError } from '../domain/error.ts'
import type { LanguageModel, ModelRequest, ModelUsage } from '../ports/language-model.ts'
import type { CallFailure } from './call-failure.ts'
import type { Deadline } from './deadline.ts'
import { addUsage, readModelAnswer } from './model-answer.ts'
import { errorKind, isPassing, isWorthRepeating } from './model-error.ts'
import type { Spend } from './spend.ts'

/** Longer than any honest answer of so many tokens; what is longer is not looked at. */
const ANSWER_CHARACTERS_PER_TOKEN = 16

/** What was asked so far, whether or not the answers were of use. */
export interface Tally {
  calls: number
  usage: ModelUsage | undefined
}

export interface CallOptions {
  readonly model: LanguageModel
  /** Tokens of a text. */
  readonly count: (text: string) => number | Promise<number>
  readonly deadline: Deadline
  readonly tally: Tally
  /** @default no limit */
  readonly spend?: Spend
}

export type CallOutcome =
  | { readonly ok: true; readonly text: string; readonly finish?: string }
  | {
      readonly ok: false
      readonly reason: CallFailure
      /** What is worth telling a person. */
      readonly detail?: string
      /** The same without a word of what was asked or answered, for what is written down. */
      readonly kind?: string
      /** Later, the same question may get an answer. */
      readonly passing?: true
      /** The same question would get the same answer. */
      readonly final?: true
    }

/** One call, within its deadline and what models may cost. Never throws for what a model does. */
export async function callModel(request: Omit<ModelRequest, 'signal'>, settings: CallOptions): Promise<CallOutcome> {
  const { model, count, deadline, tally, spend } = settings
  const { system, prompt, tokensMax } = request
  const inputTokens = (await count(system)) + (await count(prompt))
  if (deadline.cause !== undefined) return { ok: false, reason: deadline.cause, final: true, passing: true }
  const expense = spend?.take(inputTokens + tokensMax)
  if (spend !== undefined && expense === undefined) {
    const passing = spend.couldTake(inputTokens + tokensMax)
    return { ok: false, reason: 'over-spend', final: true, ...(passing && { passing }) }
  }
  tally.calls++
  let answer: unknown
  try {
    answer = await deadline.bound(() => model.generate({ ...request, signal: deadline.signal }))
  } catch (error) {
    // Left behind, it may still be written and charged for: its expense stays what it could be at most.
    if (deadline.cause !== undefined) return { ok: false, reason: deadline.cause, final: true, passing: true }
    if (expense !== undefined) spend?.settle(expense, inputTokens)
    const detail = errorText(error)
    if (MemoryError.is(error, 'input/invalid')) return { ok: false, reason: 'wrong-shape', detail }
    return {
      ok: false,
      reason: 'failed',
      detail,
      kind: errorKind(error),
      ...(isPassing(error) && { passing: true }),
      ...(!isWorthRepeating(error) && { final: true }),
    }
  }
  const { text, usage, finish } = readModelAnswer(answer, tokensMax * ANSWER_CHARACTERS_PER_TOKEN)
  tally.usage = addUsage(tally.usage, usage)
  if (expense !== undefined) {
    const outputTokens = usage.outputTokens ?? (typeof text === 'string' ? await count(text) : tokensMax)
    spend?.settle(expense, (usage.inputTokens ?? inputTokens) + outputTokens)
  }
  if (deadline.cause === 'aborted') return { ok: false, reason: 'aborted', final: true }
  return typeof text === 'string' ? { ok: true, text, ...defined({ finish }) } : { ok: false, reason: text.reason }
}
