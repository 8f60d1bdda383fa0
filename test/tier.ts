/** How thorough a run is. `npm test` is daily; the same tests do more at night. */
export const tier: 'daily' | 'nightly' | 'soak' = parseTier(process.env['DAYBOOK_TIER'] ?? 'daily')

/** The number for this tier: `times({ daily: 200, nightly: 5_000 })`. */
export function times(counts: { readonly daily: number; readonly nightly: number }): number {
  return tier === 'daily' ? counts.daily : counts.nightly
}

function parseTier(name: string): typeof tier {
  if (name === 'daily' || name === 'nightly' || name === 'soak') return name
  throw new Error(`Cannot run tier "${name}": expected daily, nightly or soak`)
}
