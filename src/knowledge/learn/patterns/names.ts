import { type Pattern, says, wordPattern } from './pattern.ts'
import { type Taken, type Taker, takeName } from './take.ts'

const PERSON = { objectType: 'person' } as const
/** One is them; one is not called so. */
const NO_PERSON =
  /^(?:german|french|english|british|american|spanish|italian|polish|russian|chinese|japanese|korean|indian|turkish|greek|dutch|danish|swedish|norwegian|finnish|swiss|austrian|australian|canadian|mexican|brazilian|irish|scottish|welsh|european|asian|african|catholic|protestant|christian|muslim|jewish|buddhist|hindu|ceo|cto|cfo|hr|it|qa|sure|sorry|fine|good|new|back|done|ready|here|ishmael|inigo montoya|slim shady|batman|spartacus|bond|james bond|darth vader|groot|john doe|jane doe|max mustermann|dave bowman)$/i

const takePerson: Taker = (sentence, from) => {
  const name = takeName(sentence, from)
  return name === undefined || NO_PERSON.test(name.text) ? undefined : name
}

/** Whoever writes everything in lower case writes names so too; after `my name is` it can be nothing else. */
const takePersonAnyCase: Taker = (sentence, from): Taken | undefined => {
  const name = takePerson(sentence, from)
  if (name !== undefined || /\p{Lu}/u.test(sentence)) return name
  const word = /^\p{Ll}{2,20}(?=\s{0,2}(?:[.,!;]|$|and\s|und\s|but\s|aber\s))/u.exec(sentence.slice(from))?.[0]
  if (word === undefined || NO_WORD.test(word) || NO_PERSON.test(word)) return undefined
  return { text: word, end: from + word.length }
}

const NO_WORD =
  /^(?:not|no|a|an|the|on|in|at|my|your|his|her|its|it|that|this|what|too|so|very|hard|long|short|weird|unique|common|important|mud|spelled|pronounced|irrelevant|secret|private|nicht|kein|keine|der|die|das|ein|eine|zu|sehr|lang|egal|geheim)$/

/** `my name is Ada`, `call me Ada`, `ich heiße Ada`. */
export const names: readonly Pattern[] = [
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:my (?:full |real |first |given |actual )?name(?: is|~s)(?: actually| really)?|i(?: am|~m) (?:called|named)|i go by(?: the name)?|mein (?:voller |richtiger )?(?:name|vorname) ist|ich hei(?:ß|ss)e)\s`,
    ),
    object: takePersonAnyCase,
    claim: says('name', PERSON),
    confidence: 0.97,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`(?:my (?:last name|surname|family name)(?: is|~s)|mein nachname ist)\s`),
    object: takePerson,
    claim: says('last_name'),
    confidence: 0.95,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:(?:you can |you may |please |just |everyone |everybody |people |friends |my friends |they ){0,2}calls? me|my nickname is|my friends call me|(?:bitte )?nenn mich|(?:du kannst|man kann) mich (?=\p{L}{1,20} nennen)|mein spitzname ist)\s(?!(?:a|an|the|when|if|at|on|by|back)\s)`,
    ),
    object: takePerson,
    after: wordPattern(String.raw`(?=\s{0,2}(?:[.,!;)]|$)|\s(?:instead|please|and|but|from|nennen|bitte|und|aber)\b)`),
    claim: says('nickname', PERSON),
    confidence: 0.9,
  },
  {
    // Only as an introduction: `I'm German` is none, and neither is `I'm Ada's friend`.
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:hi|hello|hey|hi there|hello there|hey there|good (?:morning|evening|afternoon))[,!.]?\s(?:i am|i~m|this is|my name is)\s`,
    ),
    object: takePerson,
    after: wordPattern(String.raw`(?=\s{0,2}(?:[.,!;)]|$)|\s(?:and|from|here)\b)`),
    claim: says('name', PERSON),
    confidence: 0.85,
  },
]
