import { kinWords, petWords, kinPredicate, thingWords } from './kin.ts'
import { type PatternMatch, type Pattern, type PatternClaim, wordPattern } from './pattern.ts'
import { isPerson } from './people.ts'
import { takeName } from './take.ts'

const PERSON = { objectType: 'person' } as const
const ELDER = String.raw`(?:older |elder |younger |little |big |twin |oldest |youngest |only |new |late |step-?|half-?|ältere[rn]? |jüngere[rn]? |kleine[rn]? |große[rn]? |neue[rn]? ){0,2}`
/** What follows a name and belongs to it: then it was no name of a person, or not all of it. */
const WHOLE = String.raw`(?!\s?[-/]\s?\p{L})`

const NOBODY: ReadonlySet<string> = new Set()

/** Said of somebody, it is no name. */
const NATION =
  /^(?:\p{L}{2,12}(?:ish|ese|ean)|german|american|russian|austrian|australian|canadian|mexican|brazilian|italian|indian|french|dutch|greek|swiss|european|catholic|muslim|christian|jewish|\p{L}{2,20}(?:er|erin|ist|istin|ärztin|arzt|or|orin))$/iu

/** `my sister …`: the relation is in the words before the name. */
const mine = ({ object, groups }: PatternMatch): PatternClaim => ({
  predicate: kinPredicate(groups['rel'] ?? ''),
  object,
  ...PERSON,
})
const owned = ({ object, groups }: PatternMatch): PatternClaim => ({
  predicate: kinPredicate(groups['rel'] ?? ''),
  object,
})

const own: readonly Pattern[] = [
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:my ${ELDER}(?<rel>${kinWords})(?:~s name is| is called| is named|~s called)|meine? ${ELDER}(?<rel2>${kinWords}) (?:heißt|heisst)|(?:i have|i~ve got) an? ${ELDER}(?<rel3>${kinWords}) (?:named|called|whose name is)|ich habe eine?n? ${ELDER}(?<rel4>${kinWords}) namens)\s`,
    ),
    object: takeName,
    after: wordPattern(WHOLE),
    claim: ({ object, groups }) => mine({ object, groups: { rel: oneOf(groups) } }),
    confidence: 0.95,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`my ${ELDER}(?<rel>${kinWords}),?\s`),
    object: takeName,
    after: wordPattern(WHOLE),
    claim: mine,
    confidence: 0.85,
    anywhere: true,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`(?:my|meine?) ${ELDER}(?<rel>${kinWords}) (?:is|(?<german>ist))\s`),
    object: takeName,
    after: wordPattern(String.raw`${WHOLE}(?=\s{0,2}[.,;!)]|$|\s(?:and|und)\b)`),
    claim: ({ object, groups }) =>
      NATION.test(object) || (groups['german'] !== undefined && !isPerson(object, NOBODY))
        ? undefined
        : mine({ object, groups }),
    confidence: 0.8,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:my (?<rel>${thingWords})(?:~s name is| is called| is named)|meine? (?<rel2>${thingWords}) (?:heißt|heisst)|(?:i have|i~ve got|i own|i run) an? (?:\p{L}{2,12} )?(?<rel3>${thingWords}) (?:named|called)|ich habe eine?n? (?:\p{L}{2,12} )?(?<rel4>${thingWords}) namens)\s`,
    ),
    object: takeName,
    claim: ({ object, groups }) => owned({ object, groups: { rel: oneOf(groups) } }),
    confidence: 0.95,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`my (?<rel>${petWords}),?\s`),
    object: takeName,
    after: wordPattern(WHOLE),
    claim: owned,
    confidence: 0.85,
    anywhere: true,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:i(?: am|~m) (?:happily )?(?:married|engaged) to|ich bin mit(?=\s\S{2,20}(?: \S{2,20})? (?:verheiratet|verlobt)))\s`,
    ),
    object: takeName,
    claim: ({ object }) => ({ predicate: 'spouse', object, ...PERSON }),
    confidence: 0.9,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`i own (?:an?|two|three|four|\d{1,2})\s(?!(?:of|lot|few|couple|bit|bunch|number|share|part|piece|pair|ton)\b)(?<what>[\p{L}\d -]{2,30}?)(?=[.,;!]|$|\s(?:and|but|in|which|that|called|named|with)\b)`,
    ),
    claim: ({ groups }) => ({ predicate: 'owns', object: groups['what'] ?? '' }),
    confidence: 0.85,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:i have|i~ve got|we have) (?<what>(?:an?|one|two|three|four|\d{1,2}) (?:\p{L}{2,12} )?(?:${petWords})s?)(?=[.,;!]|$|\s(?:and|but|at home)\b)`,
    ),
    claim: ({ groups }) => ({ predicate: 'has', object: groups['what'] ?? '' }),
    confidence: 0.85,
  },
]

const named: readonly Pattern[] = [
  {
    about: 'named',
    lead: wordPattern(String.raw`,?\s(?:is|ist) (?:my|meine?) ${ELDER}(?<rel>${kinWords}|${thingWords})(?=[\s.,;!]|$)`),
    claim: ({ subject = '', groups }) => ({ predicate: kinPredicate(groups['rel'] ?? ''), object: subject, ...PERSON }),
    confidence: 0.9,
  },
  {
    about: 'named',
    lead: wordPattern(
      String.raw`\s(?:is the name of my|is what i call my|heißt mein)\s(?<rel>${kinWords}|${thingWords})(?=[\s.,;!]|$)`,
    ),
    claim: ({ subject = '', groups }) => ({ predicate: kinPredicate(groups['rel'] ?? ''), object: subject }),
    confidence: 0.9,
  },
  {
    // `Ann is Bob's sister`: Bob's sister is Ann.
    about: 'named',
    lead: wordPattern(String.raw`\sis\s`),
    object: takeName,
    after: wordPattern(String.raw`~s ${ELDER}(?<rel>${kinWords})(?=[\s.,;!]|$)`),
    claim: ({ subject = '', object, groups }) => ofName(subject, object, groups['rel'] ?? ''),
    confidence: 0.85,
  },
]

/** Not every `Y` of `X is the Y of Z` is a relation between two things. */
const NO_RELATION =
  /^(?:kind|type|sort|end|start|beginning|middle|rest|part|one|cause|reason|result|case|heart|best|worst|most|least|top|bottom|majority|number|lack|name|only one|same|opposite|case|matter|question|way|point|sum|first|last|key|core|meaning|definition|subject|topic|language|tool|framework|library|king|queen|home)$/iu

const ofNames: readonly Pattern[] = [
  {
    about: 'named',
    lead: wordPattern(
      String.raw`\sis the (?:current |new |former |proud |co-)?(?<what>[\p{L}-]{2,20}(?: [\p{L}-]{2,20})?) of\s(?:the )?`,
    ),
    object: takeName,
    after: wordPattern(String.raw`(?=\s{0,2}[.,;!)]|$|\s(?:and|but|since|in|who|which)\b)`),
    claim: ({ subject = '', object, groups }) => ofName(subject, object, groups['what'] ?? ''),
    confidence: 0.8,
  },
  {
    about: 'named',
    lead: wordPattern(String.raw`\sist (?:der|die|das) (?<what>\p{L}{3,30}) (?:von|der|des)\s`),
    object: takeName,
    after: wordPattern(String.raw`(?=\s{0,2}[.,;!)]|$|\s(?:und|aber|seit|in|der|die)\b)`),
    claim: ({ subject = '', object, groups }) => ofName(subject, object, groups['what'] ?? ''),
    confidence: 0.8,
  },
]

function ofName(subject: string, object: string, what: string): PatternClaim | undefined {
  if (NO_RELATION.test(what) || subject === object) return undefined
  return { subject: object, predicate: kinPredicate(what), object: subject }
}

function oneOf(groups: PatternMatch['groups']): string {
  return groups['rel'] ?? groups['rel2'] ?? groups['rel3'] ?? groups['rel4'] ?? ''
}

/** Family, friends, animals and things with names, and `X is the Y of Z`. */
export const relations: readonly Pattern[] = [...own, ...named, ...ofNames]
