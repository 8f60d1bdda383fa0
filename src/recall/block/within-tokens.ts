import { estimator } from '../../tokens/estimate.ts'

/** Whether a text costs at most so many tokens, by the estimate that errs upwards. */
export function withinTokens(text: string, tokensMax: number): boolean {
  return estimator().count(text) <= tokensMax
}
