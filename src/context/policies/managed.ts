import type { ManagedNumbers, Policy } from '../../api/policy.ts'
import { checkNumbers } from './check-numbers.ts'

/**
 * MARSYS' managed memory: cut tool results to 1,200 tokens, summarise into at most 6,000, pack from the newest backwards. The
 * newest round of the assistant is left alone by all three. Starts at 150,000 tokens; the first two steps run if they save 40 % of
 * that, the last always.
 */
export function managed(numbers: ManagedNumbers = {}): Policy {
  checkNumbers('managed', numbers, { tokens: 'count', saving: 'share', resultTokens: 'count', summaryTokens: 'count' })
  const { tokens = 150_000, saving = 0.4, resultTokens = 1_200, summaryTokens = 6_000 } = numbers
  const savesMin = Math.floor(tokens * saving)
  return {
    name: 'managed',
    high: { mark: { tokens } },
    low: { mark: { tokens: tokens - savesMin } },
    steps: [
      { stage: 'truncate-results', tokensMax: resultTokens, keepRounds: 1, savesMin },
      { stage: 'summarise', unit: 'range', tokensMax: summaryTokens, keepRounds: 1, savesMin, split: true },
      { stage: 'drop', mode: 'skip', keepRounds: 1 },
    ],
    advance: 'until-low',
  }
}
