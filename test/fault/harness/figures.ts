/** Prints what a test measured, on one line, so that a run can be read as a table. */
export function figures(title: string, values: Readonly<Record<string, number | string>>): void {
  const shown = Object.entries(values).map(
    ([name, value]) => `${name} ${typeof value === 'number' ? tidy(value) : value}`,
  )
  console.log(`${title}: ${shown.join(', ')}`)
}

/** The value below which a share of the numbers lies. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function tidy(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(1)
}
