import type { Identifier } from '../../domain/fold.ts'
import { asQuoted } from './quoted-block.ts'
import type { IdentifierMention } from './ledger.ts'
import { FOLD_ID, dataLine } from './marker.ts'
import { seriesOf } from './series.ts'
import { hasWhole } from './whole-name.ts'

/** So many names of one kind that only one message has are a list, of which the first and the last are named. */
const LIST_MIN = 5
/** Kinds of which the first and the last of many say what the others are. Of many numbers, times or words they do not. */
const TELLING: ReadonlySet<Identifier['kind']> = new Set(['path', 'url', 'email', 'code', 'error'])
/** Where in a text something is says nothing without the text. */
const PLACE = /^(?:line|page)[ :]/i

/** An identifier with the messages that have it, if that is known. */
type Name = IdentifierMention & Partial<Pick<Identifier, 'seqs'>>

/**
 * A stand-in's text with the vital identifiers that it lacks, as one more line of at most `charactersMax` characters:
 * `Kept: src/a.ts; ERR-7731`. Those that do not fit are counted at its end.
 */
export function keepVital(text: string, identifiers: readonly IdentifierMention[], charactersMax: number): string {
  const line = namesLine('Kept:', dataLine(text), identifiers, { charactersMax, othersMax: 0 })
  return line === '' ? text : `${text}\n${line}`
}

/** Some names that are shown as one: `k-1–40`, `src/a.ts … src/z.ts (26)`. */
interface NameGroup {
  readonly text: string
  readonly count: number
  readonly vital: boolean
  readonly rank: number
}

/**
 * The line alone, under a label. The vital identifiers come first; others may take `othersMax` of what those leave. Empty if the
 * text lacks none or there is no room.
 */
export function namesLine(
  label: string,
  shown: string,
  identifiers: readonly Name[],
  { charactersMax, othersMax }: { readonly charactersMax: number; readonly othersMax: number },
): string {
  const wanted = identifiers.filter(({ vital, text }) => vital || (othersMax > 0 && !PLACE.test(text)))
  const absent = distinct(wanted).filter(({ text }) => text !== '' && !isShown(shown, text))
  const groups = groupsOf(absent)
  const missing = absent.length
  const more = (count: number): string => (count === 0 ? '' : ` (${count} more in ${FOLD_ID})`)
  const room = charactersMax - more(missing).length
  let line = label
  let left = missing
  let others = othersMax
  for (const { text, vital, count } of groups) {
    const piece = line === label ? ` ${text}` : `; ${text}`
    if (line.length + piece.length > room || (!vital && piece.length > others)) continue
    // A longer one may contain it.
    if (!hasWhole(line, text)) line += piece
    if (!vital) others -= piece.length
    left -= count
  }
  return line === label ? '' : `${line}${more(left)}`
}

/** Each name once, on one line; one that is vital somewhere is vital. */
function distinct(identifiers: readonly Name[]): readonly Name[] {
  const names = new Map<string, Name>()
  for (const one of identifiers.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const text = dataLine(one.text)
    if (!names.has(text)) names.set(text, { ...one, text })
  }
  return [...names.values()]
}

/**
 * Names as they are shown: errors and names that nobody asked for as one if they differ in a number, and lists of one message by
 * their ends. What the user named is shown as it is.
 */
function groupsOf(names: readonly Name[]): readonly NameGroup[] {
  const isNumbered = ({ kind, vital }: Name): boolean => kind === 'error' || (kind !== 'date' && !vital)
  const series = seriesOf(names.filter(isNumbered), {
    text: ({ text }) => text,
    place: (name) => name.seqs?.[0] ?? name,
  })
  const single = names.filter((name) => !isNumbered(name))
  const groups: NameGroup[] = []
  for (const { items, text } of series) {
    const [first] = items as [Name]
    if (items.length === 1) single.push(first)
    else if (TELLING.has(first.kind))
      groups.push(groupOf(items, first.kind === 'error' ? `${text} (${items.length} times)` : text))
  }
  const lists = Map.groupBy(single, (name) => (name.vital ? name : listOf(name)))
  for (const items of lists.values()) {
    const [first, last] = [items[0] as Name, items.at(-1) as Name]
    if (items.length < LIST_MIN) groups.push(...items.map((item) => groupOf([item], item.text)))
    else if (TELLING.has(first.kind)) groups.push(groupOf(items, `${first.text} … ${last.text} (${items.length})`))
  }
  return groups.toSorted((a, b) => a.rank - b.rank)
}

/** What the others of a list have in common with a name: the message, the kind, and of paths the folder. */
function listOf({ kind, text, seqs }: Name): string {
  return `${seqs?.[0] ?? text} ${kind} ${kind === 'path' ? text.slice(0, text.lastIndexOf('/') + 1) : ''}`
}

function groupOf(items: readonly Name[], text: string): NameGroup {
  const vital = items.some((item) => item.vital)
  const rank = items.reduce((best, item) => Math.min(best, rankOf(item)), Infinity)
  // A list says less than a name.
  return { text, count: items.length, vital, rank: rank + (items.length > 1 && !vital ? 2 : 0) }
}

/** Where not all fit: what cannot be guessed comes before what a reader may have rounded or put in other words. */
function rankOf({ kind, vital }: IdentifierMention): number {
  return (vital ? 0 : 2) + (kind === 'number' || kind === 'date' || kind === 'quoted' ? 1 : 0)
}

/** As it is, or as a quoted block writes it. */
function isShown(text: string, name: string): boolean {
  return hasWhole(text, name) || hasWhole(text, asQuoted(name))
}
