import { normaliseWord } from './normalise-word.ts'

/** One word of a text as it is indexed. */
export interface Token {
  readonly text: string
  /** `word` is stemmed; `exact` stands as it is (identifiers, numbers, words of scripts without spaces); `piece` is one of the overlapping pairs of such scripts. */
  readonly kind: 'word' | 'exact' | 'piece'
  /** Written with a capital inside a sentence: a name, even where the same letters are a stop word. */
  readonly name: boolean
}

/** A longer run of letters is data, not a word: nobody asks for it, and it would fill the index. */
const WORD_CHARACTERS_MAX = 64
const IDENTIFIER_CHARACTERS_MAX = 200

// A chunk is what stands between spaces and sentence marks. Single connectors keep `src/log/append.ts`, `ERR-7731` and
// `ada@example.com` in one piece; `yes...and` comes apart.
const CHUNK =
  /[\p{L}\p{M}\p{N}_]+(?:(?:[-./\\@:#+&'’=]|::|:\/\/)[\p{L}\p{M}\p{N}_]+)*|\p{Extended_Pictographic}|\p{RI}{2}/gu
const PART = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu
const CONNECTED = /[-./\\@:#+&_=]/
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〆\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{M}]+/gu
const ANY_UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** Scripts whose words a dictionary may part in another way in another sentence: pairs of characters find them all the same. */
const PAIRED = /[\p{Script=Han}\p{Script=Katakana}ー々\p{Script=Hangul}]{2,}/gu
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const CAMEL = /(?<=[\p{Ll}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u
/** French and Italian: the little word before the apostrophe is not part of the word behind it. */
const ELISION = /^(?:[cdjlmnst]|(?:jus|lors|puis|quoi)?qu|(?:a|de|ne|su|da)ll|un|que(?:ll|st))['’](?=\p{L}{2})/iu
/** Turkish: a suffix behind a name. */
const SUFFIX = /(?<=^\p{Lu}\p{L}+)['’](?:[dt][ae](?:n|ki)?|[yn]?[aeiıuü]|n?[iıuü]n|l[iıuü]|y?l[ae]|l[ae]r)$/u
const CLITIC = /['’](?:s|d|m|ll|re|ve)$/
const MIXED = /\p{Ll}\p{Lu}|\p{L}\p{N}|\p{N}\p{L}/u
const LOWER = /^[a-z]+$/
const PLAIN = /^[A-Z][a-z]+$/
const SENTENCE_START = /(?:^|[.!?。！？\n"“„«¿¡(*]\s{0,2}|-\s{1,2})$/

const DIGITS_APART = /\d[ \-/.()]{1,2}\d|\d{8}|[A-Z]{2}\d{2} /
/** Groups of digits, or of an IBAN, with single separators between them; never more than a line of them. */
const DIGIT_RUN =
  /(?<![\p{L}\p{N}])(?:[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?|\+?\(?\d{1,12}\)?(?:[ \-/.]\(?\d{1,12}\)?){0,8})(?![\p{L}\p{N}])/gu
const JOINED_MIN = 7

/** Parts text into words by script. Keeps the segmenters, which are slow to make. */
export function tokeniser(): (text: string) => readonly Token[] {
  const segmenters = new Map<string, Intl.Segmenter>()
  const segment = (locale: string, run: string): Iterable<Intl.SegmentData> => {
    let segmenter = segmenters.get(locale)
    if (segmenter === undefined) {
      segmenter = new Intl.Segmenter(locale, { granularity: 'word' })
      segmenters.set(locale, segmenter)
    }
    return segmenter.segment(run)
  }
  return (text) => {
    const tokens: Token[] = []
    const unspaced = ANY_UNSPACED.test(text)
    const locale = KANA.test(text) ? 'ja' : 'zh'
    for (const match of text.matchAll(CHUNK)) {
      const [chunk] = match
      if (unspaced && ANY_UNSPACED.test(chunk)) {
        for (const run of chunk.matchAll(UNSPACED)) addAll(tokens, unspacedTokens(run[0], segment(locale, run[0])))
        addAll(tokens, spacedTokens(chunk.replaceAll(UNSPACED, ' '), false))
      } else if (LOWER.test(chunk)) {
        // Most words of most texts: nothing in them has to be taken apart, and none is a name.
        if (chunk.length <= WORD_CHARACTERS_MAX) tokens.push({ text: chunk, kind: 'word', name: false })
      } else addAll(tokens, spacedTokens(chunk, startsSentence(text, match.index)))
    }
    addAll(tokens, joinedDigits(text))
    return tokens
  }
}

/** One by one: a call cannot take a hundred thousand arguments. */
function addAll(tokens: Token[], more: readonly Token[]): void {
  for (const token of more) tokens.push(token)
}

/** Telephone numbers, IBANs and cards are written with and without blanks: joined, both are the same. */
function joinedDigits(text: string): readonly Token[] {
  if (!DIGITS_APART.test(text)) return []
  const tokens: Token[] = []
  for (const [run] of text.matchAll(DIGIT_RUN)) {
    const joined = run.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase()
    if (joined.length < JOINED_MIN || joined.length > WORD_CHARACTERS_MAX) continue
    tokens.push({ text: joined, kind: 'exact', name: false })
    // Without the prefix of a country or a city it is the same telephone.
    if (/^\d+$/.test(joined) && joined.length > JOINED_MIN)
      tokens.push({ text: joined.slice(-JOINED_MIN), kind: 'exact', name: false })
  }
  return tokens
}

function startsSentence(text: string, index: number): boolean {
  return SENTENCE_START.test(text.slice(Math.max(0, index - 3), index))
}

/** The words of a chunk; and the chunk as a whole, with the parts of its parts, when it is more than one word. */
function spacedTokens(chunk: string, first: boolean): readonly Token[] {
  if (PLAIN.test(chunk)) {
    const text = chunk.toLowerCase()
    return chunk.length <= WORD_CHARACTERS_MAX ? [{ text, kind: 'word', name: !first && text !== chunk }] : []
  }
  const tokens: Token[] = []
  for (const [whole] of chunk.matchAll(PART)) {
    const raw = whole.replace(ELISION, '')
    const name = raw.replace(SUFFIX, '')
    // `Hawai'i` has the look of such a name: the whole stands too.
    if (name !== raw) tokens.push({ text: normaliseWord(name), kind: 'word', name: !first && isName(name) })
    const word = normaliseWord(raw).replace(CLITIC, '').replaceAll(/['’]/g, '')
    const kind = /\p{N}/u.test(word) ? 'exact' : 'word'
    if (word !== '' && word.length <= WORD_CHARACTERS_MAX)
      tokens.push({ text: word, kind, name: !first && isName(raw) })
    if (MIXED.test(raw))
      for (const piece of raw.split(CAMEL))
        if (piece.length > 1 && piece.length < raw.length && piece.length <= WORD_CHARACTERS_MAX)
          tokens.push({ text: normaliseWord(piece), kind: /\p{N}/u.test(piece) ? 'exact' : 'word', name: false })
  }
  if (tokens.length > 1 && CONNECTED.test(chunk) && chunk.length <= IDENTIFIER_CHARACTERS_MAX)
    tokens.push({ text: normaliseWord(chunk), kind: 'exact', name: false })
  if (tokens.length === 0 && /\p{Extended_Pictographic}|\p{RI}/u.test(chunk))
    tokens.push({ text: chunk, kind: 'exact', name: false })
  return tokens
}

function isName(raw: string): boolean {
  return raw.length > 1 && /^\p{Lu}[\p{L}]/u.test(raw) && !/['’](?!s$)/.test(raw)
}

function unspacedTokens(run: string, segments: Iterable<Intl.SegmentData>): readonly Token[] {
  const tokens: Token[] = []
  const whole = new Set<string>()
  for (const { segment, isWordLike } of segments) {
    if (isWordLike !== true || segment.length > WORD_CHARACTERS_MAX) continue
    const text = normaliseWord(segment)
    whole.add(text)
    tokens.push({ text, kind: 'exact', name: false })
  }
  for (const [stretch] of run.matchAll(PAIRED)) {
    const characters = [...stretch]
    for (let at = 0; at + 1 < characters.length; at++) {
      const pair = normaliseWord(`${characters[at]}${characters[at + 1]}`)
      if (!whole.has(pair)) tokens.push({ text: pair, kind: 'piece', name: false })
    }
  }
  return tokens
}
