import { kinWords, petWords, kinPredicate, manyWords, thingWords } from './kin.ts'
import { isCommonWord, isVerbOrParticle, isWordBefore } from './common-words.ts'
import { type PatternMatch, type Pattern, type PatternClaim, wordPattern } from './pattern.ts'
import { isPerson } from './people.ts'
import { type Taker, stickGroups, takeName } from './take.ts'

const PERSON = { objectType: 'person' } as const
const ELDER = String.raw`(?:\d{1,2}[- ](?:year|month|week)s?[- ]old |older |elder |younger |little |big |twin |oldest |youngest |only |new |step-?|half-?|ältere[rn]? |jüngere[rn]? |kleine[rn]? |große[rn]? |neue[rn]? ){0,2}`
/** What follows a name and belongs to it: then it was no name of a person, or not all of it. */
const WHOLE = String.raw`(?!\s?[-/]\s?\p{L})`

const NOBODY: ReadonlySet<string> = new Set()

/** Said of somebody, it is no name. */
const NATION =
  /^(?:\p{L}{2,12}(?:ish|ese|ean)|german|american|russian|austrian|australian|canadian|mexican|brazilian|italian|indian|french|dutch|greek|swiss|european|catholic|muslim|christian|jewish)$/iu

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

/** The name of somebody: not a word that the sentence goes on with. */
const takePersonName: Taker = (sentence, from) => {
  const title = /^(?:Mr|Mrs|Ms|Miss|Dr|Prof|Herr|Frau)\.?\s(?=\p{Lu})/u.exec(sentence.slice(from))?.[0] ?? ''
  const name = takeName(sentence, from + title.length)
  if (name === undefined) return undefined
  const [first = ''] = name.text.split(/[\s.-]/u, 1)
  const isWord = isPerson(first, NOBODY) ? isWordBefore(first, sentence.slice(name.end)) : isCommonWord(first)
  return isWord ? undefined : name
}

/** Animals are called Biscuit and Clover, but not Ate. */
const takePetName: Taker = (sentence, from) => {
  const title = /^(?:Mr|Mrs|Ms|Miss|Dr|Prof|Sir|Lady|Lord)\.?\s(?=\p{Lu})/u.exec(sentence.slice(from))?.[0] ?? ''
  const bare = takeName(sentence, from + title.length)
  const name = bare && { text: `${title}${bare.text}`, end: bare.end }
  const [first = ''] = name?.text.split(/[\s.-]/u, 1) ?? []
  return isVerbOrParticle(first) && !isPerson(first, NOBODY) ? undefined : name
}

const AND = /,? (?:and|und|&) |, /uy

/** `Mia and Leo`, `Ana, Bea and Cleo`: two names or more, each with its own word. */
const takeNames: Taker = (sentence, from) => {
  const found: string[] = []
  let end = from
  for (let next = from; ;) {
    const name = takePetName(sentence, next)
    if (name === undefined || (found.length > 0 && next === end)) break
    const single = name.text.split(/ (?:and|und|&) /u, 1)[0] ?? ''
    found.push(single)
    end = next + single.length
    next = end + (stickGroups(AND, sentence, end)?.[0].length ?? 0)
    if (next === end) break
  }
  return found.length < 2 ? undefined : { text: found.join(', '), end }
}

const own: readonly Pattern[] = [
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:(?:i|we)(?: have|~ve got| have got) (?:\d{1,2}|two|three|four|five|six|seven|a couple of|both) (?:\p{L}{2,14} )?(?<many>${manyWords})(?:,|:| –| -| \(| called| named)\s?|(?:my|our) (?:\p{L}{2,14} )?(?<many2>${manyWords})(?: are(?: called| named)?| ~?s names are|, |:)?\s|(?:ich habe|wir haben) (?:zwei|drei|vier|fünf) (?<many3>${manyWords})(?:,|:| namens)\s)`,
    ),
    object: takeNames,
    claim: ({ object, groups }) => {
      const predicate = kinPredicate(groups['many'] ?? groups['many2'] ?? groups['many3'] ?? '')
      return object.split(', ').map((name) => ({ predicate, object: name }))
    },
    confidence: 0.9,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:(?:my|our) ${ELDER}(?<rel>${kinWords})(?:~s name is| is called| is named|~s called)|(?:meine?|unsere?) ${ELDER}(?<rel2>${kinWords}) (?:heißt|heisst)|(?:i have|i~ve got|we have) an? ${ELDER}(?<rel3>${kinWords}) (?:named|called|whose name is)|ich habe eine?n? ${ELDER}(?<rel4>${kinWords}) namens)\s`,
    ),
    object: takePersonName,
    after: wordPattern(WHOLE),
    claim: ({ object, groups }) => mine({ object, groups: { rel: oneOf(groups) } }),
    confidence: 0.95,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`(?:my|our) ${ELDER}(?<rel>${kinWords}),?\s`),
    object: takePersonName,
    after: wordPattern(WHOLE),
    claim: mine,
    confidence: 0.85,
    anywhere: true,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`(?:my|our|meine?) ${ELDER}(?<rel>${kinWords}) (?:is|(?<german>ist))\s`),
    object: takePersonName,
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
      String.raw`(?:(?:my|our) (?<rel>${thingWords})(?:~s name is| is called| is named)|(?:meine?|unsere?) (?<rel2>${thingWords}) (?:heißt|heisst)|(?:i have|i~ve got|we have|we~ve got|i own|i run|(?:i|we)(?:~ve| have)? (?:just |recently )?(?:adopted|got|bought|rescued)) an? (?:\p{L}{2,12} )?(?<rel3>${thingWords}) (?:named|called)|ich habe eine?n? (?:\p{L}{2,12} )?(?<rel4>${thingWords}) namens)\s`,
    ),
    object: takePetName,
    claim: ({ object, groups }) => owned({ object, groups: { rel: oneOf(groups) } }),
    confidence: 0.95,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`(?:my|our) (?:\p{Ll}{2,12} )?(?<rel>${petWords}),?\s`),
    object: takePetName,
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
    object: takePersonName,
    claim: ({ object }) => ({ predicate: 'spouse', object, ...PERSON }),
    confidence: 0.9,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`i own (?:an?|two|three|four|\d{1,2})\s(?!(?:of|lot|few|couple|bit|bunch|number|share|part|piece|pair|ton|small|large|big|certain|similar)\b)(?!\S{1,20} (?:of|part|share|piece)\b)(?<what>[\p{L}\d-]{2,20}(?: [\p{L}\d-]{2,20}){0,2}?)(?=[.,;!]|$|\s(?:and|but)\s)`,
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
