import type { ContextTokens } from '../../../api/contexts.ts'
import { tokenKinds } from '../session/token-kinds.ts'

/** One area of a stacked chart. */
export interface StackedArea {
  readonly kind: keyof ContextTokens
  readonly name: string
  /** The outline, for `d` of a path. */
  readonly outline: string
}

export interface ChartSize {
  readonly width: number
  readonly height: number
  /** The tokens at the upper end. */
  readonly scale: number
}

/** The areas of all kinds that occur, one on top of the other: steps, not slopes, since nothing lies between two requests. */
export function stackedAreas(
  all: readonly ContextTokens[],
  { width, height, scale }: ChartSize,
): readonly StackedArea[] {
  const step = width / Math.max(1, all.length)
  const x = (index: number): string => (index * step).toFixed(1)
  const y = (tokens: number): string => (height - (tokens / scale) * height).toFixed(1)
  const below = all.map(() => 0)
  return tokenKinds.flatMap(([kind, name]) => {
    if (all.every((tokens) => Number(tokens[kind]) <= 0)) return []
    const base = [...below]
    for (const [index, tokens] of all.entries()) below[index] = (below[index] ?? 0) + Math.max(0, Number(tokens[kind]))
    const upper = below.map((sum, index) => `L${x(index)} ${y(sum)}H${x(index + 1)}`).join('')
    const lower = base.map((sum, index) => `L${x(index + 1)} ${y(sum)}H${x(index)}`).toReversed()
    return [{ kind, name, outline: `M0 ${y(base[0] ?? 0)}${upper}${lower.join('')}Z` }]
  })
}
