import { type Context, type ContextOptions, buildContext } from '../context/build-context.ts'
import type { CachePrices, CacheSimulation, SimulateCacheOptions } from '../context/cache-simulation.ts'
import { type CompactOptions, compactSession } from '../context/compact-session.ts'
import type { CompactOutcome } from '../context/compaction/compact.ts'
import type { Policy } from '../context/compaction/policy.ts'
import { type ReopenOptions, type ReopenedPage, reopen as reopenFold } from '../context/compaction/reopen.ts'
import { ContextMemory } from '../context/context-memory.ts'
import { type ReplayTarget, type ReplayTargetOptions, replaySession } from '../context/replay-session.ts'
import { type ReportedUsage, reportUsage } from '../context/report-usage.ts'
import { checkOptions } from '../domain/check-options.ts'
import { dialects } from '../domain/dialect.ts'
import { checkId } from '../domain/names.ts'
import { checkPlan } from '../domain/plan.ts'
import { refuse } from '../domain/refuse.ts'
import type { Address } from '../log/log.ts'
import { checkCount, checkFlag, checkPosition } from './check-arguments.ts'
import { checkContextRecall } from './check-context-recall.ts'
import { checkPins, checkPolicy } from './check-policy.ts'
import { openMemory } from './open-memory.ts'
import type { Session } from './session.ts'
import type { Wiring } from './wiring.ts'

// Everything a session does with its window: checks the arguments, then calls. Loaded together at the first use.
export { undoCompaction } from '../context/compaction/undo.ts'
export { readWindow } from '../context/read-window.ts'
export { documentOf } from './document.ts'

export async function context(parts: Wiring, address: Address, options: ContextOptions): Promise<Context> {
  checkContextOptions(options)
  return buildContext(parts, address, { ...options, policy: checkPolicy('build a context', options.policy) })
}

export async function compact(parts: Wiring, address: Address, options: CompactOptions): Promise<CompactOutcome> {
  checkOptions('compact', options, ['policy', 'budget', 'force', 'dryRun', 'pins'])
  if (options.budget !== undefined) checkCount('compact', 'budget', options.budget)
  if (options.force !== undefined) checkFlag('compact', 'force', options.force)
  if (options.dryRun !== undefined) checkFlag('compact', 'dryRun', options.dryRun)
  if (options.pins !== undefined) checkPins('compact', options.pins)
  return compactSession(parts, address, { ...options, policy: checkPolicy('compact', options.policy) })
}

/** The original messages behind a fold, by page of characters. */
export async function reopen(
  parts: Wiring,
  address: Address,
  fold: string,
  options: ReopenOptions,
): Promise<ReopenedPage> {
  checkId('reopen', 'fold', fold)
  checkOptions('reopen', options, ['offset', 'limit'])
  if (options.offset !== undefined) checkPosition('reopen', 'offset', options.offset)
  if (options.limit !== undefined) checkCount('reopen', 'limit', options.limit)
  const { outlines } = ContextMemory.of(parts)
  return reopenFold(parts.store.log, address, fold, { ...options, outlines })
}

export async function usage(parts: Wiring, address: Address, reported: ReportedUsage): Promise<void> {
  checkOptions('report usage', reported, ['model', 'inputTokens', 'outputTokens', 'estimatedTokens'])
  checkId('report usage', 'model', reported.model)
  for (const key of ['inputTokens', 'outputTokens', 'estimatedTokens'] as const) {
    const value = reported[key]
    if (value === undefined && key !== 'inputTokens') continue
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
      refuse('report usage', key, value, 'a number of tokens')
  }
  await reportUsage(parts, address, reported)
}

export async function replay(
  session: Session,
  policies: readonly (string | Policy)[],
  prices: CachePrices,
  options: SimulateCacheOptions,
): Promise<readonly CacheSimulation[]> {
  const attempt = 'simulate the cache'
  checkPrices(prices)
  checkOptions(attempt, options, ['budget', 'reserve', 'model', 'pins'])
  if (options.budget !== undefined) checkCount(attempt, 'budget', options.budget)
  if (!Array.isArray(policies)) refuse(attempt, 'policies', policies, 'an array of policies')
  const checked = policies.map((policy: string | Policy) => checkPolicy(attempt, policy))
  return replaySession(session, { policies: checked, prices, options, open: openTarget })
}

async function openTarget({ session, onEvent, ...options }: ReplayTargetOptions): Promise<ReplayTarget> {
  const memory = await openMemory(':memory:', {
    ...options,
    onEvent: (event) => {
      if (event.type === 'compaction-end') onEvent(event)
    },
  })
  const copy = memory.scope('simulation').session(session)
  return {
    append: (messages) => copy.append(messages),
    context: (wanted) => copy.context(wanted),
    close: () => memory.close(),
  }
}

function checkContextOptions(options: ContextOptions): void {
  checkOptions('build a context', options, [
    'budget',
    'model',
    'reserve',
    'policy',
    'pins',
    'plan',
    'recall',
    'bytes',
    'shrink',
  ])
  checkCount('build a context', 'budget', options.budget)
  if (options.reserve !== undefined) checkPosition('build a context', 'reserve', options.reserve)
  if (options.model !== undefined) checkId('build a context', 'model', options.model)
  if (options.shrink !== undefined) checkFlag('build a context', 'shrink', options.shrink)
  if (options.bytes !== undefined) {
    checkOptions('build a context: bytes', options.bytes, ['dialect', 'max'])
    checkCount('build a context', 'bytes.max', options.bytes.max)
    if (!dialects.includes(options.bytes.dialect))
      refuse('build a context', 'bytes.dialect', options.bytes.dialect, dialects.join(', '))
  }
  if (options.pins !== undefined) checkPins('build a context', options.pins)
  if (options.plan !== undefined && options.plan !== false) checkPlan('build a context', options.plan)
  if (options.recall !== undefined) checkContextRecall(options.recall)
}

function checkPrices(prices: CachePrices): void {
  checkOptions('simulate the cache: prices', prices, ['input', 'cached', 'cacheWrite'], 'price')
  for (const name of ['input', 'cached', 'cacheWrite'] as const) {
    const price = prices[name]
    if (price === undefined && name === 'cacheWrite') continue
    if (typeof price !== 'number' || !Number.isFinite(price) || price < 0)
      refuse('simulate the cache', `prices.${name}`, price, 'a price for a million tokens, from 0 on')
  }
}
