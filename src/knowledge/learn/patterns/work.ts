import { kinPredicate, kinWords } from './kin.ts'
import { type Pattern, listItems, says, wordPattern } from './pattern.ts'
import { type Taker, takeOrganization, takePhrase } from './take.ts'

const AT = { objectType: 'organization' } as const
const PERSON_AT = { subjectType: 'person', objectType: 'organization' } as const

const JOB =
  `accountant actor actress admin administrator advocate analyst anthropologist architect artist astronomer attorney author baker banker barber
  bartender biologist bookkeeper botanist builder butcher carpenter cashier chef chemist cleaner coach composer consultant contractor cook copywriter
  counsellor counselor dancer dentist designer developer dietitian director doctor driver economist editor electrician engineer entrepreneur farmer
  filmmaker firefighter fisherman florist freelancer gardener geologist geographer hairdresser historian housekeeper illustrator inspector instructor
  investor janitor jeweller journalist judge lawyer lecturer librarian lifeguard linguist locksmith machinist manager mathematician mechanic midwife
  miner model musician neurologist novelist nurse nutritionist optician painter paramedic pediatrician pharmacist philosopher photographer physician
  physicist physiotherapist pianist pilot plumber poet policeman policewoman politician postman principal producer professor programmer psychiatrist
  psychologist publisher radiographer radiologist realtor receptionist recruiter reporter researcher sailor salesman saleswoman scientist sculptor secretary
  singer sociologist soldier statistician student surgeon surveyor tailor teacher technician therapist translator tutor veterinarian vet waiter
  waitress welder writer zoologist`
    .split(/\s+/u)
    .join('|')
const BERUF =
  `Anwalt Anwältin Architekt Arzt Ärztin Bäcker Bauer Beamter Berater Biologe Buchhalter Chemiker Chirurg Designer Dolmetscher Elektriker Entwickler
  Erzieher Fahrer Feuerwehrmann Fotograf Friseur Gärtner Grafiker Hebamme Historiker Informatiker Ingenieur Journalist Kellner Koch Köchin Künstler
  Landwirt Lehrer Maler Maurer Mathematiker Mechaniker Musiker Notar Pfarrer Physiker Physiotherapeut Pilot Polizist Professor Programmierer
  Psychologe Psychologin Rentner Richter Sänger Schauspieler Schreiner Schriftsteller Softwareentwickler Softwareingenieur Steuerberater Student Tierarzt Tierärztin
  Tischler Übersetzer Verkäufer Wissenschaftler Zahnarzt Zahnärztin Krankenschwester Krankenpfleger Biologin Chemikerin Historikerin`
    .split(/\s+/u)
    .map((word) => (word.endsWith('in') ? word : `${word}(?:in)?`))
    .join('|')

const TRADE = new RegExp(String.raw`^(?:[\p{L}-]{2,20} ){0,3}?(?:${JOB}|${BERUF})(?![\p{L}-]|['’]s(?!\p{L}))`, 'iu')

/** A trade that is known as one, with what narrows it down: `senior software engineer`. */
const takeJob: Taker = (sentence, from) => {
  const found = TRADE.exec(sentence.slice(from))?.[0]
  return found === undefined ||
    /^(?:big|bit|huge|bad|better|good|terrible|great|basically|kind|sort|virtually|practically)\b|(?:^|\s)(?:not|no|never|nicht|keine?|kein|nie|gar|former|ehemaliger?|wannabe|aspiring|angehende[rn]?)\s/iu.test(
      found,
    )
    ? undefined
    : { text: found, end: from + found.length }
}

const CLOSED = { closes: true, confidence: 0.9, dated: true } as const

const self: readonly Pattern[] = [
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:i (?:currently |now |still |also ){0,2}work (?:(?:night|day|late|early|part|full)[- ]?(?:shifts?|time) )?(?:at|for)|i(?: am|~m) (?:currently |now )?(?:employed (?:at|by)|working (?:at|for))|i(?:~ve| have) (?:been working|worked) (?:at|for)|i(?:~ve| have)? (?:just |recently )?(?:joined|started (?:working )?at|started (?:a |my )?(?:new )?job at)|my employer is|ich arbeite (?:jetzt |derzeit |seit \S{1,20} (?:\d{4} )?){0,2}(?:bei|für)|mein arbeitgeber ist)\s(?:the company |an? (?:\p{L}{2,14} ){0,2}(?:charity|company|startup|start-up|agency|bank|law firm|firm|school|hospital|university|consultancy|studio|nonprofit|non-profit|ngo) (?:called|named) )?`,
    ),
    object: takeOrganization,
    after: wordPattern(String.raw`(?!\s(?:support|api|sdk|docs|integration|project|issue|ticket|branch)\b)`),
    claim: says('works_at', AT),
    confidence: 0.92,
    dated: true,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:i (?:no longer|don~t|do not) work (?:at|for)|i used to work (?:at|for)|i (?:previously )?worked (?:at|for)|i (?:just |recently )?(?:quit|left|lost|resigned from) my (?:old )?job at|i(?: was|~ve been| got) (?:just )?(?:laid off|fired) (?:from|by)|ich arbeite nicht mehr (?:bei|für)|ich (?:habe|hatte) (?:früher |mal )?bei(?=\s\S{1,30} gearbeitet))\s`,
    ),
    object: takeOrganization,
    claim: says('works_at', AT),
    ...CLOSED,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:i (?:currently |now )?work as (?:an?|the)|i(?: am|~m) (?:currently )?working as (?:an?|the)|my (?:job|profession|occupation) is|i~?m employed as an?|ich arbeite (?:derzeit |jetzt )?als|ich bin (?:selbständiger? |freier? |angestellter? )?von beruf|mein beruf ist)\s(?:an? )?`,
    ),
    object: takeJob,
    claim: says('works_as'),
    confidence: 0.92,
  },
  {
    about: 'speaker',
    // `in the same building as a dentist` compares; it does not name the speaker's job.
    lead: wordPattern(
      String.raw`i (?:currently |now )?work (?:(?:night|day|late|early|part|full)[- ]?(?:shifts?|time) )?(?:at|for|in) (?:(?!\b(?:as|such|same|similar|identical|equal|equivalent|just|exactly|much|like|so)\b)[\p{L}\d.'& -]){2,40}? as (?:an?|the)\s`,
    ),
    object: takeJob,
    after: wordPattern(
      String.raw`(?=\s{0,2}(?:[.,!;)]|$|(?:and|at|in|from|with|for|by|but|since|here|there|now|because|these days)\b))`,
    ),
    claim: says('works_as'),
    confidence: 0.92,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:i(?: am|~m) (?:currently |now |actually )?an?|ich bin(?: eine?)?)\s(?!(?:student of life|model citizen)\b)`,
    ),
    object: takeJob,
    after: wordPattern(
      String.raw`(?!\s(?:at heart|in training|no more|in this|in my))(?=\s{0,2}(?:[.,!;)]|$|(?:and|at|in|from|who|with|for|by|but|working|based|und|bei|in|aus|aber|an)\b))`,
    ),
    claim: says('works_as'),
    confidence: 0.88,
  },
  {
    about: 'speaker',
    lead: new RegExp(
      String.raw`(?:i(?: am|['’]m) an?|i work as an?|ich bin|ich arbeite als)\s(?:[\p{L}-]{2,20} ){0,3}(?:${JOB}|${BERUF})\s(?:at|for|bei|with)\s`,
      'iuy',
    ),
    object: takeOrganization,
    claim: says('works_at', AT),
    confidence: 0.85,
    dated: true,
  },
]

/** Up to the end of the sentence or of the list. */
const takeLanguages: Taker = (sentence, from) => {
  const text =
    /^[\p{L} ]{3,30}(?:,? (?:and |und )?[\p{L} ]{3,30}){0,6}?(?=\s{0,2}(?:[.;!)]|$)|, (?:but|so|which|i)\b|\s(?:but|fluently|well|at|because|fließend)\b)/iu.exec(
      sentence.slice(from),
    )?.[0]
  return text === undefined ? undefined : { text, end: from + text.length }
}

const ROLE = String.raw`(?:tech lead|team lead|engineering manager|cto|ceo|cfo|coo|founder|co-founder|cofounder|owner|head of \p{L}{2,20}|product owner|scrum master|intern|director of \p{L}{2,20}|vp of \p{L}{2,20})`
const roles: readonly Pattern[] = [
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`i(?: am|~m) (?:the |an? )(?<role>${ROLE})(?=\s{0,2}(?:[.,;!)]|$)|\s(?:at|for|and|here)\b|\sof\s\p{Lu})`,
    ),
    claim: ({ groups }) => ({ predicate: 'works_as', object: groups['role'] ?? '' }),
    confidence: 0.88,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`i(?: am|~m) (?:the |an? )${ROLE} (?:at|of|for) (?:an? (?:\p{L}{2,14} ){0,3}(?:called|named) )?`,
    ),
    object: takeOrganization,
    claim: says('works_at', AT),
    confidence: 0.85,
  },
]

const learning: readonly Pattern[] = [
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:i (?:currently )?study|i(?: am|~m) (?:currently )?studying|ich studiere)\s(?!(?:hard|abroad|every|a lot|this|late|best|better|here|now|hart|hier|gerade|im|in)\b)`,
    ),
    object: (sentence, from) => {
      const end = /\s(?:at|an der|an|in|bei)\s(?=(?:the )?(?:\p{Lu}|my|meiner))/u.exec(sentence.slice(from))?.index
      const phrase = takePhrase(end === undefined ? sentence : sentence.slice(0, from + end), from)
      return phrase === undefined || phrase.text.split(' ').length > 3 ? undefined : phrase
    },
    claim: says('studies'),
    confidence: 0.85,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:i (?:currently )?study|i(?: am|~m) (?:currently )?(?:studying|enrolled)|i go to (?:college|university|school)|ich studiere)\s(?:\p{L}{3,20} (?:\p{L}{3,20} )?)?(?:at|an der)\s(?:the )?`,
    ),
    object: takeOrganization,
    claim: says('studies_at', AT),
    confidence: 0.88,
    dated: true,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:i (?:also |can |only )?speak|ich spreche|my (?:native|first) language is|my mother tongue is|meine muttersprache ist)\s(?:fluent |fluently |some |a little |a bit of |fließend |etwas |gut )?(?=\p{L})`,
    ),
    object: takeLanguages,
    claim: ({ object }) =>
      listItems(object).every((language) => LANGUAGE.test(language))
        ? listItems(object).map((language) => ({
            predicate: 'speaks',
            object: language.replace(/^(?:some|fluent|a little|a bit of|basic|conversational) /iu, ''),
          }))
        : undefined,
    confidence: 0.9,
  },
]

const LANGUAGE =
  /^(?:(?:some|fluent|a little|a bit of|basic|conversational) )?(?:english|german|french|spanish|italian|portuguese|dutch|danish|swedish|norwegian|finnish|icelandic|polish|czech|slovak|hungarian|romanian|bulgarian|greek|turkish|russian|ukrainian|arabic|hebrew|persian|farsi|hindi|urdu|bengali|tamil|telugu|thai|vietnamese|indonesian|malay|tagalog|mandarin|cantonese|chinese|japanese|korean|latin|swahili|catalan|basque|welsh|irish|croatian|serbian|slovenian|estonian|latvian|lithuanian|esperanto|englisch|deutsch|französisch|spanisch|italienisch|portugiesisch|niederländisch|dänisch|schwedisch|norwegisch|finnisch|polnisch|tschechisch|ungarisch|rumänisch|griechisch|türkisch|russisch|ukrainisch|arabisch|hebräisch|chinesisch|japanisch|koreanisch|latein)$/iu

const others: readonly Pattern[] = [
  {
    about: 'named',
    lead: wordPattern(
      String.raw`\s(?:(?:now |currently |still )?works (?:at|for)|is employed (?:at|by)|(?:has )?joined|arbeitet (?:jetzt |derzeit )?(?:bei|für))\s`,
    ),
    object: takeOrganization,
    claim: says('works_at', PERSON_AT),
    confidence: 0.82,
    person: 'likely',
    dated: true,
  },
  {
    about: 'named',
    lead: wordPattern(
      String.raw`\s(?:no longer works (?:at|for)|doesn~t work (?:at|for)|used to work (?:at|for)|worked (?:at|for)|arbeitet nicht mehr (?:bei|für))\s`,
    ),
    object: takeOrganization,
    claim: says('works_at', PERSON_AT),
    ...CLOSED,
    confidence: 0.82,
    person: 'likely',
  },
  {
    about: 'named',
    lead: wordPattern(String.raw`\s(?:works as an?|is an?|arbeitet als|ist)\s`),
    object: takeJob,
    claim: says('works_as', { subjectType: 'person' }),
    confidence: 0.8,
    person: 'surely',
  },
]

/** Said of a relative, it judges instead of naming a job: `a careful driver`. */
const JUDGED =
  /(?:^|\s)(?:little|real|true|fantastic|amazing|wonderful|brilliant|excellent|slow|fast|careful|careless|reckless|natural|born|picky|worse|lousy|decent|total|complete|keen|passionate|talented|gifted|lovely|nice|very|really|pretty|such|hobby|amateur|awful|horrible)\s/iu

const relatives: readonly Pattern[] = [
  {
    about: 'speaker',
    lead: new RegExp(
      String.raw`(?:meine?|unsere?) (?:ältere[rn]? |jüngere[rn]? |kleine[rn]? |große[rn]? )?(?<rel>${kinWords}) (?:ist|arbeitet als) (?:jetzt |von beruf )?(?<job>${BERUF})(?=\s{0,2}(?:[.,!;)]|$)|\s(?:und|in|bei|aber)\b)`,
      'iuy',
    ),
    claim: ({ groups }) => ({
      predicate: `${kinPredicate(groups['rel'] ?? '')}_works_as`,
      object: groups['job'] ?? '',
    }),
    confidence: 0.85,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:my|our) (?:older |elder |younger |little |big |twin |oldest |youngest )?(?<rel>${kinWords})(?: is| works as|~s) (?:now |currently )?an?\s`,
    ),
    object: takeJob,
    after: wordPattern(
      String.raw`(?=\s{0,2}(?:[.,!;)]|$|(?:and|at|in|from|who|with|for|but|working|based)\b))(?!\s(?:in (?:this|my|training)|at heart))`,
    ),
    claim: ({ object, groups }) =>
      JUDGED.test(` ${object}`) ? undefined : { predicate: `${kinPredicate(groups['rel'] ?? '')}_works_as`, object },
    confidence: 0.85,
  },
]

/** Jobs, employers, studies and languages. */
export const work: readonly Pattern[] = [...self, ...roles, ...learning, ...relatives, ...others]
