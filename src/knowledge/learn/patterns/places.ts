import { type Pattern, says, wordPattern } from './pattern.ts'
import { takePlace } from './take.ts'

const PLACE = { objectType: 'place' } as const
const PERSON_AT_PLACE = { subjectType: 'person', objectType: 'place' } as const
const NOW = String.raw`(?:currently |now |still |actually |also |mostly |temporarily |both |happily ){0,2}`
const JETZT = String.raw`(?:jetzt |derzeit |zurzeit |aktuell |momentan |inzwischen |noch |immer |seit \S{1,20} (?:\d{4} )?){0,2}`

const here: readonly Pattern[] = [
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:(?:i|we) ${NOW}live(?: and work)?(?: (?:now|here))? in|i(?: am|~m) ${NOW}(?:living|based|located|residing) in|i(?:~ve| have) (?:been living|lived|always lived) in|my (?:home ?town|home|city) is(?: in)?|ich (?:wohne|lebe) ${JETZT}in|(?:jetzt|derzeit|zurzeit|aktuell|inzwischen|seit \S{1,20}(?: \d{4})?) (?:wohne|lebe) ich in)\s(?:the city of )?`,
    ),
    object: takePlace,
    claim: says('lives_in', PLACE),
    confidence: 0.95,
    dated: true,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:i(?:~ve| have)? (?:just |recently |finally |now |already ){0,2}(?:moved|relocated)(?: back| over)?(?: from \p{L}{2,20})? to|ich bin (?:gerade |kürzlich |vor kurzem |letztes jahr |letzten monat |jetzt |\d{4} |im \p{L}{3,9} (?:\d{4} )?){0,2}nach)\s`,
    ),
    object: takePlace,
    after: wordPattern(
      String.raw`(?!\s(?:department|team|group|project|office|branch|version|server|database|abteilung)\b)(?:(?<=nach\s\p{L}{2,30})\s(?:um)?gezogen|(?<!nach\s\p{L}{2,30}))`,
    ),
    claim: says('lives_in', PLACE),
    confidence: 0.85,
    dated: true,
    replaces: true,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:i(?: am|~m) (?:originally )?from|i (?:originally )?come from|i hail from|ich (?:komme|stamme) (?:ursprünglich |eigentlich )?aus)\s`,
    ),
    object: takePlace,
    after: wordPattern(String.raw`(?!['’]s\b)(?!\s(?:zurück|angereist|back)\b)`),
    claim: says('comes_from', PLACE),
    confidence: 0.85,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`i was born (?:and raised )?in\s`),
    object: takePlace,
    claim: says('born_in', PLACE),
    confidence: 0.95,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`ich (?:bin|wurde) in\s`),
    object: takePlace,
    after: wordPattern(String.raw`\sgeboren`),
    claim: says('born_in', PLACE),
    confidence: 0.95,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`i grew up in\s`),
    object: takePlace,
    claim: says('grew_up_in', PLACE),
    confidence: 0.95,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`ich bin in\s`),
    object: takePlace,
    after: wordPattern(String.raw`\s(?:geboren und )?aufgewachsen`),
    claim: says('grew_up_in', PLACE),
    confidence: 0.95,
  },
]

/** What is over. `I don't live in Berlin` says no more than that it is not so: it closes, whatever is known. */
const noMore: readonly Pattern[] = [
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:i (?:no longer|don~t|do not) (?:actually |currently )?live in|i(?: am|~m) (?:no longer|not) living in|i used to live in|i (?:once |previously )?lived in|i(?:~ve| have)? (?:just |recently )?moved (?:away from|out of|from)|ich (?:wohne|lebe) (?:nicht mehr|nicht) in|ich (?:wohnte|lebte) (?:früher |einmal |damals )?in)\s`,
    ),
    object: takePlace,
    claim: says('lives_in', PLACE),
    confidence: 0.9,
    closes: true,
    dated: true,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`ich habe (?:früher |mal |einmal |lange |jahrelang ){0,2}in\s`),
    object: takePlace,
    after: wordPattern(String.raw`\s(?:gewohnt|gelebt)`),
    claim: says('lives_in', PLACE),
    confidence: 0.9,
    closes: true,
  },
]

const others: readonly Pattern[] = [
  {
    about: 'named',
    lead: wordPattern(
      String.raw`\s(?:(?:now |currently |still )?(?:lives|is living|is based|resides)(?: now)? in|(?:wohnt|lebt) ${JETZT}in)\s`,
    ),
    object: takePlace,
    claim: says('lives_in', PERSON_AT_PLACE),
    confidence: 0.85,
    person: 'likely',
    dated: true,
  },
  {
    about: 'named',
    lead: wordPattern(String.raw`\s(?:has )?(?:just |recently )?moved to\s`),
    object: takePlace,
    claim: says('lives_in', PERSON_AT_PLACE),
    confidence: 0.75,
    person: 'likely',
    dated: true,
    replaces: true,
  },
  {
    about: 'named',
    lead: wordPattern(
      String.raw`\s(?:no longer lives in|doesn~t live in|does not live in|used to live in|lived in|moved (?:away from|out of)|(?:wohnt|lebt) nicht mehr in)\s`,
    ),
    object: takePlace,
    claim: says('lives_in', PERSON_AT_PLACE),
    confidence: 0.85,
    person: 'likely',
    closes: true,
    dated: true,
  },
  {
    about: 'named',
    lead: wordPattern(String.raw`\s(?:is (?:originally )?from|comes from|kommt aus|stammt aus)\s`),
    object: takePlace,
    claim: says('comes_from', PERSON_AT_PLACE),
    confidence: 0.8,
    person: 'likely',
  },
]

/** Where people live, lived and come from. */
export const places: readonly Pattern[] = [...here, ...noMore, ...others]
