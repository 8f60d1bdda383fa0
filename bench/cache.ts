import type { Policy } from '../src/api/policy.ts'
import { openMemory } from '../src/memory/open-memory.ts'
import type { CacheSimulation } from '../src/api/cache.ts'
import { simulateCache } from '../src/memory/simulate-cache.ts'
import { agentSession } from './agent-session.ts'
import type { Figure } from './measure.ts'

const TURNS = 500
const BUDGET = 128_000
const WINDOW_MESSAGES = 40
/** Dollars for a million tokens, as Anthropic charges for a model of the middle class. */
const PRICES = { input: 3, cached: 0.3, cacheWrite: 3.75 }

/** What many agents do: the last so many messages, whatever came before. Every message moves the beginning. */
const slidingWindow: Policy = {
  name: `sliding window of ${WINDOW_MESSAGES}`,
  high: { entries: WINDOW_MESSAGES },
  low: { entries: WINDOW_MESSAGES },
  steps: [{ stage: 'drop', keepLast: WINDOW_MESSAGES }],
  advance: 'until-low',
}

/** What summary memories do: before each turn, all earlier ones go into one summary, which is written again. */
const summariseEveryTurn: Policy = {
  name: 'summarise every turn',
  high: { mark: { tokens: 0 } },
  // Never within: every step has its turn, with a target that leaves a summary of 2,000 tokens.
  low: { mark: { tokens: 4_000 }, entries: 0 },
  steps: [
    { stage: 'summarise', unit: 'range', where: 'before-newest-user', tokensMax: 2_000 },
    { stage: 'summarise', unit: 'folds', summaryTokensMax: 2_000, foldsMin: 2 },
  ],
  advance: 'until-low',
}

/** [prove-4] [cache-3] An agent's session of 500 turns, replayed call by call: how much of each context the provider's cache had already. */
export async function cacheBenchmark(): Promise<readonly Figure[]> {
  const memory = await openMemory(':memory:')
  const session = memory.scope('bench/ada').session('s', { description: 'You are a careful engineer. Be brief.' })
  for (const turn of agentSession({ seed: 5, turns: TURNS, roundsMax: 4, resultCharacters: [400, 4_000] }))
    await session.append(turn)
  const policies = ['balanced', 'recency', slidingWindow, summariseEveryTurn] as const
  const [balanced, ...others] = await simulateCache(session, policies, PRICES, { budget: BUDGET })
  await memory.close()
  return [
    {
      requirement: '[prove-4]',
      what: `cached share of ${TURNS} turns with balanced`,
      value: (balanced?.cachedShare ?? Number.NaN) * 100,
      unit: ' %',
      goal: { atLeast: 85 },
      note: [balanced, ...others].map((one) => (one === undefined ? '' : told(one))).join('; '),
    },
  ]
}

function told({ policy, calls, inputTokens, cachedShare, compactions, cost }: CacheSimulation): string {
  const input = `${(inputTokens / 1_000_000).toFixed(1)} M tokens in ${calls} calls`
  return `${policy} ${(cachedShare * 100).toFixed(1)} % of ${input}, ${compactions} compactions, $${cost.toFixed(2)}`
}
