import type { Analyser } from './analyser.ts'
import { normaliseWord } from './normalise-word.ts'
import type { Asked, LanguagePack } from './languages/language-pack.ts'
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
/** "Can you …" speaks to the assistant, not about it. */
const ADDRESSED =
  /\b(?:can|could|would|will|do|did) you (?:please |kindly )?(?:tell|remember|recall|remind|find|show|give|help|list|explain|know)\b|\bkannst du\b|\bweißt du\b|你(?:知道|记得|能)/gi

const QUOTED = /"[^"]*"|“[^”]*”|«[^»]*»|「[^」]*」/gu
/** "How do I …" and "tell me …" speak of nobody here. */
const GENERAL =
  /\bhow (?:do|does|can|could|should|would) (?:i|you|we|one)\b|\b(?:tell|give|show|help|teach|explain to|write|draw|let|find|get|make) me\b|\bme (?:a|an|the|some)\b|(?<!\b(?:do|did|does|should|would|what|where|who|that) )\bi (?:want|need|would like|'d like) (?:you )?to\b|\bcan i\b/gi
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
      otherForms: () => (isSure ? analyser.anyForms(token) : []),
      related: relatedForms(analyser, language, token),
      weight,
      // "What is the code?" may be anybody's; "what is my code?" asks for something said here.
      steers: !known.isPersonal && isSteering(token, language),
      worth: known.measured.has(token.text) ? 0 : isSteering(token, language) ? SCAFFOLD_WEIGHT : 1,
      isAside,
      isClass: known.classes.has(token.text),
      inCompounds: token.kind !== 'word' ? 'never' : language.compounds ? 'always' : isSure ? 'never' : 'missing',
    }
  }
  for (const token of tokens) {
    const role = roleOf(token)
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
  const all = [...found.values()]
  const kept = all.length <= CONCEPTS_MAX ? all : [...all.slice(0, CONCEPTS_MAX / 2), ...all.slice(-CONCEPTS_MAX / 2)]
  return kept.map(conceptOf)
}

/** The terms of the words that a word of the question may be told in: those of its singular too. */
function relatedForms(analyser: Analyser, language: LanguagePack, { text, kind, name }: Token): readonly string[] {
  if (language.related === undefined || kind !== 'word' || name) return []
  const words = language.related.get(text) ?? language.related.get(text.replace(/s$/u, '')) ?? []
  return [
    ...new Set(words.flatMap((word) => analyser.tokens(word).flatMap((token) => analyser.terms(token, language)))),
  ]
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

function isSteering({ text, name }: Token, { steering, scaffold }: LanguagePack): boolean {
  return !name && (steering.has(text) || scaffold.has(text))
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
