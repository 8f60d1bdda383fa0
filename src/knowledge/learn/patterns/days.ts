import { type Pattern, says, wordPattern } from './pattern.ts'
import { takeRest } from './take.ts'

const BIRTHDAY = { confidence: 0.93, day: 'any' } as const

/** Birthdays and anniversaries. */
export const days: readonly Pattern[] = [
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:my (?:birthday|birth ?date|date of birth|bday)(?: is|~s)(?: on)?|i was born on|i have my birthday on|ich habe am(?=.{1,30}geburtstag)|mein (?:geburtstag|geburtsdatum) ist(?: am| der)?|ich (?:bin|wurde) am(?=.{1,30}geboren))\s(?!(?:not|over|coming|soon|important|nicht|vorbei|bald)\b)`,
    ),
    object: takeRest,
    claim: says('birthday'),
    ...BIRTHDAY,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:my|our) (?:wedding )?anniversary(?: is|~s)(?: on)?\s(?!(?:not|over|coming|soon)\b)`,
    ),
    object: takeRest,
    claim: says('anniversary'),
    ...BIRTHDAY,
  },
  {
    about: 'named',
    lead: wordPattern(
      String.raw`(?:~s birthday is(?: on)?|~s birthday~s(?: on)?|\swas born on|\shat am(?=.{1,30}geburtstag))\s(?!(?:not|over|coming|soon)\b)`,
    ),
    object: takeRest,
    claim: says('birthday', { subjectType: 'person' }),
    ...BIRTHDAY,
    confidence: 0.85,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:my|our|the) (?<event>(?:final |project |submission )?(?:deadline|due date|wedding|launch|release|go-live|exam|flight|interview|appointment|surgery|conference|demo|kick-?off|party|funeral|move|viva|defen[cs]e|presentation))(?: is|~s)(?: due)?(?: on)?\s(?!(?:not|over|coming|soon)\b)`,
    ),
    object: takeRest,
    claim: ({ object, groups }) => ({
      predicate: (groups['event'] ?? '').toLowerCase().replaceAll(/[\s-]+/gu, '_'),
      object,
    }),
    confidence: 0.85,
    day: 'next',
  },
]
