import { normaliseWord } from './normalise-word.ts'
import {
  ambiguousMonths,
  anyOf,
  holidays,
  monthsElsewhere,
  seasonsElsewhere,
  weekdays,
} from './languages/calendar-words.ts'
import { packs } from './languages/index.ts'

/** A stretch of days that a question names, in UTC milliseconds; `to` is exclusive. */
export interface AskedDate {
  readonly grain: 'day' | 'month' | 'season' | 'year'
  /** Without a year the same days of every year are meant: `from` and `to` are then those of the year 2000. */
  readonly yearly: boolean
  readonly from: number
  readonly to: number
  /** As written in the question. */
  readonly text: string
}

const DAY_MS = 86_400_000
/** Any year would do; a leap year has all days. */
const YEAR_OF_NONE = 2000
const TEXT_MAX = 10_000

const calendar = [
  packs.english,
  ...packs.latin.filter(({ months }) => months.size > 0 && months !== packs.english.months),
]
const months = new Map([...monthsElsewhere, ...calendar.flatMap((pack) => [...pack.months])])
const seasons = new Map([...seasonsElsewhere, ...calendar.flatMap((pack) => [...pack.seasons])])
const monthNames = [...months.keys()].toSorted((a, b) => b.length - a.length).join('|')
const seasonNames = [...seasons.keys()].toSorted((a, b) => b.length - a.length).join('|')
const clearMonths = anyOf([...months.keys()].filter((name) => !ambiguousMonths.has(name)))

const YEAR = '((?:19|20)\\d{2})'
const START = '(?<![\\p{L}\\p{N}])'
const END = '(?![\\p{L}\\p{N}])'
const CHINESE_NUMERALS = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '十一', '十二']
/** Written with a suffix instead of a preposition. */
const TURKISH = 'ocak|subat|mart|nisan|mayis|haziran|temmuz|agustos|eylul|ekim|kasim|aralik'
const NTH = '(?:st|nd|rd|th|er|\\.|º)?'
const OF = '(?: of| de| d[ei])?'
const patterns: readonly (readonly [RegExp, (found: RegExpMatchArray) => AskedDate | undefined])[] = [
  [
    new RegExp(
      `${START}(?:between|from|zwischen|vom|entre|du|del|с|dal)?(?: the| le| el| il)? ?(\\d{1,2})${NTH}(?:(?: and | to | until | und | bis(?: zum)? | et | au | y | e | al | по )(?:the |le |el )?| ?[-–] ?)(\\d{1,2})${NTH}${OF} (${monthNames})${END}(?:${OF},? ${YEAR})?`,
      'gu',
    ),
    ([text, first, last, m, y]) => {
      const [from, to] = [first, last].map((d) => day(text, optional(y), months.get(m ?? ''), Number(d)))
      return from === undefined || to === undefined ? undefined : { ...from, grain: 'month', to: to.to }
    },
  ],
  [
    new RegExp(
      `${START}(?:between|from|zwischen|von|entre|de|с|da) (${monthNames})(?: and | to | until | und | bis | et | a | y | e | по )(${monthNames})${END}${OF},? ${YEAR}`,
      'gu',
    ),
    ([text, first, last, y]) => {
      const [from, to] = [first, last].map((name) => month(text, optional(y), months.get(name ?? '') ?? 0))
      return from === undefined || to === undefined || to.to < from.from ? undefined : { ...from, to: to.to }
    },
  ],
  [
    // The day first, as most of the world writes it, unless that cannot be.
    /(?<![\d/])(\d{1,2})\/(\d{1,2})\/((?:19|20)\d{2})(?![\d/])/g,
    ([text, a, b, y]) => day(text, Number(y), Number(b), Number(a)) ?? day(text, Number(y), Number(a), Number(b)),
  ],
  [
    /(?<![\d/.])((?:19|20)\d{2})[/.](\d{1,2})[/.](\d{1,2})(?![\d/])/g,
    ([text, y, m, d]) => day(text, Number(y), Number(m), Number(d)),
  ],
  [
    new RegExp(`(${anyOf(holidays.keys())})(?:,? ${YEAR})?`, 'gu'),
    ([text, name, y]) => {
      const [m, d] = holidays.get(name ?? '') ?? [0, 0]
      return day(text, optional(y), m, d)
    },
  ],
  [
    /(?:((?:19|20)\d{2})年)?(?<![一二三四五六七八九十\d])(十[一二]|[一二三四五六七八九十])月(?!\p{Script=Han}?[号日])/gu,
    ([text, y, name]) => month(text, optional(y), CHINESE_NUMERALS.indexOf(name ?? '') + 1),
  ],
  [/\b((?:19|20)\d{2})-(\d{1,2})-(\d{1,2})\b/g, ([text, y, m, d]) => day(text, Number(y), Number(m), Number(d))],
  [
    /(?:((?:19|20)\d{2}) ?[年년] ?)?(?<!\d)(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日号일]/gu,
    ([text, y, m, d]) => day(text, optional(y), Number(m), Number(d)),
  ],
  [/(?:((?:19|20)\d{2}) ?[年년] ?)?(?<!\d)(\d{1,2}) ?[月월]/gu, ([text, y, m]) => month(text, optional(y), Number(m))],
  [/((?:19|20)\d{2}) ?[年년]/gu, ([text, y]) => year(text, Number(y))],
  [
    /\b(\d{1,2})\.\s?(\d{1,2})\.\s?((?:19|20)\d{2})\b/g,
    ([text, d, m, y]) => day(text, Number(y), Number(m), Number(d)),
  ],
  [/(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.(?![\d\p{L}])/gu, ([text, d, m]) => day(text, undefined, Number(m), Number(d))],
  [
    new RegExp(`${START}(${monthNames})\\.? (\\d{1,2})${NTH}(?![\\p{L}\\d])(?:,? ${YEAR})?`, 'gu'),
    ([text, m, d, y]) => day(text, optional(y), months.get(m ?? ''), Number(d)),
  ],
  [
    new RegExp(`${START}(\\d{1,2})${NTH}${OF} (${monthNames})${END}\\.?(?:${OF},? ${YEAR})?`, 'gu'),
    ([text, d, m, y]) => day(text, optional(y), months.get(m ?? ''), Number(d)),
  ],
  [
    new RegExp(`${START}(${monthNames})${END}\\.?${OF},? ${YEAR}(?!\\d)`, 'gu'),
    ([text, m, y]) => month(text, Number(y), months.get(m ?? '') ?? 0),
  ],
  [
    new RegExp(`(?<!\\d)${YEAR} (${monthNames})${END}`, 'gu'),
    ([text, y, m]) => month(text, Number(y), months.get(m ?? '') ?? 0),
  ],
  [
    new RegExp(`${START}(${seasonNames})${END}${OF},? ${YEAR}(?!\\d)`, 'gu'),
    ([text, name, y]) => season(text, Number(y), seasons.get(name ?? '') ?? 0),
  ],
  [
    new RegExp(`(?<!\\d)${YEAR} ?年? ?(${[...seasonsElsewhere.keys()].join('|')}|[春夏秋冬])`, 'gu'),
    ([text, y, name = '']) => season(text, Number(y), seasons.get(name) ?? 3 + 3 * '春夏秋冬'.indexOf(name)),
  ],
  [
    new RegExp(`(?:${START}(?:in|during|im|en|em|au|w|в)(?: the| el| o)? |^)(${seasonNames})(?=[\\s?!.]*$|,? )`, 'gu'),
    ([text, name]) => season(text, undefined, seasons.get(name ?? '') ?? 0),
  ],
  [/(?<![\p{L}\p{N}])q([1-4]) ((?:19|20)\d{2})(?!\d)/gu, ([text, q, y]) => season(text, Number(y), 3 * Number(q) - 2)],
  [
    // Alone, `may` and `march` are verbs; after a preposition, or as the whole question, they are months.
    new RegExp(
      `${START}(?:in|during|of|since|until|last|this|early|late|mid|im|seit|letzten|en|em|nel|w|v|au mois de|в|с) (${monthNames})${END}`,
      'gu',
    ),
    ([text, m]) => month(text, undefined, months.get(m ?? '') ?? 0),
  ],
  [new RegExp(`^\\s*(${monthNames})[\\s?!.]*$`, 'gu'), ([text, m]) => month(text, undefined, months.get(m ?? '') ?? 0)],
  [
    new RegExp(`${START}(${TURKISH})(?:['’]?[dt][ae](?:n|ki)?| ayi(?:nda|n)?)${END}`, 'gu'),
    ([text, m]) => month(text, undefined, months.get(m ?? '') ?? 0),
  ],
  [new RegExp(`(${clearMonths})(?! ?\\d)`, 'gu'), ([text, m]) => month(text, undefined, months.get(m ?? '') ?? 0)],
  [new RegExp(`(?<![\\p{L}\\p{N}])${YEAR}(?![\\p{L}\\p{N}])`, 'gu'), ([text, y]) => year(text, Number(y))],
]

/** The absolute dates in a question: a day, a day without year, a month with or without year, a season with year, a year. */
export function datesIn(question: string): readonly AskedDate[] {
  let rest = normaliseWord(question.slice(0, TEXT_MAX))
  const dates: AskedDate[] = []
  for (const [pattern, read] of patterns) {
    rest = rest.replaceAll(pattern, (...found) => {
      const date = read(found.slice(0, -2) as unknown as RegExpMatchArray)
      if (date === undefined) return String(found[0])
      dates.push(date)
      return ' '.repeat(String(found[0]).length)
    })
  }
  return dates
}

/** Whether a word is the name of a month or a weekday. */
export function isCalendarName(word: string): boolean {
  return months.has(word) || weekdays.some((names) => names.includes(word))
}

function optional(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

function day(text: string | undefined, y: number | undefined, m: number | undefined, d: number): AskedDate | undefined {
  if (m === undefined || m < 1 || m > 12 || d < 1 || d > 31) return undefined
  const from = Date.UTC(y ?? YEAR_OF_NONE, m - 1, d)
  return { grain: 'day', yearly: y === undefined, from, to: from + DAY_MS, text: text ?? '' }
}

function month(text: string | undefined, y: number | undefined, m: number): AskedDate | undefined {
  if (m < 1 || m > 12) return undefined
  const base = y ?? YEAR_OF_NONE
  return {
    grain: 'month',
    yearly: y === undefined,
    from: Date.UTC(base, m - 1),
    to: Date.UTC(base, m),
    text: text ?? '',
  }
}

function season(text: string | undefined, y: number | undefined, m: number): AskedDate {
  const base = y ?? YEAR_OF_NONE
  return {
    grain: 'season',
    yearly: y === undefined,
    from: Date.UTC(base, m - 1),
    to: Date.UTC(base, m + 2),
    text: text ?? '',
  }
}

function year(text: string | undefined, y: number): AskedDate {
  return { grain: 'year', yearly: false, from: Date.UTC(y, 0), to: Date.UTC(y + 1, 0), text: text ?? '' }
}

/** The stretch nearest to a moment: of a yearly date, the one in that moment's year or beside it. */
export function occurrence(date: AskedDate, at: number): { readonly from: number; readonly to: number } {
  if (!date.yearly) return date
  const here = new Date(at).getUTCFullYear()
  let best: { from: number; to: number } | undefined
  for (const y of [here - 1, here, here + 1]) {
    const shift = Date.UTC(y, new Date(date.from).getUTCMonth(), new Date(date.from).getUTCDate())
    const one = { from: shift, to: shift + (date.to - date.from) }
    if (best === undefined || distance(one, at) < distance(best, at)) best = one
  }
  return best ?? date
}

function distance({ from, to }: { readonly from: number; readonly to: number }, at: number): number {
  return at < from ? from - at : at >= to ? at - to + 1 : 0
}

/** How well a moment fits the dates asked for; the weights are part of the recipe (exact day 1, month 0.8, year 0.2, falling off). */
export function dateScore(dates: readonly AskedDate[], at: number): number {
  let [days, wider, years] = [0, 0, 0]
  for (const date of dates) {
    const { from, to } = occurrence(date, at)
    const after = (at - to) / DAY_MS
    const before = (from - at) / DAY_MS
    const within = at >= from && at < to
    if (date.grain === 'day')
      days = Math.max(
        days,
        within ? 1 : after >= 0 ? 0.7 * Math.exp(-(after + 1) / 7) : 0.3 * Math.exp(-(before + 1) / 3),
      )
    else if (date.grain === 'year') years = Math.max(years, within ? 1 : 0)
    else wider = Math.max(wider, within ? 1 : after >= 0 ? 0.5 * Math.exp(-after / 15) : 0)
  }
  return days + 0.8 * wider + 0.2 * years
}
