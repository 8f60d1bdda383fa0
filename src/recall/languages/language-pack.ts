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
  /** Snowball's name of its stemmer; none for languages that do not bend their words. */
  readonly stemmer?: string
  /** Words that say nothing about what a text is about. Also how the language is recognised. */
  readonly stopWords: ReadonlySet<string>
  /** Words that frame a question rather than name its subject: half weight. */
  readonly scaffold: ReadonlySet<string>
  /** Irregular form to its base: what no stemmer knows. */
  readonly irregular: ReadonlyMap<string, string>
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
export const NEVER: RegExp = /(?!)/

export function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/).filter((word) => word !== ''))
}

/** `base: form form` a line. */
export function forms(list: string): ReadonlyMap<string, string> {
  const map = new Map<string, string>()
  for (const line of list.split('\n')) {
    const [base = '', rest = ''] = line.split(':')
    for (const form of wordSet(rest)) map.set(form, base.trim())
  }
  return map
}

export function numbered(list: string, from: number, step: number): ReadonlyMap<string, number> {
  const map = new Map<string, number>()
  for (const [index, line] of list.trim().split('\n').entries())
    for (const word of wordSet(line)) map.set(word, from + index * step)
  return map
}
