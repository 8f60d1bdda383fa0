import type { Context, ContextOptions } from '../api/contexts.ts'
import type { ContextCache, Pins } from '../api/contexts.ts'
import { compareWithPrevious, fingerprint, withCacheMarks } from './assembly/cache.ts'
import { type AssembleRequest, type Assembled, assembleContext, checkNeeds, inDialect } from './assembly/context.ts'
import { isDue, isSettled } from './compaction/compact.ts'
import { quoteImportedSystem } from './window/quote-imported-system.ts'
import { draftsOf } from './window/entry.ts'
import { pinnedPositions } from './window/pins.ts'
import { planHint } from './assembly/plan-hint.ts'
import type { Policy } from '../api/policy.ts'
import { type Scale, scaleFor } from './assembly/scale.ts'
import { unitsOf } from './window/unit.ts'
import type { Window } from './window/window.ts'
import { copyPlain } from '../domain/copy-plain.ts'
import { dialects } from '../domain/dialect.ts'
import { MemoryError } from '../domain/error.ts'
import { blobHashes } from '../domain/media-parts.ts'
import type { Draft } from '../domain/message.ts'
import { refuse } from '../domain/refuse.ts'
import { rootOf } from '../domain/scope-path.ts'
import { blobs } from '../log/blobs.ts'
import type { Address } from '../log/log.ts'
import { openView } from '../log/view.ts'
import type { RecallItem } from '../api/recall.ts'
import { runCompaction } from './compact-session.ts'
import { ContextMemory } from './context-memory.ts'
import type { RecalledForContext } from './recalled.ts'
import type { ContextWiring } from './wiring.ts'
import { planned } from './planned.ts'

const SESSIONS_REMEMBERED_MAX = 1_000

export function buildContext(parts: ContextWiring, address: Address, options: ContextRequest): Promise<Context> {
  return parts.store.together(() => planAndFill(parts, address, options))
}

async function planAndFill(parts: ContextWiring, address: Address, options: ContextRequest): Promise<Context> {
  const given = { ...options, ...(await planned(parts, address, options)) }
  if (given.shrink !== true) return fillContext(parts, address, given, given.budget)
  try {
    return await fillContext(parts, address, given, Math.floor((given.budget * 3) / 4))
  } catch (error) {
    if (!MemoryError.is(error, 'context/over-budget')) throw error
    // What must be there needs more than three quarters: then it may have all that the caller gave.
    return fillContext(parts, address, given, given.budget)
  }
}

/** Options that were checked, with the policy itself in place of its name. */
export type ContextRequest = Omit<ContextOptions, 'policy'> & { readonly policy: Policy }

async function fillContext(
  parts: ContextWiring,
  address: Address,
  options: ContextRequest,
  filled: number,
): Promise<Context> {
  const { reserve = 0, model, shrink = false, pins = {}, policy } = options
  const { log, store } = parts
  const contexts = ContextMemory.of(parts)
  const scaleOf = (scope: string): Promise<Scale> =>
    scaleFor({
      model,
      session: keyOf(address),
      counter: log.counter,
      count: log.count,
      calibration: async (name) =>
        parts.calibrate ? store.calibrations.read({ scope, model: name, tokenizer: log.counter }) : undefined,
      cache: contexts.counts,
    })
  const scale = await scaleOf(rootOf(address.scope))
  // A compaction is stored, so it is decided by this scope's own reports and never by those of others under the same root.
  const ownScale = await scaleOf(address.scope)
  const termsFor = (window: Window | undefined): Promise<AssembleRequest> =>
    assembleTerms(parts, address, options, {
      scale,
      budget: filled,
      entries: quoteImportedSystem(window?.entries ?? []),
    })
  const window = await fittingWindow(parts, address, {
    policy,
    pins,
    shrink,
    room: ownScale.usable(filled - reserve),
    model,
    check: async (before) => checkNeeds(await termsFor(before)),
  })
  const plain = await termsFor(window)
  const found =
    options.recall === undefined || options.recall === false
      ? undefined
      : await parts.recallForContext(address, options.recall, { window, budget: filled })
  const { bytes } = plain
  const { assembled, recalled } = await assembleWith(plain, found)
  // The next context is built from the same objects: what the caller does to these must not reach it.
  const { messages, receipt } = copyPlain({ messages: assembled.messages, receipt: assembled.receipt }) as Assembled
  const bytesByHash = bytes?.blobs ?? (await blobsOf(parts, address, messages))
  const cache = cacheOf(parts, address, assembled)
  // Counts of a model's own tokenizer need no correction, and say nothing about ours.
  if (scale.counter === log.counter) remember(contexts.counted, keyOf(address), assembled.counted)
  else contexts.counted.delete(keyOf(address))
  return {
    messages,
    tokens: receipt.tokens.total,
    receipt,
    cache,
    recalled,
    as: (dialect, { cacheMarks = false } = {}) => {
      if (!dialects.includes(dialect)) refuse('write a context', 'dialect', dialect, dialects.join(', '))
      const marked = cacheMarks ? withCacheMarks(messages, cache.breakpoints) : messages
      const wire = inDialect(marked, dialect, bytesByHash, model)
      // Marks are a help, the limit is a promise.
      const tooLong = cacheMarks && bytes?.dialect === dialect && Buffer.byteLength(JSON.stringify(wire)) > bytes.max
      return tooLong ? inDialect(messages, dialect, bytesByHash, model) : wire
    },
  }
}

/** With what was recalled if it fits beside what must be there, without it otherwise: it helps, and nothing depends on it. */
async function assembleWith(
  terms: AssembleRequest,
  found: RecalledForContext | undefined,
): Promise<{ readonly assembled: Assembled; readonly recalled: readonly RecallItem[] }> {
  if (found !== undefined && found.drafts.length > 0) {
    try {
      const assembled = await assembleContext({ ...terms, recalled: found.drafts })
      return { assembled, recalled: found.items }
    } catch (error) {
      if (!MemoryError.is(error, 'context/over-budget')) throw error
    }
  }
  return { assembled: await assembleContext(terms), recalled: [] }
}

async function assembleTerms(
  parts: ContextWiring,
  address: Address,
  { reserve = 0, pins = {}, plan, bytes, model }: ContextOptions,
  { scale, budget, entries }: Pick<AssembleRequest, 'scale' | 'budget' | 'entries'>,
): Promise<AssembleRequest> {
  const limit =
    bytes === undefined
      ? {}
      : {
          bytes: {
            ...bytes,
            ...(model === undefined ? {} : { model }),
            blobs: await blobsOf(parts, address, entries.flatMap(draftsOf)),
          },
        }
  return {
    entries,
    pinned: pinnedPositions(unitsOf(entries), pins),
    budget,
    reserve,
    scale,
    recalled: [],
    plan: plan === undefined || plan === false ? [] : [planHint(plan)],
    ...limit,
  }
}

interface FitTerms {
  readonly policy: Policy
  readonly pins: Pins
  readonly shrink: boolean
  readonly room: number
  readonly model: string | undefined
  /** Throws if no compaction of this window could make a context possible. */
  readonly check: (window: Window) => Promise<void>
}

/** The window, compacted first if it has passed its policy's high mark, and not again until something changed. */
async function fittingWindow(
  parts: ContextWiring,
  address: Address,
  { policy, pins, shrink, room, model, check }: FitTerms,
): Promise<Window | undefined> {
  const { log } = parts
  const contexts = ContextMemory.of(parts)
  const view = await openView(log.store, address)
  if (view === undefined) return undefined
  const window = await contexts.windows.load(log.store, view, pins)
  if (policy.steps.length === 0 || (!shrink && !isDue(policy, window, room))) return window
  const state = JSON.stringify([address, view.version, policy, room, model ?? null, pins])
  if (!shrink && (contexts.irreducible.has(state) || (await isSettled(log.store, window, policy, room)))) return window
  await check(window)
  const terms = { policy, pins, budget: room, force: shrink, dryRun: false }
  const outcome = await runCompaction(parts, address, terms, shrink ? 'shrink' : 'context').catch(conflictAsNone)
  if (outcome.type === 'cannot-reduce') {
    remember(contexts.irreducible, state, true)
    return window
  }
  const after = await openView(log.store, address)
  return after === undefined ? undefined : contexts.windows.load(log.store, after, pins)
}

/** A window that keeps changing is not compacted now; a context of it can be built all the same. */
function conflictAsNone(error: unknown): { readonly type: 'not-needed' } {
  if (MemoryError.is(error, 'log/conflict')) return { type: 'not-needed' }
  throw error
}

function cacheOf(
  parts: ContextWiring,
  address: Address,
  { messages, counts, stored, stable }: Assembled,
): ContextCache {
  const contexts = ContextMemory.of(parts)
  const current = fingerprint(messages, counts, stored)
  const key = keyOf(address)
  const previous = contexts.previous.get(key)
  remember(contexts.previous, key, current)
  return compareWithPrevious(previous, current, stable)
}

export function keyOf({ scope, session }: Address): string {
  return JSON.stringify([scope, session])
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > SESSIONS_REMEMBERED_MAX) map.delete(map.keys().next().value ?? '')
}

async function blobsOf(
  { store }: ContextWiring,
  address: Address,
  messages: readonly Draft[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const hashes = messages.flatMap((message) => blobHashes(message.parts))
  return hashes.length === 0 ? new Map() : blobs(store.log, address.scope, hashes)
}
