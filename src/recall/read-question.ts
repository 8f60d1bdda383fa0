import type { Analyser } from './analyser.ts'
import { fold } from './fold.ts'
import type { Asked, LanguagePack } from './languages/language-pack.ts'
import { type AskedDate, datesIn } from './question-dates.ts'
import type { Token } from './tokenise.ts'

/** One thing a question asks about: any of the forms counts as a mention of it. */
export interface Concept {
  /** As the question says it, folded. */
  readonly word: string
  readonly forms: readonly string[]
  /** 0.5 for words that frame a question rather than name its subject. */
  readonly weight: number
}

/** Who is asked about: a speaker by name, or the side of the conversation. */
export type AskedSpeaker = { readonly name: string } | { readonly role: 'user' | 'assistant' }

export interface Question {
  readonly concepts: readonly Concept[]
  readonly speaker: AskedSpeaker | undefined
  readonly dates: readonly AskedDate[]
  readonly when: boolean
  readonly asked: Exclude<Asked, 'when'> | undefined
}

/** A question of 10,000 characters is a document: its first hundred rarest words would find the same. */
const CONCEPTS_MAX = 64
const CHARACTERS_MAX = 10_000
const SCAFFOLD_WEIGHT = 0.5
const PIECE_WEIGHT = 0.5
/** "Can you …" speaks to the assistant, not about it. */
const ADDRESSED =
  /\b(?:can|could|would|will|do|did) you (?:please |kindly )?(?:tell|remember|recall|remind|find|show|give|help|list|explain|know)\b|\bkannst du\b|\bweißt du\b|你(?:知道|记得|能)/gi

/** Reads a question: words, speaker, dates, kind. Any string is a question; most of them ask for nothing. */
export function readQuestion(analyser: Analyser, text: string, speakers: readonly string[]): Question {
  const question = text.slice(0, CHARACTERS_MAX)
  const tokens = analyser.tokens(question)
  const language = analyser.language(question, tokens)
  const named = speakersIn(fold(question), speakers)
  const dates = datesIn(question)
  const asked = language.asked.find(([, pattern]) => pattern.test(question))?.[0]
  return {
    concepts: conceptsOf(analyser, language, tokens, { named, dates }),
    speaker: askedSpeaker(question, language, named),
    dates,
    when: language.asked.some(([kind, pattern]) => kind === 'when' && pattern.test(question)),
    asked: asked === 'when' ? undefined : asked,
  }
}

function conceptsOf(
  analyser: Analyser,
  language: LanguagePack,
  tokens: readonly Token[],
  known: { readonly named: readonly string[]; readonly dates: readonly AskedDate[] },
): readonly Concept[] {
  const names = new Set(known.named.flatMap((name) => name.split(/\s+/)))
  const dated = new Set(known.dates.flatMap(({ text }) => text.split(/[\s,.-]+/)))
  const concepts = new Map<string, Concept>()
  for (const token of tokens) {
    if (names.has(token.text)) continue
    if (dated.has(token.text)) continue
    const forms = analyser.forms(token, language)
    const [first] = forms
    if (first === undefined || concepts.has(first)) continue
    const weight = token.kind === 'piece' ? PIECE_WEIGHT : isScaffold(token.text, first, language) ? SCAFFOLD_WEIGHT : 1
    concepts.set(first, { word: token.text, forms, weight })
    if (concepts.size >= CONCEPTS_MAX) break
  }
  return [...concepts.values()]
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
