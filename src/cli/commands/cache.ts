import type { PolicyName } from '../../api/policy.ts'
import type { Command } from 'commander'
import type { CacheSimulation } from '../../context/cache-simulation.ts'
import {
  type CommonOptions,
  parseAmount,
  command,
  parseCount,
  inSession,
  parseList,
  parsePosition,
} from '../command.ts'
import { withProgress } from '../progress.ts'
import { number, table } from '../render/layout.ts'
import type { Shell } from '../shell.ts'

/** All presets of the library; a test compares them. */
export const policyNames: readonly PolicyName[] = ['balanced', 'managed', 'autoContext', 'rolling', 'recency']

type Options = CommonOptions & {
  readonly policy?: readonly PolicyName[]
  readonly budget: number
  readonly reserve: number
  readonly model?: string
  readonly price: number
  readonly cachedPrice: number
  readonly writePrice?: number
}

export function cacheCommand(shell: Shell): Command {
  return command('cache', "Replay a conversation under each policy and price what a provider's cache would have had", {
    group: 'Conversations',
    of: 'session',
    lists: true,
    examples: [
      'daybook cache --scope acme/ada support-42',
      'daybook cache --scope acme/ada support-42 --policy balanced,recency --price 3 --cached-price 0.3 --write-price 3.75',
    ],
  })
    .argument('[session]', 'the same as --session')
    .option('--policy <names>', `with commas (default: ${policyNames.join(',')})`, parseList)
    .option('--budget <tokens>', 'what a context may cost', parseCount, 128_000)
    .option('--reserve <tokens>', 'of it, for tools and the reply', parsePosition, 0)
    .option('--model <name>', 'whose tokens are counted')
    .option('--price <amount>', 'for a million input tokens', parseAmount, 1)
    .option('--cached-price <amount>', 'for a million that the cache had', parseAmount, 0.1)
    .option('--write-price <amount>', 'for a million that the cache now has (default: as input)', parseAmount)
    .action(async (id: string | undefined, options: Options) =>
      inSession(shell, { ...options, ...(id === undefined ? {} : { session: id }) }, async (session) => {
        const { policy = policyNames, budget, reserve, model, price, cachedPrice, writePrice } = options
        const prices = {
          input: price,
          cached: cachedPrice,
          ...(writePrice === undefined ? {} : { cacheWrite: writePrice }),
        }
        const { simulateCache } = await import('../../memory/simulate-cache.ts')
        const simulations: CacheSimulation[] = []
        await withProgress(shell, 'Replaying', async (say) => {
          for (const name of policy) {
            say(`Replaying under ${name}`)
            const settings = { budget, reserve, ...(model === undefined ? {} : { model }) }
            simulations.push(...(await simulateCache(session, [name], prices, settings)))
          }
        })
        return {
          value: { session: session.id, budget, reserve, prices, simulations },
          rows: simulations,
          text: () => renderSimulations(simulations),
        }
      }),
    )
}

function renderSimulations(simulations: readonly CacheSimulation[]): string {
  const rows = simulations.map(({ policy, calls, inputTokens, cachedTokens, cachedShare, compactions, cost }) => [
    policy,
    number(calls),
    number(compactions),
    number(inputTokens),
    number(cachedTokens),
    `${(cachedShare * 100).toFixed(1)}%`,
    cost.toFixed(6),
  ])
  return table(['policy', 'calls', 'compactions', 'input', 'cached', 'share', 'cost'], rows, [1, 2, 3, 4, 5, 6]).join(
    '\n',
  )
}
