import type { Fact } from '../../../domain/fact.ts'
import { written } from '../../parts/numbers.ts'

/** When a fact is true, in words. */
export function validityText({ validFrom, validTo, state }: Pick<Fact, 'validFrom' | 'validTo' | 'state'>): string {
  if (validFrom === null && validTo === null) return 'not dated'
  if (validTo === null) return `${state === 'upcoming' ? 'from' : 'since'} ${written.date(validFrom ?? '')}`
  if (validFrom === null) return `until ${written.date(validTo)}`
  return `${written.date(validFrom)} – ${written.date(validTo)}`
}
