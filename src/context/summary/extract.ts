import { estimator } from '../../tokens/estimate.ts'
import { type Candidate, type ExtractedLine, type Tier, candidatesOf } from './candidates.ts'
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

export interface ExtractLinesOptions extends ExtractOptions {
  /** What will stand above the lines, within the same bound. */
  readonly heading: string
}

/** What each kind of line may take before the others have had their turn; what is left goes by the same order. */
const SHARES: Readonly<Record<Tier, number>> = {
  asked: 0.35,
  decided: 0.12,
  answered: 0.15,
  failed: 0.13,
  value: 0.12,
  open: 0.08,
  central: 0.05,
}
const ORDER = Object.keys(SHARES) as readonly Tier[]
const LINE_CHARACTERS_MIN = 60
const LINE_CHARACTERS_MAX = 300
/** Characters of a token in the widest text; a line that would take a sixth of the whole is cut. */
const CHARACTERS_PER_TOKEN = 3
const LINES_AIMED_FOR = 6
/** A line shorter than this says nothing: label and a word or two. */
const LINE_TOKENS_MIN = 5
/** Words in more than this share of all lines are no topic, in whatever language. */
const COMMON_SHARE = 0.25
/** In few lines a topic is in most of them. */
const COMMON_MIN = 6

/**
 * A summary without a model: the lines that matter most, word for word, under a line that says how many messages it
 * stands for and when they were said. First what the user asked, then decisions, answers, errors, values and open items, then
 * what is most central; told in the order in which it happened. The same entries always give the same text.
 */
export function extract(entries: readonly Entry[], { tokensMax }: ExtractOptions): string {
  const heading = summaryMarker(entries)
  return foldText({ heading, lines: extractLines(entries, { tokensMax, heading }) })
}

/** The lines alone. */
export function extractLines(entries: readonly Entry[], options: ExtractLinesOptions): readonly ExtractedLine[] {
  const room = options.tokensMax - estimator().count(`${options.heading}\n`)
  if (room < LINE_TOKENS_MIN) return []
  const characters = Math.floor((room * CHARACTERS_PER_TOKEN) / LINES_AIMED_FOR)
  const lineMax = Math.max(LINE_CHARACTERS_MIN, Math.min(LINE_CHARACTERS_MAX, characters))
  const candidates = distinct(candidatesOf(entries).map((line) => ({ ...line, text: clip(line.text, lineMax) })))
  // The frame of a block is paid once, by the first quoted line. Where it would take most of the room, nothing is quoted.
  const frame = candidates.some(({ quoted }) => quoted) ? QUOTED_FRAME_TOKENS : 0
  if (frame * 2 > room) return fitting(choose(ranked(candidates.filter(({ quoted }) => !quoted)), room), options)
  return fitting(choose(ranked(candidates), room - frame), options)
}

/** What was chosen last goes until the whole fits: a text may count for more than its lines, because they say what language it is in. */
function fitting(chosen: readonly Ranked[], { tokensMax, heading }: ExtractLinesOptions): readonly ExtractedLine[] {
  for (let count = chosen.length; count > 0; count--) {
    const lines = chosen.slice(0, count).toSorted((a, b) => a.index - b.index)
    if (estimator().count(foldText({ heading, lines })) <= tokensMax) return lines
  }
  return []
}

/** A candidate with its place among all of them and what it is worth among those of its kind. */
interface Ranked extends Candidate {
  readonly index: number
  readonly score: number
}

/** Lines by worth, until the budget is spent: first each kind within its share, then all in the order of kinds. */
function choose(lines: readonly Ranked[], tokensMax: number): readonly Ranked[] {
  const chosen = new Set<Ranked>()
  let left = tokensMax
  const take = (line: Ranked, within: number): number => {
    if (chosen.has(line) || within < LINE_TOKENS_MIN) return 0
    const cost = estimator().count(`${lineText(line)}\n`)
    if (cost > within) return 0
    chosen.add(line)
    left -= cost
    return cost
  }
  const byWorth = ORDER.map((tier) => lines.filter((line) => line.tier === tier).toSorted(moreWorth))
  for (const [index, tier] of ORDER.entries()) {
    let share = tokensMax * SHARES[tier]
    for (const line of byWorth[index] ?? []) {
      share -= take(line, Math.min(share, left))
      if (share < LINE_TOKENS_MIN) break
    }
  }
  for (const line of byWorth.flat()) {
    if (left < LINE_TOKENS_MIN) break
    take(line, left)
  }
  return [...chosen]
}

function moreWorth(a: Ranked, b: Ranked): number {
  return b.score - a.score || a.index - b.index
}

/** The same words once, as the kind that is chosen first. */
function distinct(candidates: readonly Candidate[]): readonly Candidate[] {
  const best = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const known = best.get(candidate.text)
    if (known === undefined || ORDER.indexOf(candidate.tier) < ORDER.indexOf(known.tier))
      best.set(candidate.text, candidate)
  }
  return candidates.filter((candidate) => best.get(candidate.text) === candidate)
}

/**
 * How central a line is: how many of the other lines share its words, which is the sum over its words of the other lines
 * that have each. So it takes time linear in the text, where comparing all pairs would be quadratic. The first and
 * the last of each kind count for more: where a thing began, and how it stood in the end.
 */
function ranked(candidates: readonly Candidate[]): readonly Ranked[] {
  const terms = candidates.map(({ text }) => termsOf(text))
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
  const edges = edgesOf(candidates)
  return candidates.map((candidate, index) => ({
    ...candidate,
    index,
    score: (overlap[index] ?? 0) / most + (edges.has(index) ? 1 : 0),
  }))
}

function edgesOf(candidates: readonly Candidate[]): ReadonlySet<number> {
  return new Set(
    ORDER.flatMap((tier) => [
      candidates.findIndex((candidate) => candidate.tier === tier),
      candidates.findLastIndex((candidate) => candidate.tier === tier),
    ]),
  )
}
