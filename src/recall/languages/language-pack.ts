/** What a question asks for; a passage that has the matching cue is likelier to hold the answer. */
export type Asked = 'when' | 'duration' | 'count' | 'where' | 'who' | 'why' | 'title'

/** Signs in a text that it may answer a question of some kind. */
export interface CuePatterns {
  readonly time: RegExp
  readonly number: RegExp
  readonly place: RegExp
  readonly person: RegExp
  readonly cause: RegExp
  /** Global: its matches are counted. */
  readonly firstPerson: RegExp
}

/** What is known about a language: data only. Words are folded: lower case, without accents. */
export interface LanguagePack {
  readonly name: string
  /** Snowball's name of its stemmer; none for languages that do not inflect, or that have only `stems`. */
  readonly stemmer?: string
  /** All stems of a word, for a language whose stemmer is not enough. `stem` is the stemmer, or returns the word unchanged. */
  readonly stems?: (word: string, stem: (word: string) => string) => readonly string[]
  /** Letters that among these languages only this one uses. A word with one of them counts like a stop word. */
  readonly letters?: RegExp
  /** Writes compounds as one word: a question word is also found as the beginning or end of a longer word. */
  readonly compounds?: true
  /** Words that say nothing about what a text is about. Also how the language is recognised. */
  readonly stopWords: ReadonlySet<string>
  /** Words that frame a question rather than name its subject: half weight. */
  readonly scaffold: ReadonlySet<string>
  /** Words that steer a conversation, and tasks for a model: alone they are no reason to look into a memory. */
  readonly steering: ReadonlySet<string>
  /** Irregular form to its bases, as no stemmer finds them. `lives` has two: life and live. */
  readonly irregular: ReadonlyMap<string, readonly string[]>
  /** For a word of a question, other words in which the answer may be told. */
  readonly related?: ReadonlyMap<string, readonly string[]>
  readonly months: ReadonlyMap<string, number>
  /** First month of a season: three months from there. */
  readonly seasons: ReadonlyMap<string, number>
  /** German writes every noun with a capital: there it tells nothing. */
  readonly capitalsAreNames: boolean
  readonly cues: CuePatterns
  /** Tried in this order; the first that matches is the kind. `when` is a kind of its own beside the others. */
  readonly asked: readonly (readonly [kind: Asked, pattern: RegExp])[]
  /** The asker speaks of himself, or of the assistant. */
  readonly asker: RegExp
  readonly assistant: RegExp
}

/** Matches nothing. */
export const NEVER: RegExp = /(?!)/g

export function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/).filter((word) => word !== ''))
}

/** One `base: form form` per line. A form that is also a word of its own is listed under its own name too: `saw: saw`. */
export function forms(list: string): ReadonlyMap<string, readonly string[]> {
  const map = new Map<string, readonly string[]>()
  for (const line of list.split('\n')) {
    const [base = '', rest = ''] = line.split(':')
    for (const form of wordSet(rest)) map.set(form, [...(map.get(form) ?? []), base.trim()])
  }
  return map
}

/** One `word = word word` (each means the others) or `word: word word` (the first means the others) per line. */
export function related(list: string): ReadonlyMap<string, readonly string[]> {
  const map = new Map<string, readonly string[]>()
  const add = (word: string, others: Iterable<string>): void => {
    map.set(word, [...new Set([...(map.get(word) ?? []), ...others])])
  }
  for (const line of list.split('\n')) {
    const words = [...wordSet(line.replace(/[=:]/, ' '))]
    const [first = '', ...others] = words
    if (line.includes('='))
      for (const word of words)
        add(
          word,
          words.filter((other) => other !== word),
        )
    else if (first !== '') add(first, others)
  }
  return map
}

export function numbered(list: string, from: number, step: number): ReadonlyMap<string, number> {
  const map = new Map<string, number>()
  for (const [index, line] of list.trim().split('\n').entries())
    for (const word of wordSet(line)) map.set(word, from + index * step)
  return map
}
