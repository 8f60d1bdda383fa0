import { normalPredicate } from '../../../domain/normal-form.ts'

const CHARACTERS_MAX = 60

/** Words that models use for what has a name here. */
const SAME: Readonly<Record<string, string>> = {
  is_called: 'name',
  is_named: 'name',
  has_name: 'name',
  first_name: 'name',
  full_name: 'name',
  lives_at: 'lives_in',
  live_in: 'lives_in',
  living_in: 'lives_in',
  resides_in: 'lives_in',
  residence: 'lives_in',
  moved_to: 'lives_in',
  home: 'lives_in',
  from: 'comes_from',
  is_from: 'comes_from',
  origin: 'comes_from',
  work_at: 'works_at',
  works_for: 'works_at',
  work_for: 'works_at',
  employer: 'works_at',
  employed_by: 'works_at',
  employed_at: 'works_at',
  job: 'works_as',
  profession: 'works_as',
  occupation: 'works_as',
  job_title: 'works_as',
  like: 'likes',
  loves: 'likes',
  love: 'likes',
  enjoys: 'likes',
  is_fond_of: 'likes',
  hates: 'dislikes',
  hate: 'dislikes',
  dislike: 'dislikes',
  does_not_like: 'dislikes',
  prefer: 'prefers',
  preference: 'prefers',
  has_preference: 'prefers',
  allergy: 'allergic_to',
  has_allergy: 'allergic_to',
  is_allergic_to: 'allergic_to',
  date_of_birth: 'birthday',
  birth_date: 'birthday',
  born_on: 'birthday',
  wife: 'spouse',
  husband: 'spouse',
  married_to: 'spouse',
  is_married_to: 'spouse',
  mom: 'mother',
  dad: 'father',
  favorite_color: 'favourite_colour',
  owns_a: 'owns',
  speaks_language: 'speaks',
  language: 'speaks',
}

/** One word for what has several, in the one spelling of predicates. */
export function knownPredicate(predicate: string): string | undefined {
  const name = normalPredicate(predicate)
  if (name === '' || name.length > CHARACTERS_MAX) return undefined
  const known = SAME[name] ?? SAME[name.replace(/^(?:has|is)_/u, '')]
  return known ?? name.replace(/^favorite_/u, 'favourite_')
}
