import type { Analyser } from './analyser.ts'
import { normaliseWord } from './normalise-word.ts'
import { ADDRESSED, GENERAL, INVENTED } from './languages/addressed.ts'
import { packs } from './languages/index.ts'
import type { Asked, LanguagePack } from './languages/language-pack.ts'
import { steeringElsewhere } from './languages/steering-elsewhere.ts'
import { type AskedDate, datesIn, isCalendarName } from './question-dates.ts'
import { relativeDates } from './relative-dates.ts'
import type { Token } from './tokenise.ts'

/** One thing a question asks about: any of the forms counts as a mention of it. */
export interface Concept {
  /** As the question says it, folded. */
  readonly word: string
  readonly forms: readonly string[]
  /** Where none of those stands anywhere: what a message in another language would have it under. */
  readonly otherForms: () => readonly string[]
  /** Other words in which the answer may be told: boss for manager. */
  readonly related: readonly string[]
  /** 0.5 for words that frame a question rather than name its subject. */
  readonly weight: number
  /** Steers the conversation rather than naming something: "continue", "thanks", "translate". */
  readonly steers: boolean
  /** What it counts for when asking how much of a question something covers: half for words such as "like" and "best", nothing for "long" in "how long". */
  readonly worth: number
  /** A name or a year, for which there are other signals too. */
  readonly isAside: boolean
  /** Names the kind of thing that is asked for, as in "which browser". */
  readonly isClass: boolean
  /** Whether longer words that begin or end with it are meant too: also where it occurs itself, only where it does not, or never. */
  readonly inCompounds: 'always' | 'missing' | 'never'
}

/** Who is asked about: a speaker by name, or the side of the conversation. */
export type AskedSpeaker = { readonly name: string } | { readonly role: 'user' | 'assistant' }

export interface Question {
  readonly concepts: readonly Concept[]
  readonly speaker: AskedSpeaker | undefined
  /** It speaks of whoever asks, as in "where do I live?": facts about the user are meant. */
  readonly asker: boolean
  /** Has a word that names what it is about. */
  readonly hasContent: boolean
  /** Names somebody who speaks here. */
  readonly isNamed: boolean
  /** Speaks of the people here: of whoever asks, or of what the assistant said. */
  readonly isPersonal: boolean
  readonly dates: readonly AskedDate[]
  readonly when: boolean
  readonly asked: Exclude<Asked, 'when'> | undefined
}

/** Of a document that comes with its question, the words of both ends; the rarest of them are chosen where their frequency is known. */
const CONCEPTS_MAX = 256
const CHARACTERS_MAX = 10_000
/** For what the question has another signal for: `2019` is looked for by the calendar, but may be the name of a thing. */
const ASIDE_WEIGHT = 0.5
/** Of a word that is only part of a date. */
export const FAINT_WEIGHT = 0.2
const SCAFFOLD_WEIGHT = 0.5
const PIECE_WEIGHT = 0.5
/** So few words are often a courtesy in any language. */
const COURTESY_WORDS_MAX = 4
/** Of a sum, a list or a percentage: "12 times 12" asks for nothing that was said about 12. */
const SMALL_NUMBER = /^\d{1,3}$/
const LATIN = /^[\u0000-\u024f]+$/
const SURE_STEM = 5
const ENDING_MAX = 2
const QUOTED = /"[^"]*"|“[^”]*”|«[^»]*»|「[^」]*」/gu
/** "How long" asks for a number, not for something long. */
const MEASURED =
  /\bhow (?:long|big|tall|old|far|often|high|deep|wide|large|small|heavy|fast|expensive|late|early)\b|\bwie (?:lang|gross|alt|weit|oft|hoch|tief|breit|teuer|schwer|schnell|spat)e?\b/gu
/** "Which browser" is answered by the name of one: the word itself need not occur. */
const CLASS =
  /\b(?:what|which|whose|welche[rsnm]?|quelle?s?|qual|cual|que|quale|какой|какая|какую|каком|welk|welke|vilken|vilket|hangi) (?:kind of |type of |sort of )?(\p{L}+)/gu
/** Of scripts without spaces, whose words depend on what stands around them. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{M}]+$/u
const OUR =
  /\b(?:we|our|ours|us)\b|(?<!\p{L})(?:wir|uns|unsere?[nmrs]?|nous|notre|nos|nosotros|nuestr[oa]s?|мы|нам|наш\p{L}*)(?!\p{L})|我们|私たち/iu
const SAID_BEFORE =
  /\b(?:did you|you (?:said|told|mentioned|recommended|suggested|wrote|gave|promised)|your (?:suggestion|recommendation|advice))\b/iu

/** Whether there is nothing to look for. */
export function isEmptyQuestion({ concepts, dates, asker, isNamed }: Question): boolean {
  return concepts.length === 0 && dates.length === 0 && !asker && !isNamed
}

/** Reads a question: words, speaker, dates, kind. Any string is a question; most of them ask for nothing. */
export function readQuestion(
  analyser: Analyser,
  text: string,
  { speakers, now }: { readonly speakers: readonly string[]; readonly now: number },
): Question {
  const question = bothEnds(text)
  const tokens = analyser.tokens(question)
  const language = analyser.language(question, tokens)
  const named = speakersIn(normaliseWord(question), speakers)
  const absolute = datesIn(question)
  const dates = absolute.length > 0 ? absolute : relativeDates(question, now)
  const asked = language.asked.find(([, pattern]) => pattern.test(question))?.[0]
  const told = question.replaceAll(QUOTED, ' ').replaceAll(GENERAL, ' ').replaceAll(ADDRESSED, ' ')
  const isPersonal = language.asker.test(told) || OUR.test(told) || SAID_BEFORE.test(question)
  const folded = normaliseWord(question)
  const measured = new Set([...folded.matchAll(MEASURED)].map(([words]) => words.split(' ')[1] ?? ''))
  const classes = new Set([...folded.matchAll(CLASS)].map(([, word = '']) => word))
  const concepts = conceptsOf(analyser, language, tokens, {
    named,
    dates,
    measured,
    classes,
    isPersonal: isPersonal || named.length > 0,
    isInvented: INVENTED.test(question),
  })
  return {
    concepts,
    hasContent: concepts.some(({ steers, isAside }) => !steers && !isAside),
    isNamed: named.length > 0,
    isPersonal,
    speaker: askedSpeaker(question, language, named),
    asker: language.asker.test(told),
    dates,
    when: language.asked.some(([kind, pattern]) => kind === 'when' && pattern.test(question)),
    asked: asked === 'when' ? undefined : asked,
  }
}

/** Long texts are pasted before the question as often as after it. */
function bothEnds(text: string): string {
  if (text.length <= CHARACTERS_MAX) return text
  return `${text.slice(0, CHARACTERS_MAX / 2)}\n${text.slice(-CHARACTERS_MAX / 2)}`
}

interface Known {
  readonly named: readonly string[]
  readonly dates: readonly AskedDate[]
  readonly measured: ReadonlySet<string>
  readonly classes: ReadonlySet<string>
  readonly isPersonal: boolean
  readonly isInvented: boolean
}

interface FoundWord extends Pick<Concept, 'forms' | 'weight' | 'isAside'> {
  readonly token: Token
}

/** Names and days have signals of their own, and stop words say nothing: they are words to look for only where there are no others. */
function conceptsOf(
  analyser: Analyser,
  language: LanguagePack,
  tokens: readonly Token[],
  known: Known,
): readonly Concept[] {
  const roleOf = rolesOf(analyser, known)
  const found = new Map<string, FoundWord>()
  // One or two words do not tell their language, and a question in one may ask for a word of another.
  const isSure = tokens.some((token) => analyser.terms(token, language).length === 0)
  const isSteeringWord = steering(language, isSure && tokens.length > COURTESY_WORDS_MAX)
  // "Who is Dag?" asks for somebody, though "dag" is a greeting elsewhere.
  const isAskedFor = (token: Token): boolean => isSure && token.name && token !== tokens[0]
  const isSteering = (token: Token): boolean => isSteeringWord(token) && !isAskedFor(token)
  const take = (token: Token, forms: readonly string[], weight?: number): void => {
    const [first] = forms
    if (first === undefined) return
    const before = found.get(first)
    // Put at the end again: of too many, the last are kept too.
    found.delete(first)
    const isAside = weight !== undefined
    found.set(first, before ?? { token, forms, isAside, weight: weight ?? weightOf(token, first, language) })
  }
  // Every language's stems of a word take long to make: only where they are needed.
  const conceptOf = ({ token, forms, weight, isAside }: FoundWord): Concept => {
    return {
      word: token.text,
      forms: isSure ? forms : [...new Set([...forms, ...analyser.anyForms(token)])],
      otherForms: () => (isSure ? analyser.anyForms(token).filter((stem) => isLikelyStem(stem, token.text)) : []),
      related: relatedForms(analyser, language, token),
      weight,
      // "What is the code?" may be anybody's; "what is my code?" asks for something said here.
      steers: !known.isPersonal && (isSteering(token) || (known.isInvented && !token.name)),
      worth: known.measured.has(token.text) ? 0 : isSteering(token) ? SCAFFOLD_WEIGHT : 1,
      isAside,
      isClass: known.classes.has(token.text),
      inCompounds: token.kind !== 'word' ? 'never' : language.compounds ? 'always' : isSure ? 'never' : 'missing',
    }
  }
  for (const token of tokens) {
    const role = roleOf(token)
    if (isJoinedOf(token, (part) => part.length === 1 || language.stopWords.has(part))) continue
    if (role === undefined) take(token, analyser.forms(token, language))
    if (role === 'aside') take(token, analyser.forms(token, language), ASIDE_WEIGHT)
  }
  if (![...found.values()].some(({ weight }) => weight === 1))
    for (const token of tokens) if (roleOf(token) === 'name') take(token, analyser.anyForms(token), ASIDE_WEIGHT)
  // Alone, a stop word of one language may be a word of another.
  const [only, ...more] = tokens.filter(({ kind }) => kind !== 'piece')
  if (found.size === 0 && only !== undefined && more.length === 0 && roleOf(only) !== 'date')
    take(only, analyser.anyForms(only), ASIDE_WEIGHT)
  // "Yesterday" alone asks for what was said then, and after that for messages with the word.
  if (found.size === 0)
    for (const token of tokens) if (roleOf(token) === 'date') take(token, analyser.forms(token, language), FAINT_WEIGHT)
  const all = faintAlone([...found.values()])
  const kept = all.length <= CONCEPTS_MAX ? all : [...all.slice(0, CONCEPTS_MAX / 2), ...all.slice(-CONCEPTS_MAX / 2)]
  const concepts = kept.map(conceptOf)
  // Pieces of words bring nothing where the words only steer.
  const isPiece = new Set(kept.flatMap(({ token }) => (token.kind === 'piece' ? [token.text] : [])))
  if (concepts.some(({ word, steers }) => !steers && !isPiece.has(word))) return concepts
  return concepts.map((concept) => ({ ...concept, steers: concept.steers || isPiece.has(concept.word) }))
}

/** `est-ce` and `a-t-il` are no names. */
function isJoinedOf({ kind, text }: Token, isSmall: (part: string) => boolean): boolean {
  return kind === 'exact' && text.includes('-') && text.split('-').every(isSmall)
}

/** "Between 10 and 20 May" asks for what was said then, and only after that for messages with the word. */
function faintAlone(found: readonly FoundWord[]): readonly FoundWord[] {
  if (found.some(({ isAside }) => !isAside)) return found
  return found.map((one) => (isCalendarName(one.token.text) ? { ...one, weight: FAINT_WEIGHT } : one))
}

/** The terms of the words that a word of the question may be told in, whatever form it has: those of visit for visited. */
function relatedForms(analyser: Analyser, language: LanguagePack, token: Token): readonly string[] {
  if (language.related === undefined || token.kind !== 'word' || token.name) return []
  const own = analyser.terms(token, language)
  const words =
    language.related.get(token.text) ?? own.flatMap((stem) => relatedByStem(analyser, language).get(stem) ?? [])
  return [...new Set(words.flatMap((word) => termsOf(analyser, language, word)))].filter((term) => !own.includes(term))
}

const byStem = new WeakMap<LanguagePack, ReadonlyMap<string, readonly string[]>>()

function relatedByStem(analyser: Analyser, language: LanguagePack): ReadonlyMap<string, readonly string[]> {
  const known = byStem.get(language)
  if (known !== undefined) return known
  const made = new Map<string, readonly string[]>()
  for (const [word, others] of language.related ?? [])
    for (const stem of termsOf(analyser, language, word)) made.set(stem, [...(made.get(stem) ?? []), ...others])
  byStem.set(language, made)
  return made
}

function termsOf(analyser: Analyser, language: LanguagePack, word: string): readonly string[] {
  return analyser.tokens(word).flatMap((token) => analyser.terms(token, language))
}

/** The name of a month or a weekday may be a word of what was said, as in "the exam is on Friday"; the other words of a date are not. */
function rolesOf(
  analyser: Analyser,
  { named, dates }: Pick<Known, 'named' | 'dates'>,
): (token: Token) => 'name' | 'date' | 'aside' | undefined {
  const names = new Set(named.flatMap((name) => name.split(/\s+/)))
  const calendar = dates.map(({ text }) => text).join(' ')
  const words = new Set([...calendar.split(/[^\p{L}\p{N}]+/u), ...analyser.tokens(calendar).map(({ text }) => text)])
  const years = new Set(dates.filter(({ grain }) => grain === 'year').map(({ text }) => text))
  return ({ text, kind }) => {
    if (names.has(text)) return 'name'
    const isOfDate = words.has(text) || (kind !== 'word' && UNSPACED.test(text) && calendar.includes(text))
    if (!isOfDate) return undefined
    return years.has(text) || isCalendarName(text) ? 'aside' : 'date'
  }
}

/** Read as Danish, `planets` is a form of `plan`: in a language that the question is not in, a short stem has a short ending. */
function isLikelyStem(stem: string, word: string): boolean {
  return stem.length >= SURE_STEM || word.length - stem.length <= ENDING_MAX
}

function isStopWordSomewhere(word: string): boolean {
  return packs.latin.some(({ stopWords }) => stopWords.has(word))
}

/** Which words steer. Those of other languages count where the language is not known for sure, or has no such words of its own. */
function steering({ steering: own, scaffold }: LanguagePack, isSure: boolean): (token: Token) => boolean {
  return ({ text, name }) => {
    if (SMALL_NUMBER.test(text)) return true
    if ((own.size === 0 || !isSure || !LATIN.test(text)) && (steeringElsewhere.has(text) || isStopWordSomewhere(text)))
      return true
    return !name && (own.has(text) || scaffold.has(text))
  }
}

function weightOf({ kind, text }: Token, term: string, language: LanguagePack): number {
  if (kind === 'piece') return PIECE_WEIGHT
  return isScaffold(text, term, language) ? SCAFFOLD_WEIGHT : 1
}

function isScaffold(word: string, term: string, { scaffold }: LanguagePack): boolean {
  return scaffold.has(word) || scaffold.has(term)
}

/** Speakers whose whole name, or whose first name where it is nobody else's, stands in the question. */
function speakersIn(question: string, speakers: readonly string[]): readonly string[] {
  const has = (name: string): boolean => {
    const at = ` ${question.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `
    return at.includes(` ${name} `)
  }
  return speakers.filter((name) => {
    if (has(name)) return true
    const [first = ''] = name.split(' ')
    return (
      first !== name &&
      first.length > 2 &&
      speakers.filter((other) => other.split(' ')[0] === first).length === 1 &&
      has(first)
    )
  })
}

function askedSpeaker(question: string, language: LanguagePack, named: readonly string[]): AskedSpeaker | undefined {
  const [name, ...more] = named
  if (name !== undefined) return more.length === 0 ? { name } : undefined
  const told = question.replaceAll(ADDRESSED, ' ')
  const [asker, assistant] = [language.asker.test(told), language.assistant.test(told)]
  if (asker === assistant) return undefined
  return { role: asker ? 'user' : 'assistant' }
}
