import type { ContextTokens } from '../../api/contexts.ts'
import { number } from './layout.ts'
import type { Plot } from './plot.ts'
import { kindsOfTokens } from './kinds-of-tokens.ts'

/** Where the tokens of a context go, and what is left of the budget. */
export function contextPlot(tokens: ContextTokens): Plot {
  const left = Math.max(0, tokens.budget - tokens.reserve - tokens.total)
  const kinds = kindsOfTokens.map((kind) => [kind, tokens[kind]] as const).filter(([, count]) => count > 0)
  const bars = [...kinds, ['reserve', tokens.reserve] as const, ['left', left] as const]
    .filter(([label, count]) => count > 0 || label === 'left')
    .map(([label, value]) => ({
      label,
      value,
      text: `${number(value)} (${((100 * value) / tokens.budget).toFixed(0)}%)`,
    }))
  return { title: `${number(tokens.total)} of ${number(tokens.budget)} tokens`, bars }
}
