/** One line of a benchmark: what was compared, what came out, what was wanted. */
export interface Figure {
  readonly requirement: string
  readonly what: string
  readonly value: number
  readonly unit: string
  /** The goal as it is checked: `value >= goal` or `value <= goal`. */
  readonly goal: { readonly atLeast: number } | { readonly atMost: number }
  readonly note: string
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export function met({ value, goal }: Figure): boolean {
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost
}

export function line(figure: Figure): string {
  const goal = 'atLeast' in figure.goal ? `≥ ${figure.goal.atLeast}` : `≤ ${figure.goal.atMost}`
  const value = figure.value.toFixed(2).replace(/\.00$/, '')
  return `${met(figure) ? 'met   ' : 'missed'}  ${`${value}${figure.unit}`.padStart(9)}  (goal ${goal}${figure.unit})  ${figure.what}: ${figure.note}  ${figure.requirement}`
}
