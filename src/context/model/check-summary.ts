import type { Identifier } from '../../domain/fold.ts'
import { inventedNames } from './invented-names.ts'
import { byTrust } from '../summary/fold-text.ts'
import { visibleIn } from '../summary/ledger.ts'
import { namesLine } from '../summary/names-line.ts'
import { dataLine } from '../summary/marker.ts'
import { isOrder } from '../../model/is-order.ts'
import { isRefusal } from '../../model/is-refusal.ts'
import type { SummaryFault } from './model-failure.ts'
import { type SummarySection, renderAnswer } from './parse-answer.ts'
import { isForeignScript } from './script.ts'

export interface SummaryRequest {
  /** Everything the summary may know: the text of what it stands for. */
  readonly source: string
  /** What the model was told to do. */
  readonly instructions: string
  /** What must stay visible, to the letter. */
  readonly vital: readonly Identifier[]
  readonly tokensMax: number
  readonly count: (text: string) => number | Promise<number>
}

export type CheckedSummary =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: SummaryFault; readonly names?: readonly string[] }

/** A sentence of the instructions that is shorter could be said by chance. */
const LEAK_CHARACTERS_MIN = 40

const TAGS = /<\/?(?:system|assistant|user|instructions?|long_term_memory|tool_(?:call|result)s?)\b[^<>]{0,80}>/gi

/**
 * Judges a summary by rules, since there is nobody else to judge it. Names that must stay visible and are missing are
 * added at its end if they fit.
 */
export async function checkSummary(told: readonly SummarySection[], terms: SummaryRequest): Promise<CheckedSummary> {
  const items = told.filter(({ section }) => section.oneOf === undefined).flatMap((list) => list.items)
  if (items.every(isRefusal)) return { ok: false, reason: 'refused' }
  const text = renderAnswer(told)
  // First, so that what comes next has a bounded text to look at.
  if ((await terms.count(text)) > terms.tokensMax) return { ok: false, reason: 'longer' }
  if (items.some(isOrder) || text.match(TAGS)?.some((tag) => !terms.source.includes(tag)))
    return { ok: false, reason: 'instructing' }
  if (isLeak(text, terms)) return { ok: false, reason: 'leaked' }
  if (isForeignScript(text, terms.source)) return { ok: false, reason: 'wrong-language' }
  const invented = inventedNames(text, terms.source)
  if (invented.length > 0) return { ok: false, reason: 'invented-identifiers', names: invented }
  return keepVisible(text, terms)
}

/** The text with what it must show and does not; no text if that is too long. */
async function keepVisible(text: string, { vital, tokensMax, count }: SummaryRequest): Promise<CheckedSummary> {
  const completed = withVital(text, vital)
  if (completed === text || (await count(completed)) <= tokensMax) return { ok: true, text: completed }
  const isVisible = visibleIn([{ role: 'user', parts: [{ type: 'text', text }] }])
  const missing = vital.filter((identifier) => !isVisible(identifier)).map((identifier) => identifier.text)
  return { ok: false, reason: 'lost-identifiers', names: [...new Set(missing)] }
}

/** A text with the names that it lacks: those that only untrusted sources mentioned on a line of their own. */
export function withVital(text: string, vital: readonly Identifier[]): string {
  const [own, foreign] = byTrust(vital)
  const all = { charactersMax: Infinity, othersMax: 0 }
  const lines = [
    namesLine('Kept:', dataLine(text), own, all),
    namesLine('Named only here:', dataLine(text), foreign, all),
  ]
  return [text, ...lines.filter((line) => line !== '')].join('\n')
}

/** A conversation about these very instructions may repeat them. */
function isLeak(text: string, { instructions, source }: SummaryRequest): boolean {
  const said = text.toLowerCase()
  return instructions
    .split(/\n|(?<=[.:;])\s/)
    .map((sentence) => dataLine(sentence).replace(/^- |[.:;]$/g, ''))
    .filter((sentence) => sentence.length >= LEAK_CHARACTERS_MIN)
    .some((sentence) => said.includes(sentence.toLowerCase()) && !source.includes(sentence))
}
