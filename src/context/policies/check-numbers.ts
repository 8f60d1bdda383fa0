import { checkOptions } from '../../domain/check-options.ts'
import { refuse } from '../../domain/refuse.ts'

/** What a number of a policy may be. */
export type Wanted = 'count' | 'share'

/** Accepts the numbers that a policy is made with. */
export function checkNumbers(policy: string, given: object, wanted: Readonly<Record<string, Wanted>>): void {
  const attempt = `make the policy ${policy}`
  checkOptions(attempt, given, Object.keys(wanted), 'number')
  for (const [name, value] of Object.entries(given) as [string, unknown][]) {
    if (value === undefined) continue
    if (wanted[name] === 'share') {
      if (typeof value !== 'number' || !(value > 0 && value <= 1))
        refuse(attempt, name, value, 'a share: over 0, at most 1')
    } else if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1)
      refuse(attempt, name, value, 'a positive whole number')
  }
}
