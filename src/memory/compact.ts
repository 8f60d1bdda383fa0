import { type CompactOutcome, type CompactRequest, compact } from '../context/compaction/compact.ts'
import type { Pins } from '../context/window/pins.ts'
import type { Policy } from '../context/compaction/policy.ts'
import { checkOptions } from '../domain/check-options.ts'
import type { Address } from '../log/log.ts'
import { checkCount, checkFlag } from './check-arguments.ts'
import { checkPins, checkPolicy } from './check-policy.ts'
import type { MemoryEvent } from './events.ts'
import type { Wiring } from './wiring.ts'
import { planned } from './plan.ts'

/** What most models of today take; only for policies whose marks are shares of a budget that nobody gave. */
export const BUDGET_DEFAULT = 128_000

export interface CompactOptions {
  /** @default 'balanced' */
  readonly policy?: string | Policy
  /**
   * What the policy's shares are shares of, in tokens.
   *
   * @default 128,000
   */
  readonly budget?: number
  /**
   * Compact although the window is below its high mark.
   *
   * @default false
   */
  readonly force?: boolean
  /**
   * Answer with the receipt and change nothing. No model is asked.
   *
   * @default false
   */
  readonly dryRun?: boolean
  readonly pins?: Pins
}

export async function compactSession(
  parts: Wiring,
  address: Address,
  options: CompactOptions,
): Promise<CompactOutcome> {
  checkOptions('compact', options, ['policy', 'budget', 'force', 'dryRun', 'pins'])
  const { budget = BUDGET_DEFAULT, force = false, dryRun = false, pins = {} } = options
  checkCount('compact', 'budget', budget)
  checkFlag('compact', 'force', force)
  checkFlag('compact', 'dryRun', dryRun)
  checkPins('compact', pins)
  const policy = checkPolicy('compact', options.policy)
  const { pins: pinned } = await planned(parts, address, { pins })
  return runCompaction(parts, address, { policy, budget, force, dryRun, pins: pinned }, 'by-hand')
}

type Reason = Extract<MemoryEvent, { readonly type: 'compaction-start' }>['reason']

/** Compacts with the memory's model, if it has one, and tells who listens. */
export async function runCompaction(
  parts: Wiring,
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
