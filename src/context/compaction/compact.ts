import { defined } from '../../domain/defined.ts'
import type { CompactOutcome } from '../../api/contexts.ts'
import { hash } from 'node:crypto'
import { MemoryError } from '../../domain/error.ts'
import { amend } from '../../log/amend.ts'
import type { Address, Log } from '../../log/log.ts'
import { openView } from '../../log/view.ts'
import type { LogStore } from '../../ports/log-store.ts'
import { isOver, markTokens, sizeOf } from './bounds.ts'
import { type Compaction, entriesToStore, lastUndo } from '../window/compaction.ts'
import { type Entry, totalTokens } from '../window/entry.ts'
import type { Pins } from '../../api/contexts.ts'
import type { Policy } from '../../api/policy.ts'
import { compactionReceipt } from './compaction-receipt.ts'
import { type StageRun, isSmallEnough, runStages } from './run-stages.ts'
import { type Window, changesSince, loadWindow } from '../window/window.ts'
import { messagesPointer } from '../in-part/message-pointer.ts'
import type { CallKind } from '../window/call-kind.ts'

export interface CompactRequest {
  readonly policy: Policy
  readonly budget: number
  readonly pins: Pins
  /** Compact although the window is below its high mark. */
  readonly force: boolean
  /** Say what would happen, and change nothing. */
  readonly dryRun: boolean
  readonly improve?: StageRun['improve']
  /** The kind of call that it is for; without one it changes the session's window. */
  readonly call?: CallKind
  /** The entries as a context shows them: what is too large for it in part. */
  readonly shown?: (entries: readonly Entry[]) => Promise<readonly Entry[]>
}

/** Appends may come in between; other changes to the window end the attempt, and the next one starts from them. */
const ATTEMPTS_MAX = 4

/**
 * Makes a session's window smaller by a policy. The log is never touched: a compaction is one row that stands above it.
 *
 * @throws {MemoryError} `log/conflict` if the window kept changing under it.
 */
export async function compact(log: Log, address: Address, terms: CompactRequest): Promise<CompactOutcome> {
  let begun: number | undefined
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const view = await openView(log.store, address)
    if (view === undefined || view.lastSeq === 0) return { type: 'empty' }
    const whole = await loadWindow(log.store, view, { pins: terms.pins, of: terms.call ?? 'session' })
    const window = terms.shown === undefined ? whole : { ...whole, entries: await terms.shown(whole.entries) }
    begun ??= view.version
    // Somebody else compacted meanwhile: one wins, the other sees it, and does not compact what is left of it again.
    if (window.standsOn !== undefined && window.standsOn.version > begun) return { type: 'not-needed' }
    if (!terms.force && !isDue(terms.policy, window, terms.budget)) return { type: 'not-needed' }
    const run = stageRun(log, window, terms)
    const { entries, steps } = await runStages(run)
    if (totalTokens(entries) >= totalTokens(window.entries)) return { type: 'cannot-reduce', steps }
    const compaction: Compaction = {
      policy: terms.policy.name,
      policyDigest: digestOf(terms.policy),
      budget: terms.budget,
      ...defined({ call: terms.call }),
      through: view.lastSeq,
      entries: entriesToStore(entries),
      before: { entries: window.entries.length, tokens: totalTokens(window.entries) },
      after: { entries: entries.length, tokens: totalTokens(entries) },
      steps,
      reached: isSmallEnough(run, sizeOf(entries)),
    }
    if (terms.dryRun) return { type: 'dry-run', receipt: await compactionReceipt(compaction, window.entries, null) }
    const version = await store(log, address, window, compaction)
    if (version !== undefined)
      return { type: 'compacted', receipt: await compactionReceipt(compaction, window.entries, version) }
  }
  throw new MemoryError(
    'log/conflict',
    `Cannot compact session ${JSON.stringify(address.session)}: messages were revised or removed during each of ${ATTEMPTS_MAX} attempts, try again when fewer others write`,
    { ...address, attempts: ATTEMPTS_MAX },
  )
}

/** The window as a compaction would leave it, with nothing stored: its folds are named by the messages that they hide. */
export async function compactUnstored(
  log: Log,
  window: Window,
  terms: Omit<CompactRequest, 'improve'>,
): Promise<Window> {
  const shown = terms.shown === undefined ? window : { ...window, entries: await terms.shown(window.entries) }
  const { entries } = await runStages({ ...stageRun(log, shown, terms), nameFold: messagesPointer })
  if (totalTokens(entries) >= totalTokens(shown.entries)) return window
  const whole = new Map(shown.entries.map((entry, index) => [entry, window.entries[index] ?? entry]))
  return { ...window, entries: entries.map((entry) => whole.get(entry) ?? entry) }
}

/**
 * Whether this policy has had its say: nothing changed since it compacted this window or since that was undone. Told by the
 * log alone, so that every process gives the same answer for the same version.
 */
export async function isSettled(
  log: LogStore,
  { view, standsOn, of, amended }: Window,
  policy: Policy,
  budget: number,
): Promise<boolean> {
  const undo = await lastUndo(log, view, of)
  if (undo !== undefined && undo.seq === view.lastSeq) return (await changesSince(log, view, undo.version)).length === 0
  if (standsOn === undefined || amended || standsOn.compaction.through !== view.lastSeq) return false
  return isOf(standsOn.compaction, policy, budget)
}

/**
 * Whether a window has passed its policy's high mark. If the last compaction could not bring it under the low one, only when
 * it has grown by half of the way between them since: the same attempt after every message would only cost.
 */
export function isDue(policy: Policy, { entries, standsOn }: Window, budget: number): boolean {
  if (!isOver(policy, entries, budget)) return false
  const { high, low, advance } = policy
  const last = standsOn?.compaction
  // Who takes one step a time has others left.
  if (advance === 'first-change') return true
  if (last === undefined || high.mark === undefined || low.mark === undefined || !isOf(last, policy, budget))
    return true
  const [above, below] = [markTokens(high.mark, budget), markTokens(low.mark, budget)]
  return last.after.tokens <= below || totalTokens(entries) > last.after.tokens + (above - below) / 2
}

function isOf(compaction: Compaction, policy: Policy, budget: number): boolean {
  return compaction.policyDigest === digestOf(policy) && compaction.budget === budget
}

/** Two policies may have one name. */
function digestOf(policy: Policy): string {
  return hash('sha256', JSON.stringify(policy)).slice(0, 16)
}

function stageRun(log: Log, { view, entries }: Window, terms: CompactRequest): StageRun {
  const { policy, budget, pins, force, improve } = terms
  // Forced below its marks, a window gives up half of itself: less would not have been worth asking for.
  const target = force && !isOver(policy, entries, budget) ? { target: Math.floor(totalTokens(entries) / 2) } : {}
  return {
    entries,
    policy,
    budget,
    pins,
    genesis: view.session.genesis,
    count: log.count,
    counter: log.counter,
    ...target,
    ...defined({ improve }),
  }
}

/** Stores it if only messages were appended since the window was read; `undefined` if something else changed it first. */
async function store(
  log: Log,
  address: Address,
  { view }: Window,
  compaction: Compaction,
): Promise<number | undefined> {
  return log.store.change<number | undefined>({
    ...address,
    questions: { ids: [], callIds: [], blobs: [] },
    decide: ({ session }) => {
      if (session === undefined || session.version - view.version !== session.lastSeq - view.lastSeq)
        return { answer: undefined }
      return amend(
        log,
        session,
        { kind: 'compact', seq: compaction.through, body: JSON.stringify(compaction) },
        (row) => row.version,
      )
    },
  })
}
