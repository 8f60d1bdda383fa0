/** Merging the pairs of one piece is quadratic in its bytes; at this length it is still a few microseconds. */
const PIECE_BYTES_MAX = 256

const MARK = 0
const LETTER = 1
const NUMBER = 2
const SPACE = 3
const OTHER = 4
const SURROGATE = 5

/** Built when an exact tokenizer is loaded, and only then. */
const CLASSES: Uint8Array = buildClasses()
const NONE: readonly number[] = []

/**
 * Where to cut a text so that no piece of it that a tokenizer merges as a whole is over-long.
 *
 * Both encodings first split a text into pieces, and every piece lies within two neighbouring runs of letters,
 * of punctuation or of white space (marks belong to either; numbers are cut into threes). So a text without a run of
 * more than 256 bytes needs no cut, and its count stays exact.
 */
export function longRunCuts(text: string): readonly number[] {
  // No text so short has a long run, as a code unit is at most three bytes.
  if (text.length * 3 <= PIECE_BYTES_MAX) return NONE
  const cuts: number[] = []
  let run = OTHER
  let bytes = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    let kind = CLASSES[code] ?? OTHER
    let size = code < 0x80 ? 1 : code < 0x800 ? 2 : 3
    let units = 1
    if (kind === SURROGATE) {
      const point = text.codePointAt(index) ?? code
      kind = point > 0xffff ? classOf(String.fromCodePoint(point)) : OTHER
      if (point > 0xffff) size = 4
      if (point > 0xffff) units = 2
    }
    if (kind === NUMBER || (kind !== MARK && kind !== run)) {
      run = kind
      bytes = 0
    }
    if (bytes + size > PIECE_BYTES_MAX) {
      cuts.push(index)
      bytes = 0
    }
    bytes += size
    index += units - 1
  }
  return cuts
}

function classOf(character: string): number {
  if (/\p{L}/u.test(character)) return LETTER
  if (/\p{M}/u.test(character)) return MARK
  if (/\p{N}/u.test(character)) return NUMBER
  if (/\s/u.test(character)) return SPACE
  return OTHER
}

function buildClasses(): Uint8Array {
  const classes = new Uint8Array(0x10000).fill(OTHER)
  const units = Array.from({ length: 0x10000 }, (_, code) => (code >= 0xd800 && code <= 0xdfff ? 0x20 : code))
  const all = units.map((code) => String.fromCharCode(code)).join('')
  const kinds = [/\p{L}+/gu, /\p{M}+/gu, /\p{N}+/gu, /\s+/gu]
  for (const [position, kind] of [LETTER, MARK, NUMBER, SPACE].entries()) {
    for (const match of all.matchAll(kinds[position] ?? /$^/gu))
      classes.fill(kind, match.index, match.index + match[0].length)
  }
  return classes.fill(SURROGATE, 0xd800, 0xe000)
}
