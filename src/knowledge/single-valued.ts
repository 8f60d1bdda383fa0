/**
 * Predicates that hold one value at a time unless a scope declares otherwise (`scope.predicate(name, { single: false })`): only
 * those of which a second value at the same time is impossible. A person can live in two places, work for two companies and have
 * two e-mail addresses, and Paris is in France and in Europe. Also all that begin with `favourite_` or `favorite_`: the word
 * says that there is one. Listed in `docs/facts.md`; a test compares the two.
 */
export const SINGLE_VALUED: ReadonlySet<string> = new Set([
  'age',
  'birthday',
  'birth_date',
  'birth_year',
  'born_on',
  'date_of_birth',
  'date_of_death',
  'died_on',
  'blood_type',
  'capital',
])

export function isSingleByNature(predicate: string): boolean {
  return SINGLE_VALUED.has(predicate) || /^favou?rite_/.test(predicate)
}
