import { MASKED } from './mask.ts'

/** A piece of a sentence, and where it ends. */
export interface Taken {
  readonly text: string
  readonly end: number
}

export type Taker = (sentence: string, from: number) => Taken | undefined

const WORD = /(?:(?:St|Ste|Ft|Mt)\.(?=\s\p{Lu}))|\p{Lu}[\p{L}\p{M}\d]{0,30}(?:['’&.-][\p{L}\p{M}\d]{1,30}){0,3}/uy
const ORGANIZATION_WORD =
  /(?:\p{Lu}|\d(?=[\p{L}\d]{0,10}\p{L}))[\p{L}\p{M}\d]{0,30}(?:['’&.+-][\p{L}\p{M}\d]{1,30}){0,3}/uy
const PARTICLE =
  /(?:\s(?:van|von|vom|zu|de|der|den|del|di|da|do|dos|la|le|el|bin|ibn|al|of|the|upon|on|am|an|im|and|&|y|der)){1,2}(?=\s\p{Lu})/uy
const WORDS_MAX = 5

/** Capitalised, but no name of anything that one is, lives in or works at. */
const NO_NAME = new Set(
  `i you he she it we they me him her us them this that these those who what which there here one none all both each many most some
  every everyone everybody nobody somebody someone anyone anybody people my your his our their its the a an no not yes if when where
  why how monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october
  november december today tomorrow yesterday later back asap ok okay please thanks hi hello hey but and or so because since also
  crazy paranoid old old-fashioned maybe something anything nothing everything god christmas easter
  ich du er sie es wir ihr mich mir dich dir uns euch man jeder jede niemand keiner alle wer was wo wann warum wie das dies der die den dem
  ein eine einen mein meine dein deine unser unsere sein seine ihre kein keine nicht montag dienstag mittwoch donnerstag freitag samstag
  sonntag januar februar märz april mai juni juli august september oktober november dezember heute morgen gestern bitte danke ja nein
  angst frieden not miete untermiete sorge hoffnung armut scheidung trennung zukunft vergangenheit wahrheit wirklichkeit gefahr geburtstag
  urlaub hause ruhe stress langeweile trouble fear peace denial hell heaven
  apparently supposedly allegedly presumably perhaps probably possibly actually currently sadly luckily unfortunately obviously clearly honestly
  basically recently finally meanwhile however still then sure great well once sometimes haha now choice
  angeblich vielleicht offenbar anscheinend vermutlich leider wahrscheinlich eigentlich`.split(/\s+/u),
)
/** Moved to them, working with them, coming from them: not places. */
export const NO_PLACE: ReadonlySet<string> = new Set(
  `linux ubuntu debian windows mac macos postgres postgresql mysql sqlite mongodb redis typescript javascript python rust go golang java
  kotlin react vue angular svelte next aws azure gcp kubernetes docker git github gitlab slack notion vim neovim emacs vscode firefox chrome
  android ios iphone node deno bun claude gpt chatgpt openai gmail outlook teams zoom spotify netflix english german french spanish marketing
  sales engineering product finance hr support management accounting legal logistics procurement done progress review backlog testing staging terminal plan phase stage step version v2 enterprise caching production excel word jira figma terraform elasticsearch kafka nginx webpack
  azeroth hogwarts narnia middle-earth gotham mordor westeros tamriel hyrule wakanda atlantis utopia neverland asgard whiterun winterfell skyrim oz wonderland valhalla
  versehen überzeugung liebe neugier langeweile spaß prinzip gewohnheit wut trotz mitleid interesse erfahrung`.split(
    /\s+/u,
  ),
)

/** `I've`, `We'd`, `Ann's`: a verb or a genitive, and no part of a name. */
const SHORTENED = /['’](?:s|ve|d|ll|re|m|t)$/u

/** A name of one to five capitalised words, such as `Ada`, `Rio de Janeiro` or `van der Berg` after `Ann`. */
export const takeName: Taker = (sentence, from) => takeCapitalised(sentence, from, WORD)

export const takeOrganization: Taker = (sentence, from) => {
  const name = takeCapitalised(sentence, from, ORGANIZATION_WORD)
  return name === undefined || NO_EMPLOYER.has(name.text.toLowerCase()) ? undefined : name
}

/** Worked for or at, and nobody's employer. */
const NO_EMPLOYER = new Set(
  `geld regen nacht tag hitze kälte lärm musik schnee licht sonne wind wetter freunden kunden spaß lohn brot gott night day peanuts money
  free fun food hire caching pay cash tips height home scale speed sea heart capacity least last best most random once`.split(
    /\s+/u,
  ),
)

/** A place, with the region or country after its comma if the sentence, or that part of it, ends there. */
export const takePlace: Taker = (sentence, from) => {
  const place = takeName(sentence, from)
  if (place === undefined || NO_PLACE.has(place.text.toLowerCase())) return undefined
  if (sentence.slice(place.end, place.end + 2) !== ', ') return place
  const region = takeName(sentence, place.end + 2)
  if (region === undefined || !/^\s{0,2}(?:[.,;!)]|$)/u.test(sentence.slice(region.end))) return place
  return { text: `${place.text}, ${region.text}`, end: region.end }
}

function takeCapitalised(sentence: string, from: number, word: RegExp): Taken | undefined {
  let end = from
  for (let words = 0, next = from; words < WORDS_MAX; words++) {
    const found = stick(word, sentence, next)
    if (found === undefined || NO_NAME.has(found.toLowerCase().replace(SHORTENED, ''))) break
    end = next + found.length
    const particle = stick(PARTICLE, sentence, end)
    next = end + (particle?.length ?? 0)
    if (sentence[next] !== ' ') break
    next += 1
  }
  if (end === from) return undefined
  const text = sentence.slice(from, end).replace(SHORTENED, '')
  return text.length < 2 ? undefined : { text, end: from + text.length }
}

/** Where a phrase ends: punctuation, or a word that begins something else. */
const CUT = new RegExp(
  String.raw`[,;:()!?…"“”${MASKED}\n]|\.(?=\s|$)|\s[-–—]\s|\s(?:but|because|since|which|who|whom|whose|where|when|while|though|although|if|unless|until|so that|so i|as well|too|anymore|any more|any longer|more than|better than|rather than|instead of|as much|at the moment|right now|these days|nowadays|the most|a lot|very much|so much|btw|lol|haha|please|thanks|though|aber|weil|seit|obwohl|wenn|falls|wo|mehr als|lieber als|sehr|auch|gern|gerne|momentan|derzeit|übrigens|bitte|dass|als)(?=[\s.,;!?]|$)|\s(?:and|or|und|oder)\s(?=(?:i|i['’]m|i['’]ve|my|we|he|she|it|they|you|the|this|that|then|hate|dislike|love|like|prefer|don['’]t|do|live|work|want|need|am|is|are|was|have|can|will|would|she['’]s|he['’]s|it['’]s|ich|mein|meine|er|sie|es|wir|hasse|liebe|mag|wohne|arbeite|bin|habe|will|kann|der|die|das)\b)`,
  'giu',
)
const PHRASE_CHARACTERS_MAX = 60
const PHRASE_WORDS_MAX = 7
/** Phrases that begin so are about the matter at hand, not about the speaker. */
const NO_PHRASE =
  /^(?:it|this|that|these|those|them|him|her|me|us|myself|himself|herself|you|your|yours|how|what|when|where|why|who|the|my|our|his|their|its|one|some|someone|something|anything|nothing|everything|both|all|any|either|neither|not|no|nobody|none|so|and|or|but|to|being|if|as|at|by|with|from|for|option|version|approach|choice|idea|plan|number|answer|es|das|dies|diese[rsnm]?|mich|mir|uns|mal|so|ihn|sie|dich|dir|euch|wie|was|wenn|wo|der|die|den|dem|mein\p{L}{0,2}|dein\p{L}{0,2}|unser\p{L}{0,2}|nicht|nichts|kein\p{L}{0,2}|zu|etwas|alles|beide[sn]?|ob|dass)\b/iu

/** What it means is in another sentence. */
const POINTS_ELSEWHERE = /\s(?:them|him|it|this|those|these|(?:to|in|of|with|about|for) that)(?=\s|$)/iu

/** A few words up to the end of their clause, such as `hiking in the Alps`. Nothing if they go on for too long. */
export const takePhrase: Taker = (sentence, from) => {
  const taken = takeWords(sentence, from, PHRASE_CHARACTERS_MAX)
  return taken === undefined || NO_PHRASE.test(taken.text) || POINTS_ELSEWHERE.test(taken.text) ? undefined : taken
}

/** What may follow a short phrase that ends its clause. */
const CLAUSE_END =
  /^\s{0,2}(?:$|[.,;:!)…]|[-–—]\s|(?:and|but|because|since|so|though|too|as well|a lot|very much|so much|the most|more than|better than|any ?more|any longer|over|please|thanks|btw|und|aber|weil|sehr|auch|gern|gerne|mehr als)(?=[\s.,;!]|$))/iu
const SHORT_WORDS_MAX = 4
/** Of the matter at hand, or a sentence of its own. */
const NOT_SHORT =
  /^(?:you|we|i|he|she|they|whichever|whatever|whoever|there|here|just|having|being|watching|seeing)\b|\s(?:is|are|was|were|be|been|has|have|had|do|does|did|that|who|which|what|when|where|how|if|you|your|we|our|they|i|my|to|not|this|these|those|here|again|yet|blame|fact)(?=\s|$)|(?<!\s(?:in|at|on|of|by|near|around|with|from|through|for))\s(?:the|an?)\s/iu

/** A phrase of at most four words that ends its clause: what somebody likes, prefers or owns in general. */
export const takeShort: Taker = (sentence, from) => {
  const taken = takePhrase(sentence, from)
  if (taken === undefined || NOT_SHORT.test(taken.text) || !CLAUSE_END.test(sentence.slice(taken.end))) return undefined
  return listLength(taken.text) > SHORT_WORDS_MAX ? undefined : taken
}

const ITEM = String.raw`\p{L}[\p{L}'’-]{1,24}(?: \p{L}[\p{L}'’-]{1,24})?`
const LIST = new RegExp(String.raw`${ITEM}(?:, ${ITEM}){1,7},? (?:and|und) ${ITEM}`, 'iuy')

/** The same, or a list of at least three things: `hiking, sailing and board games`. */
export const takeShortOrList: Taker = (sentence, from) => {
  const text = stick(LIST, sentence, from)
  const isList =
    text !== undefined &&
    CLAUSE_END.test(sentence.slice(from + text.length)) &&
    text.split(/, (?:and |und )?| (?:and|und) /iu).every((item) => !NO_PHRASE.test(item) && !NOT_SHORT.test(item))
  return isList ? { text, end: from + text.length } : takeShort(sentence, from)
}

/** The number of words of its longest item. */
function listLength(text: string): number {
  return Math.max(...text.split(/\s(?:and|or|und|oder)\s/iu).map((item) => item.split(' ').length))
}

/** The same, whatever it begins with. */
export const takeAnyPhrase: Taker = (sentence, from) => takeWords(sentence, from, PHRASE_CHARACTERS_MAX)

/** Everything to the end of the sentence. */
export const takeRest: Taker = (sentence, from) => {
  const text = sentence
    .slice(from)
    .split(MASKED, 1)
    .join('')
    .replace(/[\s.!…]{1,20}$/u, '')
  return text.trim().length < 3 ? undefined : { text, end: from + text.length }
}

function takeWords(sentence: string, from: number, charactersMax: number): Taken | undefined {
  CUT.lastIndex = from
  const end = CUT.exec(sentence)?.index ?? sentence.length
  const text = sentence.slice(from, end).trimEnd()
  if (text === '' || text !== text.trimStart() || text.length > charactersMax || !/\p{L}/u.test(text)) return undefined
  return text.split(' ').length > PHRASE_WORDS_MAX ? undefined : { text, end: from + text.length }
}

/** What a sticky pattern finds at a place. */
function stick(pattern: RegExp, text: string, at: number): string | undefined {
  return stickGroups(pattern, text, at)?.[0]
}

export function stickGroups(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}
