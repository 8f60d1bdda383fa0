import { daysBack, weekdays } from './languages/calendar-words.ts'
import { packs } from './languages/index.ts'
import { normaliseWord } from './normalise-word.ts'
import type { AskedDate } from './question-dates.ts'

const DAY_MS = 86_400_000
/** Worth loading a date parser for; absolute dates are read without it. */
const RELATIVE =
  /\b(?:yesterday|today|tonight|tomorrow|this morning|(?:last|past|previous|this|next) (?:night|week|weekend|month|year|spring|summer|autumn|fall|winter|mon|tues|wednes|thurs|fri|satur|sun)|(?:days?|weeks?|months?|years?|hours?|minutes?) ago)|\b(?:gestern|vorgestern|heute|letzten?|letztes|vorigen?|voriges|diesen?|dieses)\b|\bvor \p{L}*\d* ?(?:tag|woche|monat|jahr)|昨天|前天|今天|上周|上个月|去年|昨日|先週|先月/iu
const CHARACTERS_MAX = 500
const WORD = /[\p{Script=Han}]{2,3}|[\p{L}\p{M}-]+/gu
const WEEKDAY = new RegExp(`(?<!\\p{L})(?:on|last|am|letzten) (${weekdays.flat().join('|')})(?!\\p{L})`, 'gu')
const LAST_SEASON =
  /(?<!\p{L})(?:last|letzten|letztes|vorigen) (spring|summer|autumn|fall|winter|fruhling|fruhjahr|sommer|herbst)(?!\p{L})/gu

/** Time phrases such as "yesterday" or "two weeks ago", seen from the moment of asking. */
export async function relativeDates(question: string, now: number): Promise<readonly AskedDate[]> {
  const text = question.slice(0, CHARACTERS_MAX)
  const plain = plainDates(normaliseWord(text), now)
  if (plain.length > 0 || !RELATIVE.test(text)) return plain
  const chrono = await import('chrono-node')
  const reader = /[\p{Script=Hiragana}\p{Script=Katakana}]|昨日|先週|先月/u.test(text)
    ? chrono.ja
    : /\p{Script=Han}/u.test(text)
      ? chrono.zh
      : /\b(?:gestern|vorgestern|heute|letzte[ns]?|vorige[ns]?|diese[ns]?|vor)\b/i.test(text)
        ? chrono.de
        : chrono.en
  const found = reader.parse(text, { instant: new Date(now), timezone: 0 })
  return found
    .filter(({ text: phrase }) => RELATIVE.test(phrase))
    .map(({ text: phrase, start, end }) => {
      const from = midnight(start.date().getTime())
      if (end !== undefined && end !== null)
        return { grain: 'month', yearly: false, from, to: midnight(end.date().getTime()) + DAY_MS, text: phrase }
      return around(phrase, from)
    })
}

/** Words for a day, weekdays and seasons that need no parser. */
function plainDates(text: string, now: number): readonly AskedDate[] {
  const today = midnight(now)
  const days = [...text.matchAll(WORD)].flatMap(([word]) => {
    const back = daysBack.get(word)
    return back === undefined ? [] : [oneDay(word, today - back * DAY_MS)]
  })
  const ofWeek = [...text.matchAll(WEEKDAY)].flatMap(([phrase, name]) => {
    const index = weekdays.findIndex((names) => names.includes(name ?? ''))
    const back = (new Date(today).getUTCDay() - index + 7) % 7
    return index === -1 ? [] : [oneDay(phrase, today - (back === 0 && phrase.startsWith('last') ? 7 : back) * DAY_MS)]
  })
  const seasons = [...text.matchAll(LAST_SEASON)].map(([phrase, name]) => {
    const month = packs.english.seasons.get(name ?? '') ?? packs.german.seasons.get(name ?? '') ?? 1
    const year = new Date(now).getUTCFullYear()
    const ended = [year, year - 1, year - 2].find((y) => Date.UTC(y, month + 2) <= now) ?? year
    const [from, to] = [Date.UTC(ended, month - 1), Date.UTC(ended, month + 2)]
    return { grain: 'season' as const, yearly: false, from, to, text: phrase }
  })
  return [...days, ...ofWeek, ...seasons]
}

function oneDay(text: string, from: number): AskedDate {
  return { grain: 'day', yearly: false, from, to: from + DAY_MS, text }
}

/** A phrase without a day in it means the stretch around it: last week, last month, last year. */
function around(phrase: string, from: number): AskedDate {
  const date = new Date(from)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  if (/year|jahr|年/i.test(phrase))
    return { grain: 'year', yearly: false, from: Date.UTC(year, 0), to: Date.UTC(year + 1, 0), text: phrase }
  if (/month|monat|月/i.test(phrase) && !/ago/i.test(phrase))
    return { grain: 'month', yearly: false, from: Date.UTC(year, month), to: Date.UTC(year, month + 1), text: phrase }
  if (/week|woche|周|週|weekend|summer|winter|spring|autumn|fall/i.test(phrase)) {
    const monday = from - ((date.getUTCDay() + 6) % 7) * DAY_MS
    return { grain: 'month', yearly: false, from: monday, to: monday + 7 * DAY_MS, text: phrase }
  }
  return { grain: 'day', yearly: false, from, to: from + DAY_MS, text: phrase }
}

function midnight(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS
}
