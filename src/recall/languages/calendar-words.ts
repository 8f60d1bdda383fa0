import { normaliseWord } from '../normalise-word.ts'
import { numbered, wordSet } from './language-pack.ts'

/** Month names of languages that have no pack of their own, one month per line. */
export const monthsElsewhere: ReadonlyMap<string, number> = numbered(
  normaliseWord(`janvier enero gennaio janeiro januari января январе январь ocak
février febrero febbraio fevereiro februari февраля феврале февраль şubat
mars marzo março maart марта марте март mart
avril abril aprile апреля апреле апрель nisan
mai mayo maggio maio mei мая мае май mayıs
juin junio giugno junho juni июня июне июнь haziran
juillet julio luglio julho juli июля июле июль temmuz
août agosto augustus августа августе август ağustos
septembre septiembre settembre setembro сентября сентябре сентябрь eylül
octobre octubre ottobre outubro oktober октября октябре октябрь ekim
novembre noviembre novembro ноября ноябре ноябрь kasım
décembre diciembre dicembre dezembro декабря декабре декабрь aralık`),
  1,
  1,
)

/** Days that have a name, by month and day. */
export const holidays: ReadonlyMap<string, readonly [month: number, day: number]> = new Map(
  Object.entries({
    'christmas eve': [12, 24],
    heiligabend: [12, 24],
    'christmas day': [12, 25],
    christmas: [12, 25],
    weihnachten: [12, 25],
    'boxing day': [12, 26],
    "new year's eve": [12, 31],
    'new years eve': [12, 31],
    silvester: [12, 31],
    "new year's day": [1, 1],
    neujahr: [1, 1],
    "valentine's day": [2, 14],
    halloween: [10, 31],
    圣诞节: [12, 25],
  } satisfies Record<string, [number, number]>),
)

/** Yesterday, today and the day before yesterday, as days back from now. */
export const daysBack: ReadonlyMap<string, number> = new Map(
  [
    'today heute 今天 今日 hoy hoje oggi vandaag сегодня bugün اليوم आज 오늘 วันนี้',
    'yesterday gestern 昨天 昨日 ayer ontem ieri hier gisteren igår вчера dün أمس امس 어제 เมื่อวาน',
    'vorgestern 前天 一昨日 anteayer anteontem avant-hier позавчера 그저께',
  ].flatMap((words, back) => [...wordSet(normaliseWord(words))].map((word) => [word, back] as const)),
)

/** Sunday first. */
export const weekdays: readonly (readonly string[])[] = [
  ['sunday', 'sonntag'],
  ['monday', 'montag'],
  ['tuesday', 'dienstag'],
  ['wednesday', 'mittwoch'],
  ['thursday', 'donnerstag'],
  ['friday', 'freitag'],
  ['saturday', 'samstag', 'sonnabend'],
]
