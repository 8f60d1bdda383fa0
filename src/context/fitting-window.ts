import { MemoryError } from '../domain/error.ts'
import type { Address } from '../log/log.ts'
import { openView } from '../log/view.ts'
import { runCompaction } from './compact-session.ts'
import { type CompactRequest, compactUnstored, isDue, isSettled } from './compaction/compact.ts'
import { policyWithin } from './compaction/policy-within.ts'
import type { Pins } from '../api/contexts.ts'
import type { Policy } from '../api/policy.ts'
import type { Moment } from '../domain/moment.ts'
import { ContextMemory } from './context-memory.ts'
import { keepNewest } from './keep-newest.ts'
import type { CallKind } from './window/call-kind.ts'
import { findUnits } from './window/unit.ts'
import { type Window, loadWindow } from './window/window.ts'
import type { ContextWiring } from './wiring.ts'

export interface FitSettings {
  readonly policy: Policy
  readonly pins: Pins
  /** The pins for this window, with what is important in it. */
  readonly choosePins: (window: Window) => Pins
  readonly shrink: boolean
  readonly room: number
  readonly model: string | undefined
  readonly call: CallKind
  /** What is too large for this context, shown in part. */
  readonly shown: NonNullable<CompactRequest['shown']>
  /** Whether what is folded is stored. */
  readonly stores: boolean
  /** The moment whose window it is. */
  readonly asOf: Moment | undefined
  /** Throws if no compaction of this window could make a context possible. */
  readonly check: (window: Window) => Promise<void>
}

/** The window, compacted first if it has passed its policy's high mark, and not again until something changed. */
export async function fittingWindow(
  parts: ContextWiring,
  address: Address,
  { policy: asked, pins: given, choosePins, shrink, room, model, call, shown, stores, asOf, check }: FitSettings,
): Promise<Window | undefined> {
  const { log } = parts
  const policy = policyWithin(asked, room)
  const contexts = ContextMemory.of(parts)
  const view = await openView(log.store, address, asOf)
  if (view === undefined) return undefined
  // An earlier window is not kept: the next context is about the present one.
  const load = (shownPins: Pins): Promise<Window> =>
    asOf === undefined
      ? contexts.windows.load(log.store, view, shownPins, call)
      : loadWindow(log.store, view, { pins: shownPins, of: call })
  const loaded = await load(given)
  await findUnits(loaded.entries)
  const pins = choosePins(loaded)
  const window = pins === given ? loaded : await load(pins)
  if (policy.steps.length === 0) return window
  const asShown = { ...window, entries: await shown(window.entries) }
  if (!shrink && !isDue(policy, asShown, room)) return window
  const state = JSON.stringify([address, view.version, policy, room, model ?? null, pins])
  if (!shrink && (contexts.irreducible.has(state) || (await isSettled(log.store, window, policy, room)))) return window
  await check(window)
  const settings = {
    policy,
    pins,
    budget: room,
    force: shrink,
    dryRun: false,
    call,
    shown,
  }
  if (!stores) return compactUnstored(log, window, settings)
  const outcome = await runCompaction(parts, address, settings, shrink ? 'shrink' : 'context').catch(conflictAsNone)
  if (outcome.type === 'cannot-reduce') {
    keepNewest(contexts.irreducible, state, true)
    return window
  }
  const after = await openView(log.store, address)
  return after === undefined ? undefined : contexts.windows.load(log.store, after, pins, call)
}

/** A window that keeps changing is not compacted now; a context of it can be built all the same. */
function conflictAsNone(error: unknown): { readonly type: 'not-needed' } {
  if (MemoryError.is(error, 'log/conflict')) return { type: 'not-needed' }
  throw error
}
