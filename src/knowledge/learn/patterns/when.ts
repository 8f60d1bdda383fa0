import type * as chronoNode from 'chrono-node'

/** A time in words, and where it ends. */
export interface TimePhrase {
  readonly iso: string
  readonly length: number
}

type Chrono = typeof chronoNode

/** Loaded when the first date is met: most messages have none. */
export type LoadChrono = () => Promise<Chrono>

const GERMAN =
  /\b(?:januar|februar|märz|mai|juni|juli|oktober|dezember|gestern|morgen|heute|letzte[nsrm]?|vor|seit|jahren?|monaten?|wochen?|tagen?)\b|\d{1,2}\. ?\p{L}/iu
const LEAD =
  /^[\s,]{0,3}(?:since|seit|as of|until|till|bis|from|on|in|im|am|der|den|the|around|about)?\s{0,2}(?:dem |den |der |the |year )?/iu
/** A month and its year, which chrono does not read in German. */
const MONAT =
  /^(januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)\s((?:19|20)\d{2})(?!\d)/iu
const MONATE = 'januar februar märz april mai juni juli august september oktober november dezember'.split(' ')
const YEAR = /^(?:19|20)\d{2}(?!\d)/u

/**
 * The day that a text begins with, for example `1990-05-03`. If it does not say the year: `--05-03` for what comes every year, or the next
 * such day after the message.
 */
export async function readDay(
  text: string,
  at: string,
  load: LoadChrono,
  which: 'any' | 'next',
): Promise<TimePhrase | undefined> {
  const found = await parse(text, at, load)
  if (found === undefined || !found.start.isCertain('day') || !found.start.isCertain('month')) return undefined
  const [year = 0, month, day] = (['year', 'month', 'day'] as const).map((unit) => found.start.get(unit) ?? 0)
  const date = `${two(month)}-${two(day)}`
  const length = found.index + found.text.length
  if (which === 'next' && !/\d{4}/u.test(found.text)) {
    const past = `${year}-${date}` < at.slice(0, 10)
    return { iso: `${past ? year + 1 : year}-${date}`, length }
  }
  return { iso: /\d{4}/u.test(found.text) ? `${year}-${date}` : `--${date}`, length }
}

/** The moment that a text begins with, at the beginning of the year, month or day it names. */
export async function readMoment(text: string, at: string, load: LoadChrono): Promise<TimePhrase | undefined> {
  const lead = LEAD.exec(text)?.[0].length ?? 0
  const year = YEAR.exec(text.slice(lead))?.[0]
  if (year !== undefined) return { iso: `${year}-01-01T00:00:00.000Z`, length: lead + year.length }
  const [monat, name = '', jahr] = MONAT.exec(text.slice(lead)) ?? []
  if (monat !== undefined) {
    const time = Date.UTC(Number(jahr), MONATE.indexOf(name.toLowerCase()), 1)
    return { iso: new Date(time).toISOString(), length: lead + monat.length }
  }
  const found = await parse(text, at, load)
  if (found === undefined) return undefined
  const { start } = found
  const month = start.isCertain('month') || start.isCertain('day') ? (start.get('month') ?? 1) : 1
  const day = start.isCertain('day') ? (start.get('day') ?? 1) : 1
  const time = Date.UTC(start.get('year') ?? 0, month - 1, day)
  return { iso: new Date(time).toISOString(), length: found.index + found.text.length }
}

/** In UTC and from the message's own time: the same message means the same day on every machine. */
async function parse(text: string, at: string, load: LoadChrono): Promise<chronoNode.ParsedResult | undefined> {
  const chrono = await load()
  const reference = { instant: new Date(at), timezone: 0 }
  const [found] = (GERMAN.test(text) ? chrono.de : chrono.en).parse(text, reference)
  const lead = LEAD.exec(text)?.[0].length ?? 0
  return found !== undefined && found.index <= lead + 4 ? found : undefined
}

function two(value: number | undefined): string {
  return String(value ?? 0).padStart(2, '0')
}
