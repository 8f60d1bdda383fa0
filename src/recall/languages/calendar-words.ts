import { normaliseWord } from '../normalise-word.ts'
import { numbered, wordSet } from './language-pack.ts'

/** Month names of languages that have no pack of their own, one month per line. */
export const monthsElsewhere: ReadonlyMap<string, number> = numbered(
  normaliseWord(`janvier enero gennaio janeiro januari января январе январь ocak styczeń stycznia styczniu leden ledna lednu يناير जनवरी มกราคม
février febrero febbraio fevereiro februari февраля феврале февраль şubat luty lutego lutym únor února únoru فبراير फरवरी กุมภาพันธ์
mars marzo março maart marts марта марте март mart marzec marca marcu březen března březnu مارس मार्च มีนาคม
avril abril aprile апреля апреле апрель nisan kwiecień kwietnia kwietniu duben dubna dubnu أبريل अप्रैल เมษายน
mai mayo maggio maio mei maj мая мае май mayıs maja maju květen května květnu مايو मई พฤษภาคม
juin junio giugno junho juni июня июне июнь haziran czerwiec czerwca czerwcu červen června červnu يونيو जून มิถุนายน
juillet julio luglio julho juli июля июле июль temmuz lipiec lipca lipcu červenec července červenci يوليو जुलाई กรกฎาคม
août agosto augustus augusti августа августе август ağustos sierpień sierpnia sierpniu srpen srpna srpnu أغسطس अगस्त สิงหาคม
septembre septiembre settembre setembro сентября сентябре сентябрь eylül wrzesień września wrześniu září سبتمبر सितंबर กันยายน
octobre octubre ottobre outubro oktober октября октябре октябрь ekim październik października październiku říjen října říjnu أكتوبر अक्टूबर ตุลาคม
novembre noviembre novembro ноября ноябре ноябрь kasım listopad listopada listopadzie listopadu نوفمبر नवंबर พฤศจิกายน
décembre diciembre dicembre dezembro декабря декабре декабрь aralık grudzień grudnia grudniu prosinec prosince prosinci ديسمبر दिसंबर ธันวาคม`),
  1,
  1,
)

/** Names of months that are also other words: they need a sign that a month is meant. */
export const ambiguousMonths: ReadonlySet<string> = wordSet(
  'may march april june august jan feb mar apr jun jul aug sep sept oct nov dec mars mart mai mei mayo julio juli juni ekim marts maja maju august agosto maj mae мае мая май',
)

/** Seasons of languages that have no pack of their own, by their first month. */
export const seasonsElsewhere: ReadonlyMap<string, number> = numbered(
  normaliseWord(`printemps primavera lente vår forår весна весной весны весну ilkbahar bahar 春天 春季
été verano verão zomer sommar лето летом лета yaz yazın 夏天 夏季
automne otoño outono autunno herfst höst efterår осень осенью осени sonbahar 秋天 秋季
hiver invierno inverno vinter зима зимой зимы зиму kış kışın 冬天 冬季`),
  3,
  3,
)

/** Days that have a name, by month and day. */
export const holidays: ReadonlyMap<string, readonly [month: number, day: number]> = named(`
12-24 christmas eve, heiligabend, weihnachtsabend, nochebuena, クリスマスイブ, 平安夜, сочельник
12-25 christmas day, christmas, xmas, weihnachten, noël, navidad, natale, natal, kerstmis, 圣诞节, クリスマス, 크리스마스
12-26 boxing day
12-31 new year's eve, new years eve, silvester, nochevieja, saint-sylvestre, 除夕, 大晦日
1-1 new year's day, new years day, neujahr, jour de l'an, año nuevo, capodanno, 元旦, 元日, новый год
2-14 valentine's day, valentines day, valentinstag, saint-valentin, san valentín, 情人节, バレンタインデー, 발렌타인데이
3-8 women's day, 8 марта
3-17 st patrick's day, saint patrick's day
7-4 independence day
10-31 halloween
12-6 nikolaustag
`)

/** Today, yesterday and the day before yesterday, as days back from now. The longer phrase comes first. */
export const daysBack: ReadonlyMap<string, number> = new Map([
  ...phrases(
    2,
    'the day before yesterday, vorgestern, 前天, 一昨日, おととい, anteayer, anteontem, avant-hier, altro ieri, eergisteren, i förrgår, позавчера, evvelsi gün, 그저께, 그제, أول أمس, परसों, เมื่อวานซืน',
  ),
  ...phrases(
    1,
    'yesterday, last night, gestern, 昨天, 昨晚, 昨日, きのう, 昨夜, ayer, anoche, ontem, ieri, hier, gisteren, i går, igår, вчера, dün, أمس, البارحة, 어제, 어젯밤, कल, เมื่อวาน, เมื่อคืน',
  ),
  ...phrases(
    0,
    "today, this morning, heute, 今天, 今日, 今朝, hoy, hoje, oggi, aujourd'hui, vandaag, idag, i dag, сегодня, bugün, اليوم, आज, 오늘, วันนี้",
  ),
])

/** Sunday first. */
export const weekdays: readonly (readonly string[])[] = [
  'sunday, sonntag, dimanche, domingo, domenica, zondag, söndag, воскресенье, pazar, 星期日, 星期天, 周日, 日曜日, 일요일, الأحد, रविवार, วันอาทิตย์',
  'monday, montag, lundi, lunes, lunedì, segunda-feira, maandag, måndag, понедельник, pazartesi, 星期一, 周一, 月曜日, 월요일, الاثنين, सोमवार, วันจันทร์',
  'tuesday, dienstag, mardi, martes, martedì, terça-feira, dinsdag, tisdag, вторник, salı, 星期二, 周二, 火曜日, 화요일, الثلاثاء, मंगलवार, วันอังคาร',
  'wednesday, mittwoch, mercredi, miércoles, mercoledì, quarta-feira, woensdag, onsdag, среду, среда, çarşamba, 星期三, 周三, 水曜日, 수요일, الأربعاء, बुधवार, วันพุธ',
  'thursday, donnerstag, jeudi, jueves, giovedì, quinta-feira, donderdag, torsdag, четверг, perşembe, 星期四, 周四, 木曜日, 목요일, الخميس, गुरुवार, วันพฤหัส',
  'friday, freitag, vendredi, viernes, venerdì, sexta-feira, vrijdag, fredag, пятницу, пятница, cuma, 星期五, 周五, 金曜日, 금요일, الجمعة, शुक्रवार, วันศุกร์',
  'saturday, samstag, sonnabend, samedi, sábado, sabato, zaterdag, lördag, субботу, суббота, cumartesi, 星期六, 周六, 土曜日, 토요일, السبت, शनिवार, วันเสาร์',
].map(listed)

/** Whole stretches of time: how many of which unit back from the present one. */
export const stretches: readonly (readonly [unit: CalendarUnit, back: number, names: readonly string[]])[] = [
  [
    'week',
    1,
    'last week, past week, previous week, letzte woche, letzter woche, vorige woche, semaine dernière, semana pasada, semana passada, settimana scorsa, vorige week, afgelopen week, förra veckan, прошлой неделе, прошлую неделю, geçen hafta, 上周, 上星期, 上个星期, 先週, 지난주, 지난 주, الأسبوع الماضي, पिछले हफ्ते, पिछले सप्ताह, สัปดาห์ที่แล้ว, อาทิตย์ที่แล้ว',
  ],
  [
    'week',
    0,
    'this week, diese woche, dieser woche, cette semaine, esta semana, questa settimana, deze week, этой неделе, bu hafta, 这周, 本周, 这个星期, 今週, 이번 주, 이번주, هذا الأسبوع, इस हफ्ते, สัปดาห์นี้',
  ],
  [
    'month',
    1,
    'last month, past month, previous month, letzten monat, vorigen monat, mois dernier, mes pasado, mês passado, mese scorso, vorige maand, förra månaden, прошлом месяце, geçen ay, 上个月, 上月, 先月, 지난달, 지난 달, الشهر الماضي, पिछले महीने, เดือนที่แล้ว',
  ],
  [
    'month',
    0,
    'this month, diesen monat, diesem monat, ce mois-ci, este mes, este mês, questo mese, deze maand, этом месяце, bu ay, 这个月, 本月, 今月, 이번 달, 이번달, هذا الشهر, इस महीने, เดือนนี้',
  ],
  [
    'year',
    1,
    'last year, previous year, letztes jahr, letzten jahr, voriges jahr, année dernière, an dernier, año pasado, ano passado, anno scorso, vorig jaar, förra året, прошлом году, geçen yıl, geçen sene, 去年, 昨年, 작년, 지난해, العام الماضي, السنة الماضية, पिछले साल, ปีที่แล้ว',
  ],
  [
    'year',
    0,
    "this year, dieses jahr, diesem jahr, cette année, este año, este ano, quest'anno, dit jaar, этом году, bu yıl, 今年, 올해, هذا العام, इस साल, ปีนี้",
  ],
].map(([unit, back, names]) => [unit as CalendarUnit, back as number, listed(names as string)])

export type CalendarUnit = 'day' | 'week' | 'month' | 'year'

/** How a language says that something was so many days, weeks, months or years ago; the number is the first group. */
const AGO: readonly (readonly [pattern: string, units: Readonly<Record<CalendarUnit, string>>])[] = [
  ['(N) U ago', { day: 'days?', week: 'weeks?', month: 'months?', year: 'years?' }],
  ['vor (N) U', { day: 'tag(?:en)?', week: 'wochen?', month: 'monat(?:en)?', year: 'jahr(?:en)?' }],
  ['il y a (N) U', { day: 'jours?', week: 'semaines?', month: 'mois', year: 'ans?' }],
  ['hace (N) U', { day: 'dias?', week: 'semanas?', month: 'mes(?:es)?', year: 'anos?' }],
  ['ha (N) U', { day: 'dias?', week: 'semanas?', month: 'mes(?:es)?', year: 'anos?' }],
  ['(N) U fa', { day: 'giorn[oi]', week: 'settiman[ae]', month: 'mes[ei]', year: 'ann[oi]' }],
  ['(N) U geleden', { day: 'dag(?:en)?', week: '(?:week|weken)', month: 'maand(?:en)?', year: 'jaar' }],
  ['(N) U назад', { day: '(?:день|дня|дней)', week: 'недел[июь]', month: 'месяц(?:а|ев)?', year: '(?:год|года|лет)' }],
  ['(N) U once', { day: 'gun', week: 'hafta', month: 'ay', year: 'yil' }],
  ['(N) ?U前', { day: '[天日]', week: '(?:个?星期|周|週間)', month: '(?:个月|か月|ヶ月|カ月)', year: '年' }],
  ['(N) ?U 전', { day: '일', week: '주', month: '(?:달|개월)', year: '년' }],
]

const numbers: ReadonlyMap<string, number> = numbered(
  normaliseWord(`a an one ein einem einer eine un une uno una один одну bir 一 한
two couple zwei deux dos due dois twee два две iki 二 两 두
three few drei trois tres tre três drie три üç 三 세
four vier quatre cuatro quattro quatro четыре dört 四 네
five fünf cinq cinco cinque vijf пять beş 五 다섯
six sechs six seis sei zes шесть altı 六
seven sieben sept siete sette sete zeven семь yedi 七
eight acht huit ocho otto oito восемь sekiz 八
nine neun neuf nueve nove negen девять dokuz 九
ten zehn dix diez dieci dez tien десять on 十`),
  1,
  1,
)

/** With a word that the text must have: without it, the pattern need not be tried, or even compiled. */
export const agoPatterns: readonly (readonly [pattern: RegExp, unit: CalendarUnit, word: string])[] = AGO.flatMap(
  ([pattern, units]) =>
    (Object.entries(units) as [CalendarUnit, string][]).map(
      ([unit, name]) =>
        [
          new RegExp(
            pattern
              .replace('N', () => `\\d{1,3}|${[...numbers.keys()].join('|')}`)
              .replace('U', () => name)
              .replace(/^/, '(?<![\\p{L}\\p{N}])')
              .replace(/$/, /[\u3000-\u9fff\uac00-\ud7af]/.test(pattern) ? '' : '(?![\\p{L}\\p{N}])'),
            'gu',
          ),
          unit,
          pattern.replace(/\(N\)|[ ?]*U/g, '').trim(),
        ] as const,
    ),
)

/** A number in digits or in words. */
export function countOf(text: string): number {
  return numbers.get(text) ?? Number(text)
}

/** Matches any of the names: as whole words where the script has spaces, anywhere where it has none. The longest comes first. */
export function anyOf(names: Iterable<string>): string {
  const all = [...names].toSorted((a, b) => b.length - a.length)
  const spaced = all.filter((name) => !UNSPACED.test(name))
  const unspaced = all.filter((name) => UNSPACED.test(name))
  return [
    ...(spaced.length === 0 ? [] : [`(?<![\\p{L}\\p{N}])(?:${spaced.join('|')})(?![\\p{L}\\p{N}])`]),
    ...unspaced,
  ].join('|')
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u

function listed(names: string): readonly string[] {
  return normaliseWord(names)
    .split(',')
    .map((name) => name.trim())
}

function phrases(back: number, names: string): readonly (readonly [string, number])[] {
  return listed(names).map((name) => [name, back])
}

function named(lines: string): ReadonlyMap<string, readonly [number, number]> {
  return new Map(
    lines
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [month = 0, day = 0] = line.split(' ', 1)[0]?.split('-').map(Number) ?? []
        return listed(line.slice(line.indexOf(' '))).map((name) => [name, [month, day]] as const)
      }),
  )
}
