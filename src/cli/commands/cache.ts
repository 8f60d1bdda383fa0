import { defined } from '../../domain/defined.ts'
import type { Command } from 'commander'
import type { CacheSimulation } from '../../api/cache.ts'
import type { PolicyName } from '../../api/policy.ts'
import { fieldsIn } from '../../surface/request-fields.ts'
import { policies, priceFields, simulateCacheCall } from '../../surface/simulate-cache.ts'
import { type CommonOptions, command, inSession } from '../command.ts'
import { givenOf, withOptions } from '../options-from.ts'
import { withProgress } from '../progress.ts'
import { number } from '../render/layout.ts'
import { table } from '../render/table.ts'
import type { Look } from '../look.ts'
import type { Plot } from '../render/plot.ts'
import type { Shell } from '../shell.ts'

/** All presets of the library; a test compares them. */
export const policyNames: readonly PolicyName[] = ['balanced', 'managed', 'autoContext', 'rolling', 'recency']

const fields = fieldsIn(simulateCacheCall.options)
const ownFields = {
  policy: { ...policies, default: 'all' },
  price: priceFields.input,
  cachedPrice: priceFields.cached,
  writePrice: priceFields.cacheWrite,
}
const defaults = { price: 1, cachedPrice: 0.1 }

type Options = CommonOptions & {
  readonly policy?: readonly PolicyName[]
  readonly price: number
  readonly cachedPrice: number
  readonly writePrice?: number
}

export function cacheCommand(shell: Shell): Command {
  const made = command(
    'cache',
    "Compare what a conversation would cost under each policy, with a provider's prompt cache",
    {
      group: 'Conversations',
      reads: true,
      of: 'session',
      lists: true,
      plots: true,
      examples: [
        'daybook cache --scope acme/ada support-42',
        'daybook cache --scope acme/ada support-42 --policy balanced,recency --price 3 --cached-price 0.3 --write-price 3.75',
      ],
    },
  ).argument('[session]', 'the same as --session')
  return withOptions(made, { ...ownFields, ...fields }, defaults).action(
    async (id: string | undefined, options: Options) =>
      inSession(shell, { ...options, ...defined({ session: id }) }, async (session) => {
        const { policy = policyNames, price, cachedPrice, writePrice } = options
        const prices = {
          input: price,
          cached: cachedPrice,
          ...defined({ cacheWrite: writePrice }),
        }
        const settings = givenOf(fields, options)
        const { simulateCache } = await import('../../memory/simulate-cache.ts')
        const simulations: CacheSimulation[] = []
        await withProgress(shell, 'Replaying', async (say) => {
          for (const name of policy) {
            say(`Replaying under ${name}`)
            simulations.push(...(await simulateCache(session, [name], prices, settings)))
          }
        })
        return {
          value: { session: session.id, ...settings, prices, simulations },
          rows: simulations,
          text: (look) => renderSimulations(simulations, look),
          plot: costPlot(simulations),
        }
      }),
  )
}

function costPlot(simulations: readonly CacheSimulation[]): Plot {
  const bars = simulations.map(({ policy, cost, cachedShare }) => ({
    label: policy,
    value: cost,
    text: `${cost.toFixed(6)}, ${(cachedShare * 100).toFixed(0)}% cached`,
  }))
  return { title: 'What the input of all calls costs', bars }
}

function renderSimulations(simulations: readonly CacheSimulation[], { width }: Look): string {
  const rows = simulations.map(({ policy, calls, inputTokens, cachedTokens, cachedShare, compactions, cost }) => [
    policy,
    number(calls),
    number(compactions),
    number(inputTokens),
    number(cachedTokens),
    `${(cachedShare * 100).toFixed(1)}%`,
    cost.toFixed(6),
  ])
  return table(['policy', 'calls', 'compactions', 'input', 'cached', 'share', 'cost'], rows, {
    right: [1, 2, 3, 4, 5, 6],
    width,
  }).join('\n')
}
