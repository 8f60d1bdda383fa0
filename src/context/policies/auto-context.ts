import type { AutoContextNumbers, Policy } from '../../api/policy.ts'
import { checkNumbers } from './check-numbers.ts'

/** `largePayloadThreshold` and `offloadSinglePreview`. */
const LARGE = { overCharacters: 5_120, previewCharacters: 200 } as const
/** `minCompressionTokenThreshold`: gates steps 1 and 4 only. */
const TOKENS_MIN = 5_000

/**
 * AgentScope's AutoContextMemory (1.x) with its real defaults: six steps, cheapest first, one change at a time. Starts at 100
 * messages (`msgThreshold`) or 98,304 tokens (`maxToken` times `tokenRatio`). Corrected: all blocks are counted, bundles are never
 * split, summaries speak as the user, results that the model has not answered are left alone.
 */
export function autoContext(numbers: AutoContextNumbers = {}): Policy {
  checkNumbers('autoContext', numbers, {
    messages: 'count',
    tokens: 'count',
    ratio: 'share',
    keepLast: 'count',
    roundRatio: 'share',
  })
  const { messages = 100, tokens = 131_072, ratio = 0.75, keepLast = 50, roundRatio = 0.3 } = numbers
  const start = Math.floor(tokens * ratio)
  return {
    name: 'autoContext',
    high: { mark: { tokens: start }, entries: messages, reached: true },
    // It begins when these plus one are reached, so this is where it has ended.
    low: { mark: { tokens: start - 1 }, entries: messages - 1 },
    steps: [
      // 1: runs of more than `minConsecutiveToolMessages` 6, up to five of them.
      {
        stage: 'merge',
        where: 'before-answer',
        keepLast,
        runOver: 6,
        tokensMin: TOKENS_MIN,
        runsMax: 5,
      },
      // 2 and 3: large messages, first outside of what is kept, then all before the answer.
      { stage: 'offload', where: 'before-answer', keepLast, ...LARGE },
      { stage: 'offload', where: 'before-answer', ...LARGE },
      // 4: earlier rounds that had something between request and answer; the user's message stays.
      {
        stage: 'summarise',
        unit: 'round',
        where: 'before-newest-user',
        keepUser: true,
        between: true,
        tokensMin: TOKENS_MIN,
      },
      // 5: large messages of the current round, each retold by a model if there is one.
      { stage: 'offload', where: 'current-round', retell: true, ...LARGE },
      // 6: the current round, to `currentRoundCompressionRatio` of itself. No bound but the ratio.
      { stage: 'summarise', unit: 'range', where: 'current-round', ratio: roundRatio, tokensMax: start },
    ],
    advance: 'first-change',
  }
}
