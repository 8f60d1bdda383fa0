import { defined } from '../domain/defined.ts'
import type { Context, ContextOptions } from '../api/contexts.ts'
import type { ContextCache, Pins } from '../api/contexts.ts'
import { compareWithPrevious, fingerprint, withCacheMarks } from './assembly/cache.ts'
import {
  type AssembleRequest,
  type Assembled,
  type AssembledBlock,
  assembleContext,
  checkNeeds,
} from './assembly/context.ts'
import { inDialect } from './assembly/in-dialect.ts'
import { showLargeUnits } from './in-part/show-large-units.ts'
import type { ContextBeginning, ContextToRecord } from './kept/context-to-record.ts'
import { type CallKind, callKind } from './window/call-kind.ts'
import { quoteImportedSystem } from './window/quote-imported-system.ts'
import { type Entry, draftsOf } from './window/entry.ts'
import { importantMessages, withMessages } from './window/important.ts'
import { pinnedPositions } from './window/pins.ts'
import { planHint } from './assembly/plan-hint.ts'
import type { Policy } from '../api/policy.ts'
import { type Scale, scaleFor } from './assembly/scale.ts'
import { findUnits } from './window/unit.ts'
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
import type { MediaFormula } from '../tokens/media-formula.ts'
import { mediaDifference } from '../tokens/media-tokens.ts'
import { REPLY_PRIMING_TOKENS } from '../tokens/count-message.ts'
import type { RecallItem } from '../api/recall.ts'
import { fittingWindow } from './fitting-window.ts'
import { keepNewest } from './keep-newest.ts'
import { ContextMemory } from './context-memory.ts'
import type { RecalledForContext } from './recalled.ts'
import type { ContextWiring } from './wiring.ts'
import { planned } from './planned.ts'
import { timeOfMoment } from './time-of-moment.ts'
import { blocksFor, weighBlocks, withoutLastBlock } from './blocks-for.ts'

export function buildContext(parts: ContextWiring, address: Address, options: ContextRequest): Promise<Context> {
  return parts.store.together(() => planAndFill(parts, address, options))
}

async function planAndFill(parts: ContextWiring, address: Address, options: ContextRequest): Promise<Context> {
  const [begun, time] = await Promise.all([
    isRecorded(parts, options) ? ContextMemory.of(parts).kept.begin(parts, address.scope) : undefined,
    timeOfMoment(parts.store.log, address, options.asOf),
  ])
  const [plan, blocks, systemDrafts] = await Promise.all([
    planned(parts, address, options, time),
    blocksFor(parts, address, options, time),
    systemFor(parts, address, options),
  ])
  const given = { ...options, ...plan, begun, ownPins: options.pins ?? {}, shownBlocks: blocks, systemDrafts }
  if (given.shrink !== true) return fillBesideBlocks(parts, address, given)
  try {
    return await fillContext(parts, address, given, Math.floor((given.budget * 3) / 4))
  } catch (error) {
    if (!MemoryError.is(error, 'context/over-budget')) throw error
    // What must be there needs more than three quarters: then it may have all that the caller gave.
    return fillBesideBlocks(parts, address, given)
  }
}

/** With all blocks, or with those that leave room for what must be there: the last ones go first. A refused context stored nothing. */
async function fillBesideBlocks(parts: ContextWiring, address: Address, given: PlannedRequest): Promise<Context> {
  for (let { shownBlocks: blocks } = given; ; blocks = withoutLastBlock(blocks)) {
    try {
      return await fillContext(parts, address, { ...given, shownBlocks: blocks }, given.budget)
    } catch (error) {
      const canGo = given.strict !== true && blocks.some(({ line }) => line.shown)
      if (!canGo || !MemoryError.is(error, 'context/over-budget')) throw error
    }
  }
}

/** Options that were checked, with the policy itself in place of its name. */
export type ContextRequest = Omit<ContextOptions, 'policy' | 'budget'> & {
  readonly policy: Policy
  readonly budget: number
  /** What the session will start with. Its contexts have it before the first message is stored. */
  readonly description?: string
}

/** With the pins of the plan; the caller's own tell kinds of calls apart. */
type PlannedRequest = ContextRequest & {
  /** Of a context that leaves a record. */
  readonly begun: ContextBeginning | undefined
  readonly ownPins: Pins
  readonly shownBlocks: readonly AssembledBlock[]
  /** First, and not stored. */
  readonly systemDrafts: readonly Draft[]
}

async function fillContext(
  parts: ContextWiring,
  address: Address,
  options: PlannedRequest,
  filled: number,
): Promise<Context> {
  const { reserve = 0, model, shrink = false, strict = false, policy } = options
  let { pins = {} } = options
  let important: ReadonlySet<string> = new Set()
  const contexts = ContextMemory.of(parts)
  const room = filled - reserve
  const call = callKind({ policy, pins: options.ownPins, model, shrink }, room)
  const scale = await scaleIn(parts, address, model, rootOf(address.scope))
  const { blocks, ownSystem } = await weighFront(options, scale)
  // A compaction is stored, so it is decided by this scope's own reports and never by those of others under the same root.
  const ownScale = await scaleIn(parts, address, model, address.scope)
  const shown = async (entries: readonly Entry[]): Promise<readonly Entry[]> => {
    await findUnits(entries)
    return showLargeUnits({
      entries,
      units: contexts.units.of(`whole ${keyOf(address)}`, entries),
      pins,
      room: scale.usable(room) - REPLY_PRIMING_TOKENS - ownSystem,
      scale,
      session: keyOf(address),
      shown: contexts.shownInPart,
    })
  }
  const termsFor = async (window: Window | undefined): Promise<AssembleRequest> => {
    const whole = quoteImportedSystem(window?.entries ?? [])
    const entries = strict ? whole : await shown(whole)
    const chosen = { ...options, pins, shownBlocks: blocks }
    return { ...(await assembleTerms(parts, address, chosen, { scale, budget: filled, entries, whole })), important }
  }
  const stores = isRecorded(parts, options)
  const ownRoom = Math.max(0, ownScale.usable(room) - ownSystem)
  const window = await fittingWindow(parts, address, {
    policy,
    pins,
    shrink,
    choosePins: ({ entries }) => {
      important = importantMessages(entries, pins, { policy, room: ownRoom })
      return (pins = withMessages(pins, important))
    },
    room: ownRoom,
    model,
    call,
    shown: async (whole) => asCounted(strict ? whole : await shown(whole), scale.media),
    stores,
    asOf: options.asOf,
    check: async (before) => checkNeeds(await termsFor(before)),
  })
  const plain = await termsFor(window)
  const found =
    options.recall === undefined || options.recall === false
      ? undefined
      : await parts.recallForContext(address, options.recall, { window, budget: filled })
  const { assembled, recalled } = await assembleWith(plain, found)
  return handOut(parts, {
    address,
    window,
    room: ownRoom,
    terms: plain,
    assembled,
    recalled,
    options,
    call,
  })
}

interface HandedOut extends Pick<ContextToRecord, 'address' | 'room' | 'recalled'> {
  readonly window: Window | undefined
  readonly terms: AssembleRequest
  readonly assembled: Assembled
  readonly options: PlannedRequest
  readonly call: CallKind
}

/** The context as its caller gets it, and what is kept of it for the next one and for those who look back. */
async function handOut(parts: ContextWiring, { window, options, call, ...built }: HandedOut): Promise<Context> {
  const contexts = ContextMemory.of(parts)
  const { address, terms, assembled, recalled } = built
  const { model, asOf, begun } = options
  // The next context is built from the same objects: what the caller does to these must not reach it.
  const { messages, receipt } = copyPlain({ messages: assembled.messages, receipt: assembled.receipt }) as Assembled
  const blobsByHash = terms.bytes?.blobs ?? (await blobsOf(parts, address, messages))
  const cache = cacheOf(parts, JSON.stringify([address, call]), assembled, asOf === undefined)
  if (begun !== undefined && window !== undefined)
    contexts.kept.add(parts, { ...built, begun, window, cache, options: { ...options, pins: options.ownPins } })
  const as = writer({ messages, cache, bytes: terms.bytes, blobs: blobsByHash, model })
  const context = { messages, tokens: receipt.tokens.total, receipt, cache, recalled, as }
  if (asOf !== undefined) return { ...context, rebuilt: true }
  // Counts of a model's own tokenizer need no correction, and say nothing about ours.
  if (terms.scale.counter === parts.log.counter)
    keepNewest(contexts.counted, countedKey(address, model), assembled.counted)
  else contexts.counted.delete(countedKey(address, model))
  return context
}

/** Whether a context may be stored: its compaction, and its record. */
function isRecorded({ readOnly }: ContextWiring, { compact = true, asOf }: ContextRequest): boolean {
  return compact && !readOnly && asOf === undefined
}

/** How a model counts, corrected by what was reported in a scope. */
function scaleIn(parts: ContextWiring, address: Address, model: string | undefined, scope: string): Promise<Scale> {
  const { log, store, calibrate } = parts
  return scaleFor({
    model,
    session: keyOf(address),
    counter: log.counter,
    count: log.count,
    calibration: async (name) =>
      calibrate ? store.calibrations.read({ scope, model: name, tokenizer: log.counter }) : undefined,
    cache: ContextMemory.of(parts).counts,
  })
}

/** The blocks with what they cost, and what all that comes first costs. */
async function weighFront(
  { shownBlocks, systemDrafts }: PlannedRequest,
  scale: Scale,
): Promise<{ readonly blocks: readonly AssembledBlock[]; readonly ownSystem: number }> {
  const blocks = await weighBlocks(shownBlocks, scale)
  let ownSystem = blocks.reduce((sum, { line }) => (line.shown ? sum + line.tokens : sum), 0)
  for (const draft of systemDrafts) ownSystem += await scale.weigh(draft)
  return { blocks, ownSystem }
}

/** Messages with pictures, documents and sound as the model counts them: that is what a policy's marks are about. */
function asCounted(entries: readonly Entry[], media: MediaFormula): readonly Entry[] {
  let changed = false
  const counted = entries.map((entry): Entry => {
    const difference = entry.type === 'message' ? mediaDifference(entry.message, media) : 0
    if (entry.type === 'fold' || difference === 0) return entry
    changed = true
    return { type: 'message', message: { ...entry.message, tokens: entry.message.tokens + difference } }
  })
  // The same window has the same units, which are known.
  return changed ? counted : entries
}

/** The instructions of the caller, and the description of a session that does not exist yet. */
async function systemFor(
  parts: ContextWiring,
  { scope, session }: Address,
  { system, description }: Pick<ContextRequest, 'system' | 'description'>,
): Promise<readonly Draft[]> {
  const isNew = description !== undefined && (await parts.store.log.session(scope, session)) === undefined
  const texts = [...(system === undefined ? [] : [system]), ...(isNew ? [description] : [])]
  const { systemDrafts } = ContextMemory.of(parts)
  return texts.map((text) => {
    const draft = systemDrafts.get(text) ?? { role: 'system', parts: [{ type: 'text', text }] }
    // A text that is longer than any prompt is not kept in memory.
    if (text.length <= SYSTEM_KEPT_MAX) keepSystemText(systemDrafts, text, draft)
    return draft
  })
}

const SYSTEM_KEPT_MAX = 200_000
const SYSTEM_KEPT_IN_ALL_MAX = 4_000_000

/** Keeps the newest texts, up to a number of characters in all. */
function keepSystemText(kept: Map<string, Draft>, text: string, draft: Draft): void {
  keepNewest(kept, text, draft)
  let characters = 0
  for (const key of kept.keys()) characters += key.length
  for (const key of kept.keys()) {
    if (characters <= SYSTEM_KEPT_IN_ALL_MAX) return
    characters -= key.length
    kept.delete(key)
  }
}

interface Written {
  readonly messages: readonly Draft[]
  readonly cache: ContextCache
  readonly bytes: AssembleRequest['bytes']
  readonly blobs: ReadonlyMap<string, Uint8Array>
  readonly model: string | undefined
}

function writer({ messages, cache, bytes, blobs: bytesByHash, model }: Written): Context['as'] {
  return (dialect, { cacheMarks = false } = {}) => {
    if (!dialects.includes(dialect)) refuse('write a context', 'dialect', dialect, dialects.join(', '))
    const marked = cacheMarks ? withCacheMarks(messages, cache.breakpoints) : messages
    const wire = inDialect(marked, dialect, bytesByHash, model)
    // Marks are a help, the limit is a promise.
    const tooLong = cacheMarks && bytes?.dialect === dialect && Buffer.byteLength(JSON.stringify(wire)) > bytes.max
    return tooLong ? inDialect(messages, dialect, bytesByHash, model) : wire
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
  { reserve = 0, pins = {}, plan, bytes, model, systemDrafts, strict = false, shownBlocks }: PlannedRequest,
  { scale, budget, entries, whole }: Pick<AssembleRequest, 'scale' | 'budget' | 'entries' | 'whole'>,
): Promise<AssembleRequest> {
  await findUnits(entries)
  const units = ContextMemory.of(parts).units.of(`${entries === whole ? 'whole' : 'shown'} ${keyOf(address)}`, entries)
  const limit =
    bytes === undefined
      ? {}
      : {
          bytes: {
            ...bytes,
            ...defined({ model }),
            blobs: await blobsOf(parts, address, entries.flatMap(draftsOf)),
          },
        }
  return {
    entries,
    units,
    whole,
    pinned: pinnedPositions(units, pins),
    budget,
    reserve,
    scale,
    system: systemDrafts,
    blocks: shownBlocks,
    strict,
    recalled: [],
    plan: plan === undefined || plan === false ? [] : [planHint(plan)],
    ...limit,
  }
}

function cacheOf(
  parts: ContextWiring,
  key: string,
  { messages, counts, stored, stable }: Assembled,
  isNow: boolean,
): ContextCache {
  const contexts = ContextMemory.of(parts)
  const current = fingerprint(messages, counts, stored)
  const previous = contexts.previous.get(key)
  if (isNow) keepNewest(contexts.previous, key, current)
  return compareWithPrevious(previous, current, stable)
}

/** What is reported for a model is compared with the last context that was built for it. */
export function countedKey(address: Address, model: string | undefined): string {
  return JSON.stringify([keyOf(address), model ?? null])
}

function keyOf({ scope, session }: Address): string {
  return JSON.stringify([scope, session])
}

async function blobsOf(
  { store }: ContextWiring,
  address: Address,
  messages: readonly Draft[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const hashes = messages.flatMap((message) => blobHashes(message.parts))
  return hashes.length === 0 ? new Map() : blobs(store.log, address.scope, hashes)
}
