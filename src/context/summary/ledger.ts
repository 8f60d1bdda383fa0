import type { Fold, Identifier } from '../../domain/fold.ts'
import type { JSONValue } from '../../domain/json.ts'
import type { Draft, Message } from '../../domain/message.ts'
import type { Part, ToolOutput } from '../../domain/part.ts'
import { messageText } from '../../log/message-text.ts'
import { Turns } from '../../log/turns.ts'
import { type Pausing, atOnce, withPauses } from '../../log/with-pauses.ts'
import type { Entry } from '../window/entry.ts'
import { firstCharacters } from './excerpt.ts'
import { ERROR_REPORTS, IDENTIFIER_PATTERNS } from './identifier-patterns.ts'
import { dataLine } from './marker.ts'
import { type Trust, highestTrust, trustOfMessage } from '../../domain/trust.ts'
import { asQuoted } from './quoted-block.ts'
import { hasWhole, isWholeAt } from './whole-name.ts'

/** Of one fold. Past it a ledger would be as large as what it stands for; the vital ones come first, then the newest. */
export const LEDGER_IDENTIFIERS_MAX = 1_000
/** Distinct ones held while reading: a bound on memory for a fold of a million messages. */
const COLLECTED_MAX = 10_000
/** Pointers of one identifier: the first ones and the newest. */
const SEQS_MAX = 16
const ERROR_CHARACTERS_MAX = 240
/** Of a line that is looked at for an error: reports begin with what happened. */
const LINE_CHARACTERS_MAX = 1_000
const ERRORS_PER_TEXT_MAX = 200
/** Of a text that is searched at once; some milliseconds. It ends with the last line, or word, in its tail. */
const STRETCH_CHARACTERS = 65_536
const STRETCH_TAIL_CHARACTERS = 8_192
/** Hides what one pattern has found from the next, and keeps all offsets. */
const HIDDEN = '\u0001'

/** The identifiers of a fold. */
export interface Ledger {
  /** By first appearance. */
  readonly identifiers: readonly Identifier[]
  /** How many there were besides: counted by mention where there were too many to tell apart. */
  readonly omitted: number
}

/** An identifier in a text, before it is known which messages have it. */
export type IdentifierMention = Pick<Identifier, 'kind' | 'text' | 'vital'>

/** All identifiers of messages, by first appearance, each once. Linear in the text. */
export function identifiersOf(messages: readonly Message[]): readonly Identifier[] {
  const book = new Book()
  for (const message of messages) book.addMessage(message)
  return book.close(COLLECTED_MAX).identifiers
}

/** What a fold of these entries hides: of messages what they say, of folds what their own ledgers say. */
export function ledgerOf(entries: readonly Entry[], max: number = LEDGER_IDENTIFIERS_MAX): Ledger {
  return atOnce(readLedger(entries, max))
}

/** The same. While long messages are read, others run in between. */
export function ledgerInTurns(entries: readonly Entry[], max: number = LEDGER_IDENTIFIERS_MAX): Promise<Ledger> {
  return withPauses(readLedger(entries, max))
}

/** The same, for work that pauses by itself. */
export function* readLedger(entries: readonly Entry[], max: number = LEDGER_IDENTIFIERS_MAX): Pausing<Ledger> {
  const book = new Book()
  for (const entry of entries) {
    if (entry.type === 'fold') book.addFold(entry.fold)
    else for (const _ of book.eachStretch(entry.message)) yield
    yield
  }
  return book.close(max)
}

/** The identifiers of one text, by first appearance; repeated ones repeat. What the user said is vital, and so is an error. */
export function mentionsIn(text: string, speaker: 'user' | 'other'): readonly IdentifierMention[] {
  return [...stretchesOf(text)].flatMap((stretch) => mentionsInStretch(stretch, speaker))
}

/** A long text in pieces that end at the end of a line or word: patterns that run over all of it cannot be interrupted. */
function* stretchesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + STRETCH_CHARACTERS)
    if (end < text.length) {
      const tail = text.slice(end - STRETCH_TAIL_CHARACTERS, end)
      const last = Math.max(tail.lastIndexOf('\n'), tail.includes('\n') ? -1 : tail.lastIndexOf(' '))
      if (last >= 0) end += last + 1 - STRETCH_TAIL_CHARACTERS
    }
    yield text.slice(start, end)
    start = end
  }
}

function mentionsInStretch(text: string, speaker: 'user' | 'other'): readonly IdentifierMention[] {
  const found: { readonly at: number; readonly mention: IdentifierMention }[] = []
  for (const { at, line } of errorLines(text)) found.push({ at, mention: { kind: 'error', text: line, vital: true } })
  let rest = text.includes(HIDDEN) ? text.replaceAll(HIDDEN, ' ') : text
  for (const { kind, pattern, needs, exact, userOnly } of IDENTIFIER_PATTERNS) {
    if ((userOnly === true && speaker !== 'user') || (needs !== undefined && !rest.includes(needs))) continue
    rest = rest.replaceAll(pattern, (...match) => {
      const [whole, at] = [match[0] as string, match.findLast((value) => typeof value === 'number') as number]
      const name = exact === undefined ? whole : exact(whole)
      if (name === undefined || name.trim() === '') return whole
      found.push({ at, mention: { kind, text: name, vital: speaker === 'user' } })
      return HIDDEN.repeat(whole.length)
    })
  }
  return found.toSorted((a, b) => a.at - b.at).map(({ mention }) => mention)
}

/** Whether identifiers can be read in drafts: as they are written, but for white space. */
export function visibleIn(drafts: readonly Draft[]): (identifier: Pick<Identifier, 'text'>) => boolean {
  return finderIn(dataLine(drafts.flatMap(allTexts).join('\n')))
}

function allTexts(draft: Draft): readonly string[] {
  return [messageText(draft), ...draftTexts(draft).map(({ text }) => text)]
}

/** Those of the identifiers for which `visibleIn` is true. While long drafts are read, others run. */
export async function visibleAmong(
  drafts: readonly Draft[],
  identifiers: readonly Identifier[],
): Promise<ReadonlySet<Identifier>> {
  const turns = new Turns()
  const seen = new Set<Identifier>()
  let left = identifiers
  let waiting: string[] = []
  const look = (): void => {
    const isVisible = finderIn(dataLine(waiting.join('\n')))
    waiting = []
    for (const identifier of left) if (isVisible(identifier)) seen.add(identifier)
    left = left.filter((identifier) => !seen.has(identifier))
  }
  let characters = 0
  for (const draft of drafts)
    for (const stretch of allTexts(draft).flatMap((text) => [...stretchesOf(text)])) {
      waiting.push(stretch)
      characters += stretch.length
      if (characters < STRETCH_CHARACTERS) continue
      characters = 0
      look()
      if (turns.isOver) await turns.take()
    }
  look()
  return seen
}

/** Everything in a draft that somebody wrote, decoded: arguments and JSON results without their escapes. */
export function draftTexts(draft: Draft): readonly DraftText[] {
  return draft.parts.flatMap((part) => partTexts(part)).filter(({ text }) => text !== '')
}

interface DraftText {
  readonly text: string
  readonly failed: boolean
  /** It is what a tool returned, whoever's message carries it. */
  readonly returned: boolean
}

function partTexts(part: Part): readonly DraftText[] {
  const whole = (text: string | undefined): readonly DraftText[] => [
    { text: text ?? '', failed: false, returned: false },
  ]
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return whole(part.text)
    case 'image':
    case 'file':
      return whole(
        [part.name ?? '', part.source.type === 'url' && !part.source.url.startsWith('data:') ? part.source.url : '']
          .join(' ')
          .trim(),
      )
    case 'audio':
      return whole(part.transcript)
    case 'tool-call':
      return whole(decoded(part.arguments))
    case 'tool-result':
      return [
        {
          text: outputWords(part.output),
          failed: part.outcome === 'error' || part.outcome === 'denied',
          returned: true,
        },
      ]
    case 'agent-call':
      return whole(leavesOf(part.request))
    case 'data':
      return whole(leavesOf(part.data))
  }
}

/** The words of a result. */
export function outputWords(output: ToolOutput): string {
  if (output.type === 'text') return output.text
  if (output.type === 'json') return leavesOf(output.value)
  return output.parts.flatMap((part) => partTexts(part).map(({ text }) => text)).join('\n')
}

function decoded(json: string): string {
  try {
    return leavesOf(JSON.parse(json) as JSONValue)
  } catch {
    return json
  }
}

/** The values of a JSON document, a line each, scalars with their keys: `port: 8080`. */
function leavesOf(value: JSONValue): string {
  const lines: string[] = []
  const walk = (item: JSONValue, key: string): void => {
    if (typeof item === 'string') lines.push(item)
    else if (Array.isArray(item)) for (const element of item as readonly JSONValue[]) walk(element, key)
    else if (typeof item === 'object' && item !== null)
      for (const [name, field] of Object.entries(item)) walk(field as JSONValue, name)
    else lines.push(key === '' ? String(item) : `${key}: ${String(item)}`)
  }
  walk(value, '')
  return lines.join('\n')
}

/** The lines of a text that report an error. */
export function errorsIn(text: string): readonly string[] {
  return errorLines(text).map(({ line }) => line)
}

function errorLines(
  text: string,
  max: number = ERRORS_PER_TEXT_MAX,
): readonly { readonly at: number; readonly line: string }[] {
  const found: { at: number; line: string }[] = []
  let at = 0
  for (const line of text.split('\n')) {
    const start = line.length > LINE_CHARACTERS_MAX ? line.slice(0, LINE_CHARACTERS_MAX) : line
    const reported = reportedAt(start)
    if (reported !== undefined) found.push({ at, line: errorText(start, reported) })
    if (found.length >= max) break
    at += line.length + 1
  }
  return found
}

/** Where a line begins to report an error. */
function reportedAt(line: string): number | undefined {
  if (line === '') return undefined
  for (const report of ERROR_REPORTS) {
    const match = report.exec(line)
    if (match !== null) return match.index
  }
  return undefined
}

/** The line, or of a long one what stands from the report on. */
function errorText(line: string, reported = 0): string {
  const whole = line.trim()
  return whole.length <= ERROR_CHARACTERS_MAX
    ? whole
    : firstCharacters(line.slice(reported).trim(), ERROR_CHARACTERS_MAX)
}

/** A mention, and how far its source is trusted. */
type Named = IdentifierMention & { readonly trust: Trust }

/** Collects identifiers over messages. */
class Book {
  readonly #found: Map<string, { mention: Named; seqs: number[] }> = new Map()
  #omitted = 0

  addMessage(message: Message): void {
    for (const _ of this.eachStretch(message));
  }

  /** Yields after each stretch of its text. */
  *eachStretch(message: Message): Generator<void> {
    const speaker = message.role === 'user' ? 'user' : 'other'
    const own = trustOfMessage(message)
    for (const { text, failed, returned } of draftTexts(message)) {
      const trust = returned ? 0 : own
      const mentions: IdentifierMention[] = []
      for (const stretch of stretchesOf(text)) {
        for (const mention of mentionsInStretch(stretch, speaker)) mentions.push(mention)
        yield
      }
      if (failed && !mentions.some(({ kind }) => kind === 'error')) {
        const [line] = text.trim().split('\n', 1)
        this.add({ kind: 'error', text: errorText(line ?? ''), vital: true, trust }, [message.seq])
      }
      for (const mention of mentions) this.add({ ...mention, trust }, [message.seq])
    }
  }

  addFold({ ledger, omitted }: Pick<Fold, 'ledger' | 'omitted'>): void {
    for (const identifier of ledger) this.add(identifier, identifier.seqs)
    this.#omitted += omitted
  }

  add(mention: Named, seqs: readonly number[]): void {
    const key = `${mention.kind} ${mention.text}`
    const known = this.#found.get(key)
    if (known === undefined) {
      if (this.#found.size >= COLLECTED_MAX) this.#omitted++
      else
        this.#found.set(key, {
          mention: {
            kind: mention.kind,
            text: mention.text,
            vital: mention.vital,
            trust: highestTrust([mention.trust]),
          },
          seqs: seqs.slice(0, SEQS_MAX),
        })
      return
    }
    known.mention = {
      ...known.mention,
      vital: known.mention.vital || mention.vital,
      trust: highestTrust([known.mention.trust, mention.trust]),
    }
    for (const seq of seqs) {
      if (known.seqs.includes(seq)) continue
      if (known.seqs.length < SEQS_MAX) known.seqs.push(seq)
      else if (seq > (known.seqs.at(-1) ?? 0)) known.seqs[SEQS_MAX - 1] = seq
    }
  }

  close(max: number): Ledger {
    const all = [...this.#found.values()].map(({ mention, seqs }) => ({
      ...mention,
      seqs: seqs.toSorted((a, b) => a - b),
    }))
    if (all.length <= max) return { identifiers: all, omitted: this.#omitted }
    const vital = spread(
      all.filter((identifier) => identifier.vital),
      max,
    )
    const others = spread(
      all.filter((identifier) => !identifier.vital),
      max - vital.length,
    )
    const chosen = new Set([...vital, ...others])
    return { identifiers: all.filter((one) => chosen.has(one)), omitted: this.#omitted + all.length - chosen.size }
  }
}

/** So many of them: the newer half of the places for the newest, the rest from all over the time before. */
function spread<Item>(items: readonly Item[], max: number): readonly Item[] {
  if (items.length <= max) return items
  const newest = Math.ceil(max / 2)
  const older = items.slice(0, items.length - newest)
  const places = max - newest
  return [
    ...Array.from({ length: places }, (_, place) => older[Math.floor((place * older.length) / places)] as Item),
    ...items.slice(items.length - newest),
  ]
}

/**
 * Answers for many names what `hasWhole` answers for one. Every run of letters and digits of a whole name is a whole run of
 * the text, so it is enough to look where the longest of them stands: a window has thousands of names.
 */
function finderIn(text: string): (identifier: Pick<Identifier, 'text'>) => boolean {
  let places: ReadonlyMap<string, readonly number[]> | undefined
  return (identifier) => {
    const isThere = (name: string): boolean => {
      const run = longestRun(name)
      if (run === undefined) return hasWhole(text, name)
      places ??= placesOfRuns(text)
      return (places.get(run.text) ?? []).some((place) => isWholeAt(text, name, place - run.at))
    }
    const name = dataLine(identifier.text)
    return isThere(name) || isThere(asQuoted(name))
  }
}

const RUN = /[A-Za-z0-9]+/g

function longestRun(name: string): { readonly text: string; readonly at: number } | undefined {
  let best: { readonly text: string; readonly at: number } | undefined
  for (const { 0: text, index: at } of name.matchAll(RUN))
    if (best === undefined || text.length > best.text.length) best = { text, at }
  return best
}

function placesOfRuns(text: string): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  for (const { 0: run, index } of text.matchAll(RUN)) {
    const known = places.get(run)
    if (known === undefined) places.set(run, [index])
    else known.push(index)
  }
  return places
}
