import type { AskedDate } from './question-dates.ts'

const DAY_MS = 86_400_000
/** Worth loading a date parser for; absolute dates are read without it. */
const RELATIVE =
  /\b(?:yesterday|today|tonight|tomorrow|this morning|(?:last|past|previous|this|next) (?:night|week|weekend|month|year|spring|summer|autumn|fall|winter|mon|tues|wednes|thurs|fri|satur|sun)|(?:days?|weeks?|months?|years?|hours?|minutes?) ago)|\b(?:gestern|vorgestern|heute|letzten?|letztes|vorigen?|voriges|diesen?|dieses)\b|\bvor \p{L}*\d* ?(?:tag|woche|monat|jahr)|昨天|前天|今天|上周|上个月|去年|昨日|先週|先月/iu
const CHARACTERS_MAX = 500

/** Time phrases such as "yesterday" or "two weeks ago", seen from the moment of asking. */
export async function relativeDates(question: string, now: number): Promise<readonly AskedDate[]> {
  const text = question.slice(0, CHARACTERS_MAX)
  if (!RELATIVE.test(text)) return []
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
