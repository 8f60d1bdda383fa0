import { type Pausing, atOnce } from '../../log/with-pauses.ts'
import { estimator } from '../../tokens/estimate.ts'
import { type Candidate, type ExtractedLine, candidatesOf } from './candidates.ts'
import type { Entry } from '../window/entry.ts'
import { clip } from './excerpt.ts'
import { foldText, lineText } from './fold-text.ts'
import { summaryMarker } from './marker.ts'
import { QUOTED_FRAME_TOKENS } from './quoted-block.ts'
import { termsOf } from './sentences.ts'

export interface ExtractOptions {
  /** Upper bound for the text, by our own estimate, which is a little high. The marker is there even if nothing else fits. */
  readonly tokensMax: number
}

export interface ChooseLinesOptions extends ExtractOptions {
  /** What will stand above the lines, within the same bound. */
  readonly heading: string
  /** Only lines that are worth so much. @default all but small talk */
  readonly worthMin?: number
}

const LINE_CHARACTERS_MIN = 100
const LINE_CHARACTERS_MAX = 300
/** Characters of a token in the widest text; a line that would take a third of the whole is cut. */
const CHARACTERS_PER_TOKEN = 3
const LINES_AIMED_FOR = 3
/** A line shorter than this says nothing: label and a word or two. */
const LINE_TOKENS_MIN = 5
/** Words in more than this share of all lines are no topic, in whatever language. */
const COMMON_SHARE = 0.25
/** In few lines a topic is in most of them. */
const COMMON_MIN = 6
/** What is most central is worth so much more: it decides between lines that are worth the same otherwise. */
const CENTRAL_WORTH = 0.4
/** What is worth less is not told, even if there is room. */
const SMALL_TALK = -1
/** Lines that are worth less make no difference to a summary. */
const WEAK = 1
/** Between sentences of one message that were not neighbours. */
const GAP = ' … '

/**
 * A summary without a model: the lines that matter most, word for word, under a line that says how many messages it
 * stands for and when they were said. Decisions, requests, rules and open questions come first, then errors, numbers and names, then
 * what is most central; told in the order in which it happened. The same entries always give the same text.
 */
export function extract(entries: readonly Entry[], { tokensMax }: ExtractOptions): string {
  const heading = summaryMarker(entries)
  const all = atOnce(rankedLines(entries))
  return foldText({ heading, lines: atOnce(chooseLines(all, { tokensMax, heading })) })
}

/** The lines that could stand for entries, each with what it is worth. */
export function* rankedLines(entries: readonly Entry[]): Pausing<readonly RankedLine[]> {
  const candidates = yield* candidatesOf(entries)
  return yield* ranked(distinct(candidates.map((line) => ({ ...line, text: clip(line.text, LINE_CHARACTERS_MAX) }))))
}

/** Those that are worth most and fit, in the order in which they were said. */
export function* chooseLines(
  all: readonly RankedLine[],
  options: ChooseLinesOptions,
): Pausing<readonly ExtractedLine[]> {
  const room = options.tokensMax - estimator().count(`${options.heading}\n`)
  if (room < LINE_TOKENS_MIN) return []
  const characters = Math.floor((room * CHARACTERS_PER_TOKEN) / LINES_AIMED_FOR)
  const lineMax = Math.max(LINE_CHARACTERS_MIN, characters)
  const { worthMin = SMALL_TALK } = options
  const lines = all
    .filter(({ score }) => score >= worthMin)
    .map((line) => (line.text.length <= lineMax ? line : { ...line, text: clip(line.text, lineMax) }))
    .toSorted(moreWorth)
  const plain = yield* choose(
    lines.filter(({ quoted }) => !quoted),
    room,
  )
  // The frame of a block is paid once, by the first quoted line. It has to be worth what it keeps out.
  const framed = yield* choose(lines, room - QUOTED_FRAME_TOKENS)
  return yield* fitting(isBetter(framed, plain) ? framed : plain, options)
}

function isBetter(framed: readonly RankedLine[], plain: readonly RankedLine[]): boolean {
  const gain = total(framed) - total(plain)
  return framed.some(({ quoted }) => quoted) && (gain > 0 || (gain === 0 && framed.length > plain.length))
}

function total(lines: readonly RankedLine[]): number {
  return lines.reduce((sum, { score }) => sum + Math.max(0, score - WEAK), 0)
}

/** What was chosen last goes until the whole fits: a text may count for more than its lines, because they say what language it is in. */
function* fitting(
  chosen: readonly RankedLine[],
  { tokensMax, heading }: ChooseLinesOptions,
): Pausing<readonly ExtractedLine[]> {
  for (let count = chosen.length; count > 0; count--) {
    yield
    const lines = together(chosen.slice(0, count).toSorted((a, b) => a.index - b.index))
    if (estimator().count(foldText({ heading, lines })) <= tokensMax) return lines
  }
  return []
}

/** Sentences of one message on one line: a request if one of them is, under the label of the first otherwise. */
function together(lines: readonly RankedLine[]): readonly ExtractedLine[] {
  const joined: { label: string; text: string; quoted: boolean; last: RankedLine }[] = []
  for (const line of lines) {
    const before = joined.at(-1)
    if (before !== undefined && belong(before.last, line)) {
      before.text += `${jointOf(before.last, line)}${line.text}`
      before.last = line
      if (line.label === 'User asked') before.label = line.label
    } else joined.push({ label: line.label, text: line.text, quoted: line.quoted, last: line })
  }
  return joined.map(({ label, text, quoted }) => ({ label, text, quoted }))
}

function jointOf(a: RankedLine, b: RankedLine): string {
  if (b.index !== a.index + 1) return GAP
  return /[.!?…:;,。！？]["')\]»”]?$/u.test(a.text) ? ' ' : '; '
}

/** Whether two lines can be told as one: the same voice in the same message. */
function belong(a: RankedLine, b: RankedLine): boolean {
  return a.from === b.from && !a.quoted && !b.quoted && (a.label === b.label || (isUser(a) && isUser(b)))
}

function isUser({ label }: RankedLine): boolean {
  return label === 'User asked' || label === 'User said'
}

/** A candidate with its place among all of them and what it is worth beside the others. */
export interface RankedLine extends Candidate {
  readonly index: number
  readonly score: number
}

/** As many of the first lines as fit. */
function* choose(lines: readonly RankedLine[], tokensMax: number): Pausing<readonly RankedLine[]> {
  const chosen: RankedLine[] = []
  let left = tokensMax
  for (const line of lines) {
    if (left < LINE_TOKENS_MIN) break
    yield
    const cost = estimator().count(`${lineText(line)}\n`)
    if (cost > left) continue
    chosen.push(line)
    left -= cost
  }
  return chosen
}

function moreWorth(a: RankedLine, b: RankedLine): number {
  return b.score - a.score || a.index - b.index
}

/** The same words once, where they are worth most. */
function distinct(candidates: readonly Candidate[]): readonly Candidate[] {
  const best = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const known = best.get(candidate.text)
    if (known === undefined || candidate.worth > known.worth) best.set(candidate.text, candidate)
  }
  return candidates.filter((candidate) => best.get(candidate.text) === candidate)
}

/**
 * How central a line is: how many of the other lines share its words, which is the sum over its words of the other lines
 * that have each. So it takes time linear in the text, where comparing all pairs would be quadratic.
 */
function* ranked(candidates: readonly Candidate[]): Pausing<readonly RankedLine[]> {
  const terms: ReadonlySet<string>[] = []
  for (const { text } of candidates) {
    terms.push(termsOf(text))
    yield
  }
  const lines = new Map<string, number>()
  for (const set of terms) for (const term of set) lines.set(term, (lines.get(term) ?? 0) + 1)
  const common = Math.max(COMMON_MIN, candidates.length * COMMON_SHARE)
  const overlap = terms.map((set) => {
    let sum = 0
    for (const term of set) {
      const count = lines.get(term) ?? 0
      if (count <= common) sum += count - 1
    }
    return sum / Math.log2(set.size + 2)
  })
  const most = overlap.reduce((max, value) => Math.max(max, value), 1)
  return candidates.map((candidate, index) => ({
    ...candidate,
    index,
    score: candidate.worth + (CENTRAL_WORTH * (overlap[index] ?? 0)) / most,
  }))
}
