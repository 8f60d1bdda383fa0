import { isCommonWord } from './common-words.ts'
import { type Pattern, type PatternClaim, type PatternMatch, wordPattern } from './pattern.ts'
import { type Taker, takeName } from './take.ts'

/** Ends the clause: what comes after it begins another thought. */
const END =
  /^\s{0,2}(?:$|[.,;!)…]|[-–—]\s|(?:and|but|so|because|since|btw|by the way|thanks|please|und|aber)(?=[\s.,;!]|$))/u

/** A number, a code, a name of an account. */
const takeCode: Taker = (sentence, from) => {
  const text = /^#?[\p{L}\d][\p{L}\d./#_:-]{0,40}(?: [A-Z]?\d[\p{L}\d./_-]{0,20}){0,4}/u
    .exec(sentence.slice(from))?.[0]
    .replace(/(?<![.:])[.:]+$/u, '')
  if (text === undefined || !/\d/u.test(text) || !END.test(sentence.slice(from + text.length))) return undefined
  return { text, end: from + text.length }
}

/** A single word as people write it in a shell: a user name, a branch. */
const takeWord: Taker = (sentence, from) => {
  const text = /^(?:called |named )?(?<word>@?[\p{L}\d][\p{L}\d._/#-]{0,40})/u.exec(sentence.slice(from))
  const word = text?.groups?.['word']?.replace(/\.$/u, '')
  if (text === null || word === undefined || isCommonWord(word) || NO_VALUE.test(word)) return undefined
  const end = from + text[0].replace(/\.$/u, '').length
  return END.test(sentence.slice(end)) ? { text: word, end } : undefined
}

const NO_VALUE =
  /^(?:a|an|the|not|no|wrong|missing|broken|empty|gone|fine|fast|slow|green|red|down|full|tight|huge|tiny|unknown|invalid|valid|taken|free|private|public|secret|correct|incorrect|different|nuts|insane|crazy|weird|kaputt|falsch|richtig)$/iu

const MAKE =
  /^(?:(?<how>written in|hosted (?:on|at|with|in)|built (?:with|on|in)|based on|running on|made by|called|named)\s)?(?:(?<article>an?|the)\s)?/u

/** A product or a brand: written with a capital or a digit, such as `Epson ET-2850`. */
const takeMake: Taker = (sentence, from) => {
  const { 0: lead = '', groups } = MAKE.exec(sentence.slice(from)) ?? {}
  const at = from + lead.length
  const found =
    /^(?:\p{Lu}[\p{L}\d]{0,24}|\p{Ll}{1,3}\p{Lu}[\p{L}\d]{1,20}|[\p{L}-]{2,20}\.[a-z]{2,4}(?:\.[a-z]{2,4})?)(?:[.+#&/-][\p{L}\d]{1,24}){0,3}(?:\s(?:\p{Lu}[\p{L}\d]{0,24}(?:[.+-][\p{L}\d]{1,24}){0,3}|v?\d[\p{L}\d.-]{0,12})){0,4}/u.exec(
      sentence.slice(at),
    )?.[0]
  const text = found?.replace(/[.]$/u, '')
  if (
    text === undefined ||
    (isCommonWord(text) && !/^\p{Lu}/u.test(text)) ||
    !END.test(sentence.slice(at + text.length))
  )
    return undefined
  const how = groups?.['how']
  return { text: how === undefined || /^(?:called|named)$/u.test(how) ? text : `${how} ${text}`, end: at + text.length }
}

const takeMeasure: Taker = (sentence, from) => {
  const text =
    /^(?:about |around |roughly |under |max(?:imum)? |up to )?[$€£]?\d[\d.,]{0,12}(?:k|m)?(?:\s?(?:%|€|\$|£|\p{L}[\p{L}/]{0,12})){0,2}/u
      .exec(sentence.slice(from))?.[0]
      .replace(/[.,]$/u, '')
  if (text === undefined || !END.test(sentence.slice(from + text.length))) return undefined
  return { text, end: from + text.length }
}

const CODES =
  '(?:staging |production |prod |live |dev |sandbox )?(?:(?:customer|account|order|ticket|case|booking|reservation|invoice|flight|project|contract|client|member|membership|policy|tracking|frequent flyer|loyalty|serial|model|vat|tax|company|tenant|workspace|organi[sz]ation|org|team|user|device|store|employee|student|registration|licen[cs]e plate|room|flat|apartment|seat|gate|bib|group|channel|app|subscription|aws|gcp|azure|stripe|github|slack|jira|patient) ){1,2}(?:id|number|no|reference|ref|nr|code)|booking reference|invoice|iban|postcode|zip code|room number|port|extension'
const WORDS =
  '(?:(?:github|gitlab|slack|discord|twitter|x|instagram|reddit|telegram|steam|user|login|account|npm|docker) )?(?:username|user name|handle|login name|nickname)|(?:main|default|release|production|development|dev|staging) branch|package manager|shell|hostname|subdomain|bundle id|keyboard layout|project slug|slug'
const MAKES =
  '(?:work |private |main |current |new |old |home |gaming |company |production |staging |test |dev |primary )?(?:laptop|computer|pc|phone|tablet|router|modem|printer|scanner|camera|tv|monitor|keyboard|headset|car|bike|motorbike|van|boat|oven|washing machine|dishwasher|vacuum|watch|console|editor|ide|database|db|orm|framework|web framework|backend|back end|frontend|front end|stack|tech stack|ci|cd|cloud|hosting|host|provider|operating system|os|browser|terminal|distro|message queue|queue|cache|test runner|linter|formatter|bundler|build tool|issue tracker|crm|cms|shop|website|api|app|server|domain|company|startup|employer|bank|airline|insurer|isp|internet provider|school|university|hotel|gym|time ?zone|currency|coding style|style guide|programming language|language|mascot|airport|home airport)'
const MEASURES =
  '(?:total |monthly |weekly |daily |annual |overall |max(?:imum)? |travel |marketing )?(?:budget|shoe size|ring size|shirt size|height|weight|rent|salary expectation|page limit|word limit|word count|timeout|rate limit|memory limit|team size|blood type|resting heart rate)'

const NUMBERS: Readonly<Record<string, string>> = {
  kunden: 'customer_number',
  konto: 'account_number',
  bestell: 'order_number',
  auftrags: 'order_number',
  rechnungs: 'invoice_number',
  buchungs: 'booking_number',
  vertrags: 'contract_number',
  mitglieds: 'member_number',
  ticket: 'ticket_number',
  zimmer: 'room_number',
}

const named = ({ object, groups }: PatternMatch): PatternClaim => ({
  predicate: predicateOf(groups['what'] ?? ''),
  object,
})

function predicateOf(what: string): string {
  const name = what.toLowerCase().replaceAll(/[\s-]+/gu, '_')
  return OTHER_NAMES[name] ?? name
}

const OTHER_NAMES: Readonly<Record<string, string>> = {
  // A phone is also a number to call.
  phone: 'phone_model',
  timezone: 'time_zone',
  user_name: 'username',
  db: 'database',
}

/** `My order number is 88213`, `our database is Postgres 16`: of which a person keeps a note, by lists of nouns. */
export const attributes: readonly Pattern[] = [
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:my|our) (?:last |latest |new )?(?<what>order|ticket|booking|invoice|case|reservation)(?: number| no\.?| nr\.?)?\s(?=#?[A-Z\d-]{0,6}\d)`,
    ),
    object: (sentence, from) => {
      const text = /^#?(?<code>[A-Z\d][A-Z\d-]{2,20})(?![\p{L}\d:.]\d?)/u.exec(sentence.slice(from))
      const code = text?.groups?.['code']
      return code === undefined || !/\d{3}/u.test(code)
        ? undefined
        : { text: code, end: from + (text?.[0].length ?? 0) }
    },
    claim: ({ object, groups }) => ({ predicate: `${(groups['what'] ?? '').toLowerCase()}_number`, object }),
    confidence: 0.85,
    anywhere: true,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`(?:my|our|the) (?<what>${CODES})(?: is|~s|:)\s(?:still |now )?`),
    object: takeCode,
    claim: named,
    confidence: 0.92,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:meine|unsere) (?<what>kunden|konto|bestell|auftrags|rechnungs|buchungs|vertrags|mitglieds|ticket|zimmer)nummer (?:ist|lautet)(?: die)?\s`,
    ),
    object: takeCode,
    claim: ({ object, groups }) => ({ predicate: NUMBERS[(groups['what'] ?? '').toLowerCase()] ?? 'number', object }),
    confidence: 0.92,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`(?:my|our) (?<what>${WORDS})(?: is|~s)\s(?:still |now )?`),
    object: takeWord,
    claim: named,
    confidence: 0.88,
    standing: true,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`(?:my|our) (?<what>${MAKES})(?: is| runs on)\s(?:still |now |currently )?`),
    object: takeMake,
    claim: ({ object, groups }) => (NO_MAKE.test(object) ? undefined : named({ object, groups })),
    confidence: 0.85,
    standing: true,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`(?:my|our) (?<what>${MEASURES})(?: is|~s)\s(?:still |now )?`),
    object: takeMeasure,
    claim: named,
    confidence: 0.88,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:(?:i(?:~m| am)|we(?:~re| are)) on (?:the |your )?(?=[\p{L}\d+]{2,20} (?:plan|tier|subscription)\b)|(?:my|our) (?:plan|subscription|tier) is (?:the )?)`,
    ),
    object: (sentence, from) => {
      const name = takeName(sentence, from) ?? takeFree(sentence, from)
      return name === undefined ||
        !/^(?:\s(?:plan|tier|subscription))?\s{0,2}(?:$|[.,;!)]|(?:and|but|so|since)\s)/u.test(sentence.slice(name.end))
        ? undefined
        : name
    },
    claim: ({ object }) => ({ predicate: 'plan', object }),
    confidence: 0.88,
  },
]

const takeFree: Taker = (sentence, from) => {
  const text = /^(?:free|pro|premium|basic|starter|business|enterprise|team|family|standard|student)(?![\p{L}])/u.exec(
    sentence.slice(from),
  )?.[0]
  return text === undefined ? undefined : { text, end: from + text.length }
}

const NO_MAKE =
  /^(?:I|We|You|It|This|That|The|Down|Broken|Dead|Slow|Ok|OK|On|Off|In|At|Not|No|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)(?:\s|$)/u
