import { defined } from '../../domain/defined.ts'
import type { Fold } from '../../domain/fold.ts'
import type { Draft } from '../../domain/message.ts'
import { withPauses } from '../../log/with-pauses.ts'
import { lastWordIn, newestTurn } from '../assembly/assemble.ts'
import { addUsage } from '../../model/model-answer.ts'
import type { ModelUsage } from '../../ports/language-model.ts'
import { type Entry, positionOf, entrySources, tagsOf, toolsOf, totalTokens, trustOfEntries } from '../window/entry.ts'
import { foldId } from './fold-id.ts'
import { type Ledger, ledgerInTurns } from '../summary/ledger.ts'
import { withFoldId } from '../summary/marker.ts'
import type { Pins } from '../../api/contexts.ts'
import { exemptPositions, pinnedPositions } from '../window/pins.ts'
import type { Policy, StageStep } from '../../api/policy.ts'
import { joinRanges } from '../window/ranges.ts'
import type { ProposedFold, StageInput } from './stage.ts'
import { proposeFolds } from '../stages/propose.ts'
import type { StepReport } from '../../api/contexts.ts'
import { type Unit, findUnits, unitsOf } from '../window/unit.ts'
import { type Size, isWithin, markTokens, sizeOf } from './bounds.ts'
import { WorkingWindow } from './working-window.ts'

export interface StageRun {
  readonly entries: readonly Entry[]
  readonly policy: Policy
  /** Tokens for the window, in the units in which its entries are counted. */
  readonly budget: number
  /** What to come down to, if not to the policy's low mark. */
  readonly target?: number
  readonly pins: Pins
  /** Names the session in the ids of its folds. */
  readonly genesis: Uint8Array
  readonly count: (draft: Draft) => number | Promise<number>
  /** Who counts. */
  readonly counter: string
  /** Names folds that are not stored. @default by what they hide and how: `foldId` */
  readonly nameFold?: (fold: Pick<Fold, 'sources'>) => string
  /** Better words from a model. Never throws; its answer is used if it passes the same checks. */
  readonly improve?: (proposal: ProposedFold, ledger: Ledger) => Promise<Improvement>
}

export interface Improvement {
  readonly standIn?: readonly Draft[]
  readonly failure?: string
  readonly calls: number
  readonly usage?: ModelUsage
}

/** Runs a policy's steps on a window until it is small enough or nothing is left to do. Changes nothing but its answer. */
export async function runStages(
  run: StageRun,
): Promise<{ readonly entries: readonly Entry[]; readonly steps: readonly StepReport[] }> {
  let entries = run.entries
  let changed = false
  const steps: StepReport[] = []
  for (const step of run.policy.steps) {
    const report = await runStep(run, step, entries, changed)
    entries = report.entries
    changed ||= report.report.folds > 0
    steps.push(report.report)
  }
  return { entries, steps }
}

interface Tally {
  folds: number
  refused: number
  modelCalls: number
  modelFailures: string[]
  modelUsage?: ModelUsage
}

interface StepRun {
  readonly entries: readonly Entry[]
  readonly report: StepReport
}

async function runStep(run: StageRun, step: StageStep, before: readonly Entry[], changed: boolean): Promise<StepRun> {
  const skip = (skipped: NonNullable<StepReport['skipped']>): StepRun => ({
    entries: before,
    report: reportOf(step, before, before, { skipped }),
  })
  if (isSmallEnough(run, sizeOf(before))) return skip('under-target')
  if (changed && run.policy.advance === 'first-change') return skip('already-changed')
  await findUnits(before)
  const input = inputOf(run, step, before)
  await findUnits(before)
  const proposals = await withPauses(proposeFolds(step, input))
  await findUnits(before)
  if (proposals.length === 0) return skip('nothing-to-do')
  const window = new WorkingWindow(before)
  const tally: Tally = { folds: 0, refused: 0, modelCalls: 0, modelFailures: [] }
  for (const proposal of proposals) {
    if (tally.folds > 0 && isSmallEnough(run, window.size)) break
    const made = await makeFold(run, proposal, window)
    tally.modelCalls += made.calls
    if (made.usage !== undefined) tally.modelUsage = addUsage(tally.modelUsage, made.usage) ?? made.usage
    if (made.failure !== undefined) tally.modelFailures.push(made.failure)
    if (made.fold === undefined) {
      tally.refused += 1
      continue
    }
    window.fold(made.fold, made.hidden)
    tally.folds += 1
  }
  const { entries } = window
  return {
    entries,
    report: reportOf(step, before, entries, tally.folds === 0 ? { ...tally, skipped: 'all-refused' } : tally),
  }
}

export function isSmallEnough(
  { policy, budget, target }: Pick<StageRun, 'policy' | 'budget' | 'target'>,
  size: Size,
): boolean {
  return target === undefined ? isWithin(policy.low, size, budget) : size.tokens <= target
}

function reportOf(
  step: StageStep,
  before: readonly Entry[],
  after: readonly Entry[],
  rest: Partial<StepReport>,
): StepReport {
  return {
    stage: step.stage,
    folds: 0,
    refused: 0,
    modelCalls: 0,
    modelFailures: [],
    ...rest,
    tokensBefore: totalTokens(before),
    tokensAfter: totalTokens(after),
  }
}

function inputOf(run: StageRun, step: StageStep, entries: readonly Entry[]): StageInput {
  const { high, low } = run.policy
  const target = run.target ?? (low.mark === undefined ? 0 : markTokens(low.mark, run.budget))
  const limit = run.target ?? (high.mark === undefined ? target : markTokens(high.mark, run.budget))
  return {
    entries,
    untouchable: untouchable(unitsOf(entries), run.pins, step),
    tokens: totalTokens(entries),
    target,
    limit: Math.max(target, limit),
  }
}

/** Tools that no summary may speak for can still leave the window when they are old. */
function untouchable(units: readonly Unit[], pins: Pins, step: StageStep): ReadonlySet<number> {
  const system = units.filter((unit) =>
    unit.entries.some((entry) => entry.type === 'message' && entry.message.role === 'system'),
  )
  const fixed = [...system, ...newestTurn(units), ...maybeRunning(units)].flatMap((unit) =>
    unit.entries.map(positionOf),
  )
  const exempt = step.stage === 'drop' ? [] : exemptPositions(units, pins)
  return new Set([...fixed, ...pinnedPositions(units, pins), ...exempt])
}

/** Units back from the end: a call that is open for longer was never answered, and may go like anything else. */
const RUNNING_UNITS_MAX = 12

/** Calls whose result may still come: folded, they would be parted from it. The user may say something meanwhile. */
function maybeRunning(units: readonly Unit[]): readonly Unit[] {
  return units.slice(-RUNNING_UNITS_MAX).filter((unit) => unit.open.length > 0)
}

interface MadeFold {
  readonly fold?: Fold
  readonly hidden: readonly Entry[]
  readonly calls: number
  readonly failure?: string
  readonly usage?: ModelUsage
}

/** Turns a proposal into a fold: a model's words if they are good, the rule's own otherwise, and none that is not smaller. */
async function makeFold(run: StageRun, proposal: ProposedFold, window: WorkingWindow): Promise<MadeFold> {
  const hidden = withEarlierDrops(proposal, window)
  // A proposal whose entries were folded by the one before it has lost its ground.
  if (hidden.length === 0 || !hidden.every((entry) => window.has(entry))) return { hidden: [], calls: 0 }
  const ledger = await ledgerInTurns(hidden)
  const better = proposal.prompt === undefined ? undefined : await run.improve?.(proposal, ledger)
  const outcome = {
    hidden,
    calls: better?.calls ?? 0,
    ...defined({ failure: better?.failure, usage: better?.usage }),
  }
  const words = better?.standIn === undefined ? [] : [{ standIn: better.standIn, by: 'model' as const }]
  for (const { standIn, by } of [...words, { standIn: proposal.standIn, by: proposal.by }]) {
    const fold = await countedFold(run, proposal.kind, hidden, { standIn, by, ledger })
    if (fold.tokens < totalTokens(hidden)) return { ...outcome, fold }
  }
  return outcome
}

export type Words = Pick<Fold, 'standIn' | 'by'> & { readonly ledger: Ledger }

/** A fold with its id and its count. */
export async function countedFold(
  run: Pick<StageRun, 'genesis' | 'count' | 'counter' | 'nameFold'>,
  kind: Fold['kind'],
  hidden: readonly Entry[],
  words: Words,
): Promise<Fold> {
  const sources = joinRanges(hidden.flatMap(entrySources))
  const inner = hidden.flatMap((entry) =>
    entry.type === 'fold' && (entry.fold.kind === 'summary' || entry.fold.kind === 'merge') ? [entry.fold.level] : [],
  )
  const level = kind === 'summary' && inner.length > 0 ? Math.max(...inner) + 1 : 0
  const id = run.nameFold?.({ sources }) ?? foldId(run.genesis, { kind, sources, level })
  const standIn = withFoldId(words.standIn, id)
  let tokens = 0
  for (const draft of standIn) tokens += await run.count(draft)
  return {
    id,
    kind,
    sources,
    messages: hidden.reduce((sum, entry) => sum + (entry.type === 'fold' ? entry.fold.messages : 1), 0),
    standIn,
    tokens,
    tokenizer: run.counter,
    level,
    trust: trustOfEntries(hidden),
    by: words.by,
    answeredAt: hidden.reduce((last, entry) => Math.max(last, lastWordIn(entry)), 0),
    ...timesOf(hidden),
    ledger: words.ledger.identifiers,
    omitted: words.ledger.omitted,
    tags: distinct(hidden.flatMap(tagsOf)),
    tools: distinct(hidden.flatMap(toolsOf)),
  }
}

/** The first and the last moment. A caller says when a message was said, so its place says nothing about it. */
function timesOf(hidden: readonly Entry[]): Pick<Fold, 'firstAt' | 'lastAt'> {
  let [firstAt, lastAt] = ['', '']
  for (const entry of hidden) {
    const { firstAt: from, lastAt: through } =
      entry.type === 'fold' ? entry.fold : { firstAt: entry.message.at, lastAt: entry.message.at }
    if (firstAt === '' || from < firstAt) firstAt = from
    if (through > lastAt) lastAt = through
  }
  return { firstAt, lastAt }
}

/** One fold for all that was dropped: each of them would take a line of its own. */
function withEarlierDrops(proposal: ProposedFold, window: WorkingWindow): readonly Entry[] {
  if (proposal.kind !== 'drop') return proposal.entries
  const proposed = new Set(proposal.entries)
  const earlier = window.entries.filter(
    (entry) => entry.type === 'fold' && entry.fold.kind === 'drop' && !proposed.has(entry),
  )
  return [...earlier, ...proposal.entries].toSorted((a, b) => positionOf(a) - positionOf(b))
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted()
}
