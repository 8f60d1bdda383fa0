import type {
  CompactOptions,
  CompactOutcome,
  CompactionsOptions,
  Context,
  ContextOptions,
  ListedCompaction,
  ReopenOptions,
  ReopenedPage,
} from '../api/contexts.ts'
import type {
  ContextRecord,
  RecordedContext,
  RecordedContextsOptions,
  TokenBucket,
  TokenHistoryOptions,
} from '../api/kept-contexts.ts'
import type { ReportedUsage } from '../api/sessions.ts'
import { buildContext } from '../context/build-context.ts'
import type { CachePrices, CacheSimulation, SimulateCacheOptions } from '../api/cache.ts'
import { compactSession } from '../context/compact-session.ts'
import type { Policy, PolicyName } from '../api/policy.ts'
import { reopen } from '../context/compaction/reopen.ts'
import { listContexts, readContext, tokenHistory } from '../context/kept/read-kept.ts'
import { listCompactions } from '../context/list-compactions.ts'
import { ContextMemory } from '../context/context-memory.ts'
import { type ReplayTarget, type ReplayTargetOptions, replaySession } from '../context/replay-session.ts'
import { reportUsage } from '../context/report-usage.ts'
import { contextRequest } from '../context/context-request.ts'
import type { Address } from '../log/log.ts'
import { noteUnknownModel } from '../context/note-unknown-model.ts'
import { policyOf } from '../context/compaction/presets.ts'
import { checkCall } from '../surface/check-call.ts'
import { contextOperations } from '../surface/contexts.ts'
import { recordedContextOperations } from '../surface/recorded-contexts.ts'
import { sessionOperations } from '../surface/sessions.ts'
import { simulateCacheCall } from '../surface/simulate-cache.ts'
import { openMemory } from './open-memory.ts'
import type { Session } from '../api/session.ts'
import type { Wiring } from './wiring.ts'

// Everything a session does with its window: checks the arguments, then calls. Loaded together at the first use.
export { undoCompaction } from '../context/compaction/undo.ts'
export { readWindow } from '../context/read-window.ts'
export { documentOf } from '../state/read-document.ts'

export async function context(
  parts: Wiring,
  address: Address,
  options: ContextOptions,
  description?: string,
): Promise<Context> {
  checkCall(contextOperations.build, options)
  const request = contextRequest(options, description)
  noteUnknownModel(parts, options.model)
  return buildContext(parts, address, request)
}

export async function compactWindow(parts: Wiring, address: Address, options: CompactOptions): Promise<CompactOutcome> {
  checkCall(contextOperations.compact, options)
  return compactSession(parts, address, { ...options, policy: policyOf(options.policy) })
}

export async function compactionsOf(
  parts: Wiring,
  address: Address,
  options: CompactionsOptions,
): Promise<readonly ListedCompaction[]> {
  checkCall(contextOperations.compactions, options)
  return listCompactions(parts, address, options)
}

export async function recordedContexts(
  parts: Wiring,
  address: Address,
  options: RecordedContextsOptions,
): Promise<readonly RecordedContext[]> {
  checkCall(recordedContextOperations.list, options)
  return listContexts(parts, address, options)
}

export async function recordedContext(parts: Wiring, address: Address, id: string): Promise<ContextRecord> {
  checkCall(recordedContextOperations.read, id)
  return readContext(parts, address, id)
}

export async function tokenBuckets(
  parts: Wiring,
  address: Address,
  options: TokenHistoryOptions,
): Promise<readonly TokenBucket[]> {
  checkCall(recordedContextOperations.tokens, options)
  return tokenHistory(parts, address, options)
}

/** The original messages behind a fold, by page of characters. */
export async function reopenPage(
  parts: Wiring,
  address: Address,
  fold: string,
  options: ReopenOptions,
): Promise<ReopenedPage> {
  checkCall(contextOperations.reopen, fold, options)
  const { outlines } = ContextMemory.of(parts)
  return reopen(parts.store.log, address, fold, { ...options, outlines })
}

export async function usage(parts: Wiring, address: Address, reported: ReportedUsage): Promise<void> {
  checkCall(sessionOperations.usage, reported)
  await reportUsage(parts, address, reported)
}

export async function replayPolicies(
  session: Session,
  policies: readonly (PolicyName | Policy)[],
  prices: CachePrices,
  options: SimulateCacheOptions,
): Promise<readonly CacheSimulation[]> {
  checkCall(simulateCacheCall, policies, prices, options)
  return replaySession(session, { policies: policies.map(policyOf), prices, options, open: openTarget })
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
