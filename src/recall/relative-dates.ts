import {
  type CalendarUnit,
  agoPatterns,
  anyOf,
  countOf,
  daysBack,
  seasonsElsewhere,
  stretches,
  weekdays,
} from './languages/calendar-words.ts'
import { packs } from './languages/index.ts'
import { normaliseWord } from './normalise-word.ts'
import type { AskedDate } from './question-dates.ts'

const DAY_MS = 86_400_000
const CHARACTERS_MAX = 500
const seasons = new Map([...packs.english.seasons, ...packs.german.seasons, ...seasonsElsewhere])
const BEFORE = 'last|past|letzten|letztes|vorigen|прошлым|прошлой|прошлое|прошлую|gecen'
const AFTER = 'dernier|derniere|pasado|pasada|passado|passada|scorso|scorsa'
/** There, `hier` is here and not yesterday. */
const GERMAN = /(?<!\p{L})(?:ist|sind|war|der|die|das|ich|du|wir|was|wer|wo|wie|und|gibt|haben?|hast)(?!\p{L})/u
const SEASONS = anyOf(seasons.keys())

type Reader = readonly [pattern: RegExp, read: Read, words: readonly string[]]
type Read = (found: readonly string[], now: number) => AskedDate | undefined

/**
 * Tried in this order; what one has read, the next does not see. A text that has none of the words is not matched: most questions have
 * no date, and to compile a pattern for all scripts takes milliseconds.
 */
const patterns: readonly Reader[] = [
  ...agoPatterns.map(([pattern, unit, word]): Reader => [
    pattern,
    ([text = '', count = ''], now) => stretch(text, unit, countOf(count), now),
    [word],
  ]),
  [
    new RegExp(
      `(?<!\\p{L})(?:${BEFORE}) (${SEASONS})|(${SEASONS}) (?:${AFTER})(?!\\p{L})|(?:去年|昨年)的?([春夏秋冬])[天季]?`,
      'gu',
    ),
    ([text = '', before, after, han], now) =>
      han === undefined
        ? lastSeason(text, seasons.get(before ?? after ?? '') ?? 3, now)
        : seasonOf(text, new Date(now).getUTCFullYear() - 1, 3 + 3 * '春夏秋冬'.indexOf(han)),
    [...BEFORE.split('|'), ...AFTER.split('|'), '去年', '昨年'],
  ],
  ...stretches.map(([unit, back, names]): Reader => [
    new RegExp(anyOf(names), 'gu'),
    ([text = ''], now) => stretch(text, unit, back, now),
    names,
  ]),
  [
    new RegExp(anyOf(daysBack.keys()), 'gu'),
    ([text = ''], now) => oneDay(text, midnight(now) - (daysBack.get(text) ?? 0) * DAY_MS),
    [...daysBack.keys()],
  ],
  [
    new RegExp(`(?:(?<!\\p{L})(?:${BEFORE}) )?(${anyOf(weekdays.flat())})`, 'gu'),
    ([text = '', name = ''], now) => lastWeekday(text, name, now),
    weekdays.flat(),
  ],
]

/** Time phrases such as "yesterday" or "two weeks ago", seen from the moment of asking. */
export function relativeDates(question: string, now: number): readonly AskedDate[] {
  const text = normaliseWord(question.slice(0, CHARACTERS_MAX))
  let rest = text.includes('hier') && GERMAN.test(text) ? text.replaceAll(/(?<!\p{L})hier(?!\p{L})/gu, '    ') : text
  const dates: AskedDate[] = []
  for (const [pattern, read, words] of patterns) {
    if (!words.some((word) => rest.includes(word))) continue
    rest = rest.replaceAll(pattern, (...found) => {
      const date = read(found.slice(0, -2) as string[], now)
      if (date === undefined) return String(found[0])
      dates.push(date)
      return ' '.repeat(String(found[0]).length)
    })
  }
  return dates
}

function stretch(text: string, unit: CalendarUnit, back: number, now: number): AskedDate {
  const today = midnight(now)
  if (unit === 'day') return oneDay(text, today - back * DAY_MS)
  const date = new Date(today)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  const monday = today - ((date.getUTCDay() + 6) % 7) * DAY_MS
  const [from, to] =
    unit === 'year'
      ? [Date.UTC(year - back, 0), Date.UTC(year - back + 1, 0)]
      : unit === 'month'
        ? [Date.UTC(year, month - back), Date.UTC(year, month - back + 1)]
        : [monday - 7 * back * DAY_MS, monday - 7 * (back - 1) * DAY_MS]
  return { grain: unit === 'year' ? 'year' : 'month', yearly: false, from, to, text }
}

function lastSeason(text: string, month: number, now: number): AskedDate {
  const year = new Date(now).getUTCFullYear()
  const ended = [year, year - 1, year - 2].find((y) => Date.UTC(y, month + 2) <= now) ?? year
  return seasonOf(text, ended, month)
}

function seasonOf(text: string, year: number, month: number): AskedDate {
  return { grain: 'season', yearly: false, from: Date.UTC(year, month - 1), to: Date.UTC(year, month + 2), text }
}

function lastWeekday(text: string, name: string, now: number): AskedDate | undefined {
  const today = midnight(now)
  const index = weekdays.findIndex((names) => names.includes(name))
  const back = (new Date(today).getUTCDay() - index + 7) % 7
  return index === -1 ? undefined : oneDay(text, today - (back === 0 && text !== name ? 7 : back) * DAY_MS)
}

function oneDay(text: string, from: number): AskedDate {
  return { grain: 'day', yearly: false, from, to: from + DAY_MS, text }
}

function midnight(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS
}
