const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const VALUES: ReadonlyMap<string, number> = new Map([
  ...SMALL.map((word, value) => [word, value] as const),
  ...TENS.map((word, index) => [word, (index + 2) * 10] as const),
])
const SCALES: ReadonlyMap<string, number> = new Map([
  ['hundred', 100],
  ['thousand', 1_000],
  ['million', 1_000_000],
])
const FIGURE = /(?<![\p{L}\d])\d{1,3}(?:[,.'’ ]\d{3})+(?!\d)|\d+(?:\.\d+)?/gu
const WORDS = /\p{L}+/gu

/** The numbers of a text, however they are written: `3,000`, `3k`, `three thousand`, `3rd`. As digits. */
export function numbersIn(text: string): ReadonlySet<string> {
  const lower = text.toLowerCase()
  const found = new Set<string>()
  for (const { 0: figure, index } of lower.matchAll(FIGURE)) {
    const digits = /^\d{1,3}(?:[,.'’ ]\d{3})+$/u.test(figure) ? figure.replaceAll(/\D/gu, '') : figure
    found.add(digits)
    if (/^k(?![\p{L}\d])/u.test(lower.slice(index + figure.length))) found.add(String(Number(digits) * 1_000))
  }
  let [sum, part, open] = [0, 0, false]
  for (const word of [...(lower.match(WORDS) ?? []), '']) {
    const [value, scale] = [VALUES.get(word), SCALES.get(word)]
    if (value !== undefined) part += value
    else if (scale !== undefined && open) [sum, part] = scale === 100 ? [sum, part * 100] : [sum + part * scale, 0]
    else if (open && word !== 'and') {
      found.add(String(sum + part))
      ;[sum, part, open] = [0, 0, false]
    }
    open ||= value !== undefined
  }
  return found
}
