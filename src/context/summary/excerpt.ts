import { neutralise } from './marker.ts'

const HEAD_LINES_MAX = 6
const TAIL_LINES_MAX = 3
/** Of what is shown, how much is from the beginning: it says what a text is; the end says how it came out. */
const HEAD_SHARE = 2 / 3
/** A longer run without a blank is no word, or one of a script without blanks. */
const WORD_CHARACTERS_MAX = 24

/** The first characters of a text, at most `charactersMax` of them, and never half of a surrogate pair. */
export function firstCharacters(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text
  const end = Math.max(0, charactersMax)
  return text.slice(0, splitsPair(text, end) ? end - 1 : end)
}

/** The last characters of a text, at most `charactersMax` of them, and never half of a surrogate pair. */
export function tailOf(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text
  const start = text.length - Math.max(0, charactersMax)
  return text.slice(splitsPair(text, start) ? start + 1 : start)
}

/** A text within a bound: whole, or its beginning and its end with `…` between. Words are not cut, unless they are very long. */
export function clip(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text
  const room = Math.max(0, charactersMax - 3)
  const head = wholeWords(text, Math.ceil(room * HEAD_SHARE))
  const tail = wholeLastWords(text, Math.floor(room * (1 - HEAD_SHARE)))
  return tail === '' ? `${firstCharacters(text, charactersMax - 1)}…` : `${head} … ${tail}`
}

/** The first characters of a text up to the end of a word. */
function wholeWords(text: string, charactersMax: number): string {
  const cut = firstCharacters(text, charactersMax)
  if (isBlank(text[cut.length])) return cut.trimEnd()
  const last = cut.slice(-WORD_CHARACTERS_MAX)
  const blank = Math.max(last.lastIndexOf(' '), last.lastIndexOf('\n'), last.lastIndexOf('\t'))
  return (blank >= 0 ? cut.slice(0, cut.length - last.length + blank) : cut).trimEnd()
}

/** The last characters of a text from the beginning of a word. */
function wholeLastWords(text: string, charactersMax: number): string {
  const cut = tailOf(text, charactersMax)
  if (isBlank(text[text.length - cut.length - 1])) return cut.trimStart()
  const start = cut.slice(0, WORD_CHARACTERS_MAX).search(/\s/)
  return (start >= 0 ? cut.slice(start) : cut).trimStart()
}

function isBlank(character: string | undefined): boolean {
  return character === undefined || /\s/.test(character)
}

/** Where a text's middle begins and ends if only so many characters of it may stay. Cuts between lines, items or words where it can. */
export function headAndTail(text: string, charactersMax: number): { readonly head: string; readonly tail: string } {
  const first = firstCharacters(text, Math.ceil(charactersMax * HEAD_SHARE))
  const head = first.slice(0, endOfPiece(first, text[first.length]))
  if (text.length <= charactersMax) return { head, tail: text.slice(head.length) }
  const last = tailOf(text, Math.min(charactersMax - head.length, text.length - head.length))
  return { head, tail: last.slice(startOfPiece(last, text[text.length - last.length - 1])) }
}

/** Of the last characters before a cut, and of the first after one: where a line, an item of a list or a word ends. */
const SEAMS: readonly (readonly [mark: RegExp, characters: number])[] = [
  [/\n/g, 160],
  [/[,;](?!\d)/g, 80],
  [/\s/g, WORD_CHARACTERS_MAX],
]

function endOfPiece(head: string, next: string | undefined): number {
  if (next === undefined || /\s/.test(next)) return head.length
  for (const [mark, characters] of SEAMS) {
    // At most a quarter: of a short text, the words count for more than where they end.
    const from = head.length - Math.min(characters, Math.floor(head.length / 4))
    const last = [...head.slice(from).matchAll(mark)].at(-1)
    if (last !== undefined) return from + last.index + (/\s/.test(last[0]) ? 0 : 1)
  }
  return head.length
}

function startOfPiece(tail: string, before: string | undefined): number {
  if (before === undefined || /\s/.test(before)) return 0
  for (const [mark, characters] of SEAMS) {
    const first = tail.slice(0, Math.min(characters, Math.floor(tail.length / 4))).search(mark)
    if (first >= 0) return first + 1
  }
  return 0
}

/**
 * The first and last lines of a text, quoted: each begins with `> `, so that none can pass for a line of the stub they
 * stand in. About `charactersMax` characters and at most nine lines; blank lines are not shown.
 */
export function preview(text: string, charactersMax: number): string {
  const { head, tail } = headAndTail(text, charactersMax)
  const first = linesOf(head).slice(0, HEAD_LINES_MAX)
  if (head.length + tail.length >= text.length && first.length === linesOf(head).length) {
    return quoted([...first, ...linesOf(tail)].slice(0, HEAD_LINES_MAX + TAIL_LINES_MAX))
  }
  return quoted([...first, '…', ...linesOf(tail).slice(-TAIL_LINES_MAX)])
}

function linesOf(text: string): readonly string[] {
  return text.split(/[\r\n\u0085\u2028\u2029]/).filter((line) => line.trim() !== '')
}

function quoted(lines: readonly string[]): string {
  return lines.map((line) => `> ${neutralise(line)}`).join('\n')
}

/** Half of a surrogate pair is no character. */
export function splitsPair(text: string, at: number): boolean {
  return isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at))
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
