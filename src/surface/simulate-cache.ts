import type { CachePrices, SimulateCacheOptions } from '../api/cache.ts'
import type { Policy, PolicyName } from '../api/policy.ts'
import { aListOf } from '../shape/combine.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { FieldsOf, RequiredField, Shape } from '../shape/shape.ts'
import { aCount, aNumber, aText, aWholeNumber } from '../shape/values.ts'
import { pins } from './contexts.ts'
import type { CheckedCall } from './operation.ts'
import { aPolicy } from './policy-shapes.ts'

const aPrice: Shape<number> = aNumber({ min: 0, max: Number.MAX_VALUE }, 'a price for a million tokens, 0 or greater')

/** What a provider charges, field by field: the command line has an option for each. */
export const priceFields: FieldsOf<CachePrices> = {
  input: mustHave(aPrice, 'The price of input that is not cached'),
  cached: mustHave(aPrice, 'The price of input that the cache had'),
  cacheWrite: mayHave(
    aPrice,
    'The price of input that the cache did not have and now has, if that costs extra',
    'the price of input',
  ),
}

const cachePrices: Shape<CachePrices> = anObject('CachePrices', priceFields, { what: 'field' })

const simulateOptions: Shape<SimulateCacheOptions> = anObject('SimulateCacheOptions', {
  budget: mayHave(aCount, 'The largest number of input tokens for each request', '128,000'),
  reserve: mayHave(aWholeNumber, 'How many tokens of the budget to leave for tools and the reply', '0'),
  model: mayHave(aText, 'The name of the model, which decides how tokens are counted'),
  pins: mayHave(pins, 'What must be in every context'),
})

export const policies: RequiredField<readonly (PolicyName | Policy)[]> = mustHave(
  aListOf(aPolicy, { wanted: 'an array of policies' }),
  'The policies to compare',
)

/** `simulateCache(session, policies, prices, options)`, without the session. The function replays where it is called, the method of a session where the session is. */
export const simulateCacheCall: Required<CheckedCall> = {
  attempt: 'simulate the cache',
  takes: {
    policies,
    prices: mustHave(cachePrices, 'What the provider charges for a million tokens'),
  },
  options: simulateOptions,
}
