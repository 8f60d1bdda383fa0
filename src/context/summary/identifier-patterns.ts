import type { Identifier } from '../../domain/fold.ts'

/** One way in which an identifier is written. */
export interface IdentifierPattern {
  readonly kind: Identifier['kind']
  /** Global. Every repetition is bounded or cannot begin twice in one place, so that no text takes more than linear time. */
  readonly pattern: RegExp
  /** What every match has: a text without it is not looked through. */
  readonly needs?: string
  /** The exact text in a match; nothing if it is none after all. */
  readonly exact?: (match: string) => string | undefined
  /** Too common for every speaker: looked for in what the user says. */
  readonly userOnly?: true
}

/** Endings by which a name without a slash is a file's. */
const EXTENSIONS =
  'tsx?|mts|cts|jsx?|mjs|cjs|json[5cl]?|md|mdx|py|ipynb|rs|go|java|kts?|swift|c|h|cc|cpp|hpp|cs|rb|php|sh|bash|ps1|bat|sql|ya?ml|toml|ini|cfg|conf|env|lock|txt|csv|tsv|log|html?|css|scss|xml|svg|png|jpe?g|gif|webp|pdf|docx?|xlsx?|pptx?|zip|gz|tgz|tar|db|sqlite|parquet|proto|vue|svelte|tf|diff|patch'

/** What a segment of a path cannot hold: blanks, what shells and prose put around paths, and punctuation of other scripts. */
const SEGMENT = String.raw`[^\s/\\:*?"'\`<>|()\[\]{},;$=\u0001，。；：！？、（）「」『』【】《》“”‘’]`

const LATIN_UNITS =
  'ns|µs|μs|us|ms|s|sec|secs|seconds?|min|mins|minutes?|h|hrs?|hours?|d|days?|weeks?|months?|years?|B|[kKMGTP]i?B|[kMGT]?bit|[kMG]bps|bytes?|px|pt|em|rem|dpi|[kMGT]?Hz|rpm|fps|qps|rps|[kM]?W|kWh|V|mV|mA|Ah|[mcdk]?m|km/h|mph|mi|ft|[mk]?g|mg|lbs?|oz|[mcd]?l|ml|tokens?|rows?|lines?|files?|items?|users?|requests?|errors?|warnings?|tests?|times|x|USD|EUR|GBP|CHF|JPY|CNY|RMB|INR|KRW|RUB|BRL|euros?|dollars?|cents?|Stunden|Tage[n]?|Minuten|Sekunden|heures?|jours?|días?|horas?|час(?:а|ов)?|мин|сек|руб|кг|км|шт'
const OTHER_UNITS = '[%‰℃℉°€£¥₹₩₽元円圆块万亿億個个件台人名天日周週月年時时分秒次倍歳岁页頁行차원명개일월년시분초건]'

const MONTHS =
  'Jan(?:uary|uar)?|Feb(?:ruary|ruar)?|Mar(?:ch)?|März|Apr(?:il)?|May|Mai|June?|Juni|July?|Juli|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Okt(?:ober)?|Nov(?:ember)?|Dec(?:ember)?|Dez(?:ember)?|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря'

/** Words after which a bare number names something. */
const NUMBERED =
  'HTTP|status|code|port|line|order|ticket|issue|PR|MR|invoice|case|request|job|build|run|task|account|customer|room|flight|pid|page|chapter|version|Bestellung|Auftrag|Rechnung|Kunde|commande|facture|pedido|factura|заказ|счёт|счет'

/** In this order: what one has matched is hidden from those after it, so that a URL's path is no path. */
export const IDENTIFIER_PATTERNS: readonly IdentifierPattern[] = [
  {
    kind: 'url',
    needs: '://',
    pattern:
      /(?<![a-zA-Z0-9+.-])[a-zA-Z][a-zA-Z0-9+.-]{1,15}:\/\/[^\s<>"'`|\\{}，。；！？、（）「」『』【】《》“”‘’]{2,2000}/g,
    exact: withoutTrailing,
  },
  {
    kind: 'url',
    pattern:
      /(?<![\w.-])(?:www\.[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}(?:\/[^\s<>"'`]{0,500})?|localhost:\d{2,5}(?:\/[^\s<>"'`]{0,500})?)/g,
    exact: withoutTrailing,
  },
  {
    kind: 'email',
    needs: '@',
    pattern: /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,6}/gu,
  },
  // Windows: a drive or a server, then segments.
  {
    kind: 'path',
    needs: ':',
    pattern: new RegExp(String.raw`(?<![\w])[A-Za-z]:[\\/](?:${SEGMENT}{1,128}[\\/]){0,40}${SEGMENT}{1,128}`, 'g'),
    exact: pathOf,
  },
  {
    kind: 'path',
    needs: '\\\\',
    pattern: new RegExp(String.raw`(?<![\\\w])\\\\${SEGMENT}{1,64}(?:\\${SEGMENT}{1,128}){1,40}`, 'g'),
    exact: pathOf,
  },
  // POSIX: from the root with two segments or an ending; from a folder with a dot or a tilde; anything with an ending.
  {
    kind: 'path',
    needs: '/',
    pattern: new RegExp(String.raw`(?<![\w/~.@-])(?:~|\.{1,2})?/(?:${SEGMENT}{1,128}/){0,40}${SEGMENT}{1,128}/?`, 'g'),
    exact: rootedPathOf,
  },
  {
    kind: 'path',
    needs: '/',
    pattern: /(?<![\w/.@+-])@?[\w.+-]{1,128}(?:\/[\w.@+-]{1,128}){1,40}/g,
    exact: relativePathOf,
  },
  {
    kind: 'path',
    needs: '.',
    pattern: new RegExp(String.raw`(?<![\w/.@+-])[\w.+-]{0,128}\.(?:${EXTENSIONS})(?![\w/-]|\.\w)`, 'g'),
    exact: pathOf,
  },
  {
    kind: 'code',
    needs: '-',
    pattern: /(?<![\w-])[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}(?![\w-])/g,
  },
  {
    kind: 'date',
    pattern:
      /(?<![\w.-])\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?(?:Z|UTC|[+-]\d{2}:?\d{2}))?)?(?![\w-])/g,
  },
  {
    kind: 'date',
    pattern: /(?<![\w./-])(?:\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{4}[./]\d{1,2}[./]\d{1,2})(?![\w/-]|\.\d)/g,
  },
  {
    kind: 'date',
    pattern: /\d{4}\s?[年년](?:\s?\d{1,2}\s?[月월](?:\s?\d{1,2}\s?[日일])?)?|\d{1,2}[月월]\s?\d{1,2}[日일]/g,
  },
  {
    kind: 'date',
    pattern: new RegExp(
      String.raw`(?<![\p{L}\p{N}])(?:\d{1,2}(?:st|nd|rd|th|\.)? (?:de )?)?(?:${MONTHS})\.?(?: (?:de )?\d{1,2}(?:st|nd|rd|th)?(?!\d))?,?(?: (?:de )?\d{4})?(?![\p{L}\p{N}])`,
      'gu',
    ),
    exact: withDigit,
  },
  {
    kind: 'date',
    pattern:
      /(?<![\w.:])\d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp]\.?[Mm]\b\.?)?(?: (?:UTC|GMT|CES?T|E[SD]T|P[SD]T))?(?![\w:])/g,
  },
  { kind: 'code', pattern: /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?![\w]|\.\d)/g },
  {
    kind: 'number',
    pattern: /(?<![\w.])(?:v\d{1,5}(?:\.\d{1,6}){0,4}|\d{1,5}(?:\.\d{1,6}){2,4})(?:[-+][\w.]{1,40})?(?![\w]|\.\d)/g,
    exact: withoutTrailing,
  },
  {
    kind: 'code',
    pattern:
      /(?<![\w-])(?:[A-Z][A-Z0-9]{0,15}(?:[-_][A-Z0-9]{1,32}){1,6}|[A-Za-z]{1,24}[-_](?:[A-Za-z]{0,24}[-_]){0,2}[A-Za-z0-9]{0,24}\d[A-Za-z0-9]{0,40})(?![\w-])/g,
    exact: codeOf,
  },
  { kind: 'code', pattern: /(?<![\w-])(?:[A-Z]{1,6}\d{2,10}|E[A-Z]{4,15})(?![\w-])/g },
  { kind: 'hash', pattern: /(?<![\w-])(?:sha\d{1,3}[:-])?(?:0x)?[0-9a-fA-F]{7,128}(?![\w-])/g, exact: hashOf },
  { kind: 'code', needs: '#', pattern: /(?<![\w#&])#\d{1,12}(?!\w)/g },
  {
    kind: 'code',
    pattern: new RegExp(
      String.raw`(?<![\p{L}\p{N}])(?:${NUMBERED})(?: (?:no\.?|number|code|Nr\.?|n°|id))?[ :]{1,2}#?\d{1,16}(?![\p{L}\p{N}]|[.,]\d)`,
      'giu',
    ),
  },
  { kind: 'code', pattern: /(?:订单号?|工单|编号|案件|注文番号|番号|주문번호|번호)[\s:：#]{0,3}[A-Za-z0-9-]{2,32}/g },
  {
    kind: 'number',
    pattern: new RegExp(
      String.raw`(?<![\p{L}\p{N}.,])[-+~≈±]?(?:[$€£¥₹₩₽]\s?\d[\d.,_']{0,30}(?:\s?(?:k|K|M|bn|million|billion)\b)?|\d[\d.,_']{0,30}\s?(?:(?:${LATIN_UNITS})(?![\p{L}\p{N}])|${OTHER_UNITS}))`,
      'gu',
    ),
    exact: withoutTrailing,
  },
  { kind: 'quoted', needs: '`', pattern: /`([^`\n]{2,80})`/g, exact: unquoted },
  { kind: 'quoted', needs: '"', pattern: /(?<![\p{L}\p{N}"])"([^"\n]{2,80})"(?![\p{L}\p{N}"])/gu, exact: unquoted },
  { kind: 'quoted', needs: "'", pattern: /(?<![\p{L}\p{N}'])'([^'\n]{2,80})'(?![\p{L}\p{N}'])/gu, exact: unquoted },
  {
    kind: 'quoted',
    pattern:
      /«([^»\n]{2,80})»|“([^”\n]{2,80})”|„([^“”\n]{2,80})[“”]|「([^」\n]{1,80})」|『([^』\n]{1,80})』|《([^》\n]{1,80})》/g,
    exact: unquoted,
  },
  // After the quoted names: `"Copper Lantern 4711"` is one name, not a number.
  { kind: 'number', pattern: /(?<![\p{L}\p{N}.,_-])\d{4,20}(?![\p{L}\p{N}_]|[.,]\d)/gu, userOnly: true },
]

/** How a line reports an error: in the words of programs, of shells and of people. `0 errors` and `error handling` do not. */
export const ERROR_REPORTS: readonly RegExp[] = [
  /(?<![\w.$])(?:[A-Za-z_$][\w.$]{0,60})?(?:Error|Exception)(?:\s?[:([]|\s{0,4}$)/,
  /(?<![\w-])(?:ERROR|FATAL|FAILED|ERR_[A-Z_]{2,60}|npm ERR!|E(?:NOENT|ACCES|PERM|EXIST|PIPE|TIMEDOUT|ADDRINUSE|CONN[A-Z]{3,10}))(?![\w-])/,
  /^\s{0,8}(?:error|fatal|panic|failed|failure|exception|traceback|uncaught|unhandled)(?:\s?[:([]| in | at | \()/i,
  // Compilers: `a.ts:3:14 - error TS2345: `, `a.c:3:14: fatal error: `, `a.cs(3,14): error CS0103: `.
  /[:)-] (?:fatal )?error(?: [A-Z]{1,6}\d{1,6})?: /,
  /(?<![\w-])(?:exit(?:ed)?(?: with)?(?: code| status)?(?: code)?:? ?|code=|status=)[1-9]\d{0,4}(?!\d)/i,
  /\b(?:tests?|build|command|request|call|step|job|deploy(?:ment)?|migration|install(?:ation)?|upload|download|connection|login|check)s? (?:has )?failed\b/i,
  /(?:Fehler|Ausnahme|fehlgeschlagen|erreur|échec|falló|fallo|errore|ошибка|не удалось|错误|失败|異常|异常|エラー|失敗|오류|실패)\s{0,2}[:：。!！(（]/iu,
]

function withoutTrailing(match: string): string {
  return match.replace(/[.,;:!?)\]'_]{1,20}$/, '')
}

/** Without punctuation of the sentence, and without what a script without spaces wrote right behind the ending. */
function pathOf(match: string): string {
  const path = withoutTrailing(match)
  const glued = /\.[A-Za-z0-9]{1,8}(?=[\u3000-\u9fff\uac00-\ud7af\u0e00-\u0e7f])/.exec(path)
  return glued === null ? path : path.slice(0, glued.index + glued[0].length)
}

/** `/help` is a command and `1/2` a fraction: from the root, one segment needs an ending. */
function rootedPathOf(match: string): string | undefined {
  const path = pathOf(match)
  const segments = path.split('/').filter((segment) => segment !== '')
  if (segments.length === 0 || !/[\p{L}\p{N}]/u.test(path)) return undefined
  return segments.length > 1 || !path.startsWith('/') || /\.\w{1,8}$/.test(path) ? path : undefined
}

/** `and/or` and `24/7` are none: an ending or three segments say that it is a path. */
function relativePathOf(match: string): string | undefined {
  const path = pathOf(match)
  const segments = path.split('/')
  if (!/[A-Za-z]/.test(path) || path.endsWith('/')) return undefined
  const ends = /\.[A-Za-z][A-Za-z0-9]{0,7}$/.test(path)
  return ends || path.startsWith('@') || (segments.length > 2 && segments.every((segment) => segment.length > 1))
    ? path
    : undefined
}

function withDigit(match: string): string | undefined {
  return /\d/.test(match) ? match.replace(/[ ,.]{1,3}$/, '') : undefined
}

/** `UTF-8` and `X-Y` are words; a code has a digit, or is written as constants are. */
function codeOf(match: string): string | undefined {
  if (/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(match)) return match
  return /\d/.test(match) && !/^(?:UTF|ISO|SHA|MD|RFC|COVID)[-_]?\d{1,2}$/i.test(match) ? match : undefined
}

/** `defaced` is a word and `20260101` a number. */
function hashOf(match: string): string | undefined {
  return /\d/.test(match) && /[a-fA-F]/.test(match.replace(/^(?:sha\d{1,3}[:-])?(?:0x)?/, '')) ? match : undefined
}

/** A name, not a piece of code or a sentence: it has a letter or a digit, and at most eight words. */
function unquoted(match: string): string | undefined {
  const name = match.slice(1, -1).trim()
  if (!/[\p{L}\p{N}]/u.test(name) || name.includes('\u0001')) return undefined
  if (!match.startsWith('`') && /[{};=<>]|\\[nrt"]/.test(name)) return undefined
  return name.split(' ').length <= 8 ? name : undefined
}
