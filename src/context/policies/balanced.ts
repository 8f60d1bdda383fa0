import type { BalancedNumbers, Policy, StageStep } from '../../api/policy.ts'
import { refuse } from '../../domain/refuse.ts'
import { checkNumbers } from './check-numbers.ts'

/** Rounds of the assistant that stay as they are, whatever happens: what the model is working with. */
const ROUNDS = 3
/** Summaries, records and the requests between them, together; a step before and after the others keeps them small. */
const FOLDS: StageStep = { stage: 'summarise', unit: 'folds', summaryTokensMax: 32_000 }

/**
 * Ours, and the default: at 80 % of the budget (Forge's threshold) down to 50 %, so that it happens rarely and the cached
 * prefix holds in between. Cheapest first: what can be reopened whole (large payloads, long results), then records of tool work,
 * then summaries of rounds that keep the user's words, then of all that is old; what still does not fit leaves the window.
 */
export function balanced(numbers: BalancedNumbers = {}): Policy {
  checkNumbers('balanced', numbers, { high: 'share', low: 'share' })
  const { high = 0.8, low = Math.min(0.5, high * 0.625) } = numbers
  if (low >= high) refuse('make the policy balanced', 'low', low, `a share below high, which is ${high}`)
  return {
    name: 'balanced',
    high: { mark: { ratio: high } },
    low: { mark: { ratio: low } },
    steps: [
      // AgentScope's limit; twice its preview, since the ends of a log say how it came out.
      { stage: 'offload', keepRounds: ROUNDS, overCharacters: 5_120, previewCharacters: 400 },
      // AgentScope 2.x: 2,000 characters, head and tail, with the newest 40,000 tokens left alone.
      { stage: 'truncate-results', keepRounds: ROUNDS, keepTokens: 40_000, charactersMax: 2_000 },
      // AgentScope's run length; a fifth of its tokens, because our budgets are often small and no model is asked.
      { stage: 'merge', keepRounds: ROUNDS, runOver: 6, tokensMin: 1_000, runsMax: 20, tokensMax: 1_500 },
      FOLDS,
      {
        stage: 'summarise',
        unit: 'round',
        where: 'before-newest-user',
        keepRounds: ROUNDS,
        keepUser: true,
        tokensMin: 400,
        take: 'to-target',
      },
      { stage: 'summarise', unit: 'range', keepRounds: ROUNDS, take: 'to-target', tokensMax: 2_000 },
      FOLDS,
      // Whatever is left to take: one round of the assistant stays. Told before it is dropped: a summary still names things.
      { stage: 'summarise', unit: 'range', keepRounds: 1, take: 'to-target', tokensMax: 1_000 },
      { stage: 'drop', keepRounds: 1 },
    ],
    advance: 'until-low',
  }
}
