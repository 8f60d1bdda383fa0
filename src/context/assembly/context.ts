import { defined } from '../../domain/defined.ts'
import { CONTINUE, START_OF_CONVERSATION } from '../../dialects/canonical/marks.ts'
import { lint } from '../../dialects/lint.ts'
import { repair } from '../../dialects/repair.ts'
import type { Dialect } from '../../domain/dialect.ts'
import { MemoryError } from '../../domain/error.ts'
import type { Draft } from '../../domain/message.ts'
import { REPLY_PRIMING_TOKENS } from '../../tokens/count-message.ts'
import { type Assembly, type PlacedUnit, assemble, needsOf } from './assemble.ts'
import { bareRequest, squeeze } from './squeeze.ts'
import { closingDrafts } from './close-calls.ts'
import { type Entry, draftsOf } from '../window/entry.ts'
import type { BlockLine, ContextReceipt } from '../../api/contexts.ts'
import { inDialect } from './in-dialect.ts'
import { contextReceipt } from './receipt.ts'
import { shownMessage } from '../in-part/shown-message.ts'
import type { Scale } from './scale.ts'
import { type Unit, findUnits } from '../window/unit.ts'

export interface AssembleRequest {
  readonly entries: readonly Entry[]
  /** Those entries as units. */
  readonly units: readonly Unit[]
  /** The same entries, before any of them was shown in part. */
  readonly whole: readonly Entry[]
  readonly pinned: ReadonlySet<number>
  /** Ids of messages that are pinned because they are important. */
  readonly important?: ReadonlySet<string>
  /** Tokens of the whole request, and what of it is set aside for tools and the reply. */
  readonly budget: number
  readonly reserve: number
  readonly scale: Scale
  /** The caller's own instructions: first, and never stored. */
  readonly system: readonly Draft[]
  /** After the system text. */
  readonly blocks: readonly AssembledBlock[]
  /** Said last and never stored: what was recalled, then the state of a plan. */
  readonly recalled: readonly Draft[]
  readonly plan: readonly Draft[]
  /** There was a plan, and it did not fit. */
  readonly planOmitted?: true
  /** Nothing is shown in part: what does not fit is an error. */
  readonly strict: boolean
  /** Bytes that the request's messages may have in a dialect. */
  readonly bytes?: {
    readonly dialect: Dialect
    readonly max: number
    readonly blobs: ReadonlyMap<string, Uint8Array>
    readonly model?: string
  }
}

/** A block as a model sees it, and what the receipt says of it: weighed once, by the scale of the request. */
export interface AssembledBlock {
  readonly draft: Draft
  readonly line: BlockLine
}

export interface Assembled {
  readonly messages: readonly Draft[]
  /** What each message costs. */
  readonly counts: readonly number[]
  /** Which of them stand in the log just so; the others were made or put right here. */
  readonly stored: ReadonlySet<Draft>
  /** How many messages at the beginning are system or pinned. */
  readonly stable: number
  readonly receipt: ContextReceipt
  /** What they count together, before anything a provider reported is taken into account, without what is `sure`. */
  readonly counted: Counted
}

/** Tokens of a context: those that are estimated, and those of pictures that the model counts just so. */
export interface Counted {
  readonly estimated: number
  readonly sure: number
}

/** What the parts of a window cost. */
interface Weights {
  readonly units: readonly Unit[]
  readonly ofEntry: (entry: Entry) => number
  /** A unit's entries, and the results that close its open calls. */
  readonly ofUnit: (unit: Unit) => number
  /** The caller's own instructions. */
  readonly system: number
  /** The blocks that are shown. */
  readonly blocks: number
  readonly recalled: number
  readonly plan: number
}

interface Attempt {
  readonly assembly: Assembly
  readonly messages: readonly Draft[]
  readonly changes: readonly { readonly message: string }[]
  readonly counts: readonly number[]
  /** Of the messages and the reply's beginning, as the scale counts and as they may cost. */
  readonly tokens: number
  readonly cost: number
  /** Of `tokens`, those that need no margin. */
  readonly sure: number
  readonly bytes: number
}

/**
 * The messages for one call of a model: valid, and within the budget however it is counted. What must be there and does not
 * fit is shown in part.
 *
 * @throws {MemoryError} `context/over-budget` if it does not fit even so, or if nothing may be shown in part.
 */
export async function assembleContext(terms: AssembleRequest): Promise<Assembled> {
  const filled = await fill(terms)
  if ('receipt' in filled) return filled
  if (terms.strict) throw overBudget(terms, filled.weights, filled.least)
  const { squeezed, bare } = await squeeze(terms, async (tried) => (await leastOf(tried)).fits)
  const again = squeezed === undefined ? undefined : await fill(squeezed)
  if (again !== undefined && 'receipt' in again) return again
  const { weights, least } = await leastOf(bare)
  throw overBudget(terms, weights, least)
}

interface Unfilled {
  readonly weights: Weights
  readonly least: Attempt
}

async function fill(terms: AssembleRequest): Promise<Assembled | Unfilled> {
  const weights = await weighWindow(terms)
  const first = await attempt(terms, weights)
  if (fits(first, terms)) return finished(first, terms, weights)
  // What repairing adds and how many bytes it makes is known only when it is written: so the largest part of the optional
  // units that fits is searched by halving. With none of them it is what must be there, and nothing smaller.
  let found: Attempt | undefined
  let least = first
  for (let [low, high] = [0, first.assembly.optional - 1]; low <= high;) {
    const middle = Math.ceil((low + high) / 2)
    const tried = await attempt(terms, weights, middle)
    if (fits(tried, terms)) [found, low] = [tried, middle + 1]
    else [least, high] = [tried, middle - 1]
  }
  return found === undefined ? { weights, least } : finished(found, terms, weights)
}

/** What must be in the context, and nothing else. */
async function leastOf(terms: AssembleRequest): Promise<Unfilled & { readonly fits: boolean }> {
  const weights = await weighWindow(terms)
  await findUnits(terms.entries)
  const least = await attempt(terms, weights, 0)
  return { weights, least, fits: fits(least, terms) }
}

/**
 * Nothing, if what must be in the context fits, whole or shown in part. Compacting changes none of it: so this is asked before,
 * and a context that is refused has changed nothing.
 *
 * @throws {MemoryError} `context/over-budget` otherwise.
 */
export async function checkNeeds(terms: AssembleRequest): Promise<void> {
  const whole = await leastOf(terms)
  if (whole.fits) return
  if (terms.strict) throw overBudget(terms, whole.weights, whole.least)
  const { weights, least, fits: enough } = await leastOf(await bareRequest(terms))
  if (!enough) throw overBudget(terms, weights, least)
}

async function attempt(terms: AssembleRequest, weights: Weights, optionalMax?: number): Promise<Attempt> {
  const { scale, budget, reserve, pinned, recalled, plan } = terms
  const own = weights.system + weights.blocks + weights.recalled + weights.plan
  const assembly = assemble({
    units: weights.units,
    pinned,
    budget: scale.usable(budget - reserve) - REPLY_PRIMING_TOKENS - own,
    weigh: weights.ofUnit,
    ...defined({ optionalMax }),
  })
  const { messages, changes } = finish(assembly, terms, [...recalled, ...plan])
  const counts = await weighKnown(terms, messages, assembly, weights)
  const tokens = counts.reduce(
    (sum, count) => sum + count,
    REPLY_PRIMING_TOKENS + (await weighAll(scale, ends(messages))),
  )
  const sure = messages.reduce((sum, message) => sum + scale.sure(message), 0)
  const cost = scale.cost(tokens, sure)
  return { assembly, messages, changes, counts, tokens, sure, cost, bytes: bytesOf(messages, terms) }
}

/** What a dialect may add so that the user has the first word, or the last. Counted for all: which it will be is not known yet. */
function ends(messages: readonly Draft[]): readonly Draft[] {
  const first = messages.find(({ role }) => role !== 'system')
  return [
    ...(first !== undefined && first.role !== 'user' ? [said(START_OF_CONVERSATION)] : []),
    ...(messages.at(-1)?.role === 'assistant' ? [said(CONTINUE)] : []),
  ]
}

function said(text: string): Draft {
  return { role: 'user', parts: [{ type: 'text', text }] }
}

function fits({ cost, bytes }: Attempt, terms: AssembleRequest): boolean {
  return cost <= terms.budget - terms.reserve && (terms.bytes === undefined || bytes <= terms.bytes.max)
}

function finished(attempted: Attempt, terms: AssembleRequest, weights: Weights): Assembled {
  const { messages, counts, assembly, changes, tokens, sure, cost, bytes } = attempted
  const counted = { estimated: tokens - sure, sure }
  const receipt = contextReceipt({
    assembly,
    weight: weights.ofEntry,
    changes,
    tokens: cost,
    ownTokens: weights,
    terms,
    bytes,
  })
  const drafts = new Set<Draft>(assembly.kept.flatMap(({ unit }) => unit.entries.flatMap(storedDrafts)))
  const front = new Set<Draft>([
    ...terms.system,
    ...shownBlocks(terms),
    ...assembly.kept.flatMap(({ unit, as }) =>
      as === 'system' || as === 'pinned' ? unit.entries.flatMap(draftsOf) : [],
    ),
  ])
  const moving = messages.findIndex((message) => !front.has(message))
  return { messages, counts, stored: drafts, stable: moving < 0 ? messages.length : moving, receipt, counted }
}

function storedDrafts(entry: Entry): readonly Draft[] {
  return entry.type === 'message' ? [entry.message] : []
}

function shownBlocks({ blocks }: Pick<AssembleRequest, 'blocks'>): readonly Draft[] {
  return blocks.flatMap(({ draft, line }) => (line.shown ? [draft] : []))
}

async function weighWindow(terms: AssembleRequest): Promise<Weights> {
  const { entries, units, scale, system, recalled, plan } = terms
  // Most counts are stored, and reading one again is cheaper than a table of all.
  const counted = new Map<Entry, number>()
  for (const entry of entries) {
    const weight = scale.weighEntry(entry)
    if (typeof weight !== 'number') counted.set(entry, await weight)
  }
  const closing = new Map<Unit, number>()
  for (const unit of units) if (unit.open.length > 0) closing.set(unit, await weighAll(scale, closingDrafts(unit)))
  const ofEntry = (entry: Entry): number => {
    const known = counted.size === 0 ? undefined : counted.get(entry)
    if (known !== undefined) return known
    const weight = scale.weighEntry(entry)
    return typeof weight === 'number' ? weight : 0
  }
  return {
    units,
    ofEntry,
    ofUnit: (unit) => unit.entries.reduce((sum, entry) => sum + ofEntry(entry), closing.get(unit) ?? 0),
    system: await weighAll(scale, system),
    blocks: terms.blocks.reduce((sum, { line }) => (line.shown ? sum + line.tokens : sum), 0),
    recalled: await weighAll(scale, recalled),
    plan: await weighAll(scale, plan),
  }
}

async function weighAll(scale: Scale, drafts: readonly Draft[]): Promise<number> {
  let tokens = 0
  for (const draft of drafts) tokens += await scale.weigh(draft)
  return tokens
}

async function weighKnown(
  { scale, blocks }: AssembleRequest,
  messages: readonly Draft[],
  { kept }: Assembly,
  { ofEntry }: Weights,
): Promise<readonly number[]> {
  const known = new Map<Draft, number>(blocks.map(({ draft, line }) => [draft, line.tokens]))
  for (const { unit } of kept)
    for (const entry of unit.entries) {
      const [first, ...rest] = draftsOf(entry)
      if (first !== undefined && rest.length === 0) known.set(first, ofEntry(entry))
    }
  const counts: number[] = []
  for (const message of messages) counts.push(known.get(message) ?? (await scale.weigh(message)))
  return counts
}

/** Bundles stand together, open calls are closed, and what no provider would take is put right; the log stays as it is. */
function finish(
  { kept }: Assembly,
  terms: Pick<AssembleRequest, 'system' | 'blocks'>,
  tail: readonly Draft[],
): { readonly messages: readonly Draft[]; readonly changes: readonly { readonly message: string }[] } {
  const draftsIn = ({ unit }: PlacedUnit): readonly Draft[] => [
    ...callsFirst(unit).flatMap(draftsOf),
    ...closingDrafts(unit),
  ]
  const drafts = [
    ...terms.system,
    ...kept.filter(({ as }) => as === 'system').flatMap(draftsIn),
    ...shownBlocks(terms),
    ...kept.filter(({ as }) => as !== 'system').flatMap(draftsIn),
    ...tail,
  ]
  if (drafts.length === 0) return { messages: [], changes: [] }
  if (lint(drafts, 'daybook').every((violation) => violation.severity === 'warning'))
    return { messages: drafts, changes: [] }
  const messages = repair(drafts, 'daybook') as unknown as readonly Draft[] & {
    readonly changes: readonly { readonly message: string }[]
  }
  return { messages, changes: messages.changes }
}

/** A result that came before its call stands after it: repairing would put it behind all that the assistant says next. */
function callsFirst({ entries }: Unit): readonly Entry[] {
  const first = entries.findIndex((entry) => draftsOf(entry).some(({ role }) => role === 'assistant'))
  return first <= 0
    ? entries
    : [...entries.slice(first, first + 1), ...entries.slice(0, first), ...entries.slice(first + 1)]
}

function bytesOf(messages: readonly Draft[], { bytes }: AssembleRequest): number {
  if (bytes === undefined) return 0
  return Buffer.byteLength(JSON.stringify(inDialect(messages, bytes.dialect, bytes.blobs, bytes.model)))
}

/** As an error names what must be in a context. */
const PART_NAMES: Readonly<Record<string, string>> = {
  system: 'system text',
  pinned: 'pinned messages',
  newestTurn: 'newest turn',
}

/** The error with numbers that add up: `needed` is the sum of the others and, if tokens are what is short, over the budget. */
function overBudget(terms: AssembleRequest, weights: Weights, least: Attempt): MemoryError {
  const { budget, reserve, bytes, strict } = terms
  const needs = needsOf(least.assembly.kept, weights.ofUnit)
  const parts = {
    ...needs,
    system: needs.system + weights.system,
    blocks: weights.blocks,
    recalled: weights.recalled,
    plan: weights.plan,
  }
  const { cost: needed } = least
  const framing = needed - Object.values(parts).reduce((sum, tokens) => sum + tokens, 0)
  const limit =
    bytes === undefined || needed > budget - reserve
      ? `${budget} tokens${reserve === 0 ? '' : `, ${reserve} of them reserved`}`
      : `${bytes.max} bytes of ${bytes.dialect}, of which it needs ${least.bytes}`
  const largest = largestOf(least.assembly, weights)
  const culprit =
    largest === undefined || largest.tokens < weights.system
      ? ''
      : `; the largest is message ${largest.seq} (${largest.role}) with ${largest.tokens} tokens`
  const costs = Object.entries({ ...parts, framing }).flatMap(([part, tokens]) =>
    tokens === 0 ? [] : [`${PART_NAMES[part] ?? part} ${tokens}`],
  )
  const remedies = strict
    ? 'expected a larger budget, a smaller reserve, fewer pins, or no `strict`, so that large messages are shown in part'
    : 'expected a larger budget, a smaller reserve, fewer pins or a shorter system text'
  return new MemoryError(
    'context/over-budget',
    `Cannot fit the context into ${limit}: it needs ${needed} (${costs.join(', ')})${culprit}, ${remedies}`,
    {
      budget,
      reserve,
      ...parts,
      framing,
      needed,
      ...defined({ message: largest }),
      ...(bytes === undefined ? {} : { bytesMax: bytes.max, bytes: least.bytes }),
    },
  )
}

/** The message that costs most of what must be there. */
function largestOf(
  { kept }: Assembly,
  { ofEntry }: Weights,
): { readonly seq: number; readonly id: string; readonly role: string; readonly tokens: number } | undefined {
  const entries = kept.flatMap(({ unit, as }) => (as === 'recent' || as === 'fold' ? [] : unit.entries))
  const [largest] = entries.toSorted((a, b) => ofEntry(b) - ofEntry(a))
  const message = largest === undefined ? undefined : shownMessage(largest)
  if (largest === undefined || message === undefined) return undefined
  const { seq, id, role } = message
  return { seq, id, role, tokens: ofEntry(largest) }
}
