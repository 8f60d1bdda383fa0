import { quote, refuse } from '../domain/refuse.ts'
import { modelWindow } from '../tokens/model-window.ts'

/** A reply gets at most this share of a window: some models may write as much as they read. */
const REPLY_SHARE_MAX = 0.25

/**
 * The budget of a context: the one that was given, or what the window of the model leaves when there is room for a reply.
 *
 * @throws {MemoryError} `input/invalid` if neither is known.
 */
export function budgetFor(
  { budget, model }: { readonly budget?: number; readonly model?: string },
  { attempt = 'build a context', option = 'budget' }: { readonly attempt?: string; readonly option?: string } = {},
): number {
  if (budget !== undefined) return budget
  const window = model === undefined ? undefined : modelWindow(model)
  if (window !== undefined) return window.tokens - Math.min(window.reply, Math.floor(window.tokens * REPLY_SHARE_MAX))
  return refuse(
    attempt,
    option,
    budget,
    model === undefined
      ? 'a number of tokens, or a model that Daybook has in its list'
      : `a number of tokens, because Daybook does not have the window of the model ${quote(model)} in its list`,
  )
}
