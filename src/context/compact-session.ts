import type { ContextEvent } from '../api/events.ts'
import type { CompactOptions, CompactOutcome, Pins } from '../api/contexts.ts'
import { type CompactRequest, compact } from './compaction/compact.ts'
import type { Policy } from '../api/policy.ts'
import type { Address } from '../log/log.ts'
import { openView } from '../log/view.ts'
import { ContextMemory } from './context-memory.ts'
import { importantMessages, withMessages } from './window/important.ts'
import type { ContextWiring } from './wiring.ts'
import { planned } from './planned.ts'

/** What most models of today take; only for policies whose marks are shares of a budget that nobody gave. */
export const BUDGET_DEFAULT = 128_000

/** Makes the window smaller now. */
export async function compactSession(
  parts: ContextWiring,
  address: Address,
  { policy, pins = {}, budget = BUDGET_DEFAULT, force = false, dryRun = false }: CompactSessionRequest,
): Promise<CompactOutcome> {
  const { pins: pinned } = await planned(parts, address, { pins })
  const kept = withMessages(pinned, await importantNow(parts, address, { policy, budget, pins: pinned }))
  return runCompaction(parts, address, { policy, budget, force, dryRun, pins: kept }, 'by-hand')
}

/** What is important in the window of the session. */
async function importantNow(
  parts: ContextWiring,
  address: Address,
  { policy, budget, pins }: { readonly policy: Policy; readonly budget: number; readonly pins: Pins },
): Promise<ReadonlySet<string>> {
  const view = await openView(parts.log.store, address)
  if (view === undefined) return new Set()
  const { entries } = await ContextMemory.of(parts).windows.load(parts.log.store, view, pins, 'session')
  return importantMessages(entries, pins, { policy, room: budget })
}

/** Options that were checked, with the policy itself in place of its name. */
export type CompactSessionRequest = Omit<CompactOptions, 'policy'> & { readonly policy: Policy }

type Reason = Extract<ContextEvent, { readonly type: 'compaction-start' }>['reason']

/** Compacts with the memory's model, if it has one, and tells who listens. */
export async function runCompaction(
  parts: ContextWiring,
  address: Address,
  terms: Omit<CompactRequest, 'improve'>,
  reason: Reason,
): Promise<CompactOutcome> {
  const about = { ...address, policy: terms.policy.name }
  const started = performance.now()
  parts.emit({ type: 'compaction-start', ...about, reason })
  try {
    // What a model would say is not known without asking, and asking costs: a dry run tells what the rules would do.
    const improve = terms.dryRun ? undefined : parts.improver?.()
    const outcome = await compact(parts.log, address, improve === undefined ? terms : { ...terms, improve })
    parts.emit({ type: 'compaction-end', ...about, ms: performance.now() - started, outcome })
    return outcome
  } catch (error) {
    parts.emit({ type: 'compaction-fail', ...about, ms: performance.now() - started, error })
    throw error
  }
}
