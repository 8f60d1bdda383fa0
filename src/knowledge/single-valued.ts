/**
 * Predicates that hold one value at a time unless a scope says otherwise (`scope.predicate(name, { single: false })`). Only
 * those of which a second value at the same time is nearly always a correction: a person has several friends, languages and
 * likings, but one name and one birthday. Likewise all that begin with `favourite_` or `favorite_`: the word says that it is one.
 */
export const SINGLE_VALUED: ReadonlySet<string> = new Set([
  'name',
  'full_name',
  'first_name',
  'last_name',
  'preferred_name',
  'age',
  'gender',
  'pronouns',
  'birthday',
  'birth_date',
  'born_on',
  'born_in',
  'birthplace',
  'died_on',
  'died_in',
  'lives_in',
  'lives_at',
  'home_address',
  'address',
  'located_in',
  'timezone',
  'time_zone',
  'locale',
  'native_language',
  'works_at',
  'works_for',
  'employer',
  'job_title',
  'occupation',
  'profession',
  'marital_status',
  'married_to',
  'spouse',
  'diet',
  'email',
  'phone',
  'phone_number',
  'height',
  'weight',
  'status',
  'version',
  'capital',
  'due_date',
  'deadline',
])

export function isSingleByNature(predicate: string): boolean {
  return SINGLE_VALUED.has(predicate) || /^favou?rite_/.test(predicate)
}
