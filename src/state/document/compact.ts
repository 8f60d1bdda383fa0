import { estimator } from '../../tokens/estimate.ts'
import { currentTasks } from '../task.ts'
import { uniqueFacts } from './build.ts'
import type { ContextDocument, HistoryEntry } from '../../api/document.ts'
import { SUMMARY_TOKENS_MAX, addToSummary } from './summary.ts'

const ENTRIES_MAX = 50
const ENTRIES_KEPT = 30
const TOKENS_MAX = 100_000
const FACTS_MAX = 500
const AGE_MAX_SECONDS = 3 * 24 * 60 * 60

export interface CompactDocumentOptions {
  /** @default the system's clock */
  readonly now?: Date
  /**
   * Keep 30 entries although there are no more than 50.
   *
   * @default false
   */
  readonly force?: boolean
  /** Tokens that the summary may have. @default 2,000 */
  readonly summaryTokensMax?: number
}

/** What compacting did, by part. */
export interface CompactedDocument {
  /** The document itself if nothing changed. */
  readonly document: ContextDocument
  readonly changed: boolean
  /** Entries that went into the summary: for their age, for their number, for their tokens. */
  readonly history: {
    readonly changed: boolean
    readonly aged: number
    readonly counted: number
    readonly weighed: number
    readonly kept: number
    readonly tokensBefore: number
    readonly tokensAfter: number
    /** Whether it is still over the limit, because the newest turn alone is. */
    readonly overLimit: boolean
  }
  readonly summary: { readonly changed: boolean; readonly tokens: number; readonly linesDropped: number }
  readonly facts: { readonly changed: boolean; readonly removed: number; readonly kept: number }
  readonly tasks: { readonly changed: boolean; readonly removed: number; readonly kept: number }
}

/**
 * Makes a document smaller. Over 50 entries, the oldest go into the summary and 30 stay; over 100,000 tokens, the older half goes,
 * until it fits; entries older than three days go; a fact that is there twice is kept once; tasks that ended leave after 24 hours.
 * The newest turn stays whole, and so do calls with their results. Compacting again changes nothing.
 */
export function compactDocument(
  document: ContextDocument,
  { now = new Date(), force = false, summaryTokensMax = SUMMARY_TOKENS_MAX }: CompactDocumentOptions = {},
): CompactedDocument {
  const nowSeconds = Math.floor(now.getTime() / 1000)
  const entries = document.recent_history
  const costs = costsOf(entries)
  const cut = cutOf(entries, costs, { nowSeconds, keptMax: force ? ENTRIES_KEPT : ENTRIES_MAX })
  const through = cut.aged.length + cut.counted.length + cut.weighed.length
  const tokensAfter = sum(costs.slice(through))
  const summary = addToSummary(
    document.long_term_summary,
    { aged: cut.aged, older: [...cut.counted, ...cut.weighed] },
    summaryTokensMax,
  )
  const facts = uniqueFacts(document.facts).slice(-FACTS_MAX)
  const tasks = currentTasks(document.active_tasks, nowSeconds)
  const parts = {
    history: {
      changed: through > 0,
      aged: cut.aged.length,
      counted: cut.counted.length,
      weighed: cut.weighed.length,
      kept: entries.length - through,
      tokensBefore: sum(costs),
      tokensAfter,
      overLimit: tokensAfter > TOKENS_MAX,
    },
    summary: {
      changed: summary.text !== document.long_term_summary,
      tokens: summary.tokens,
      linesDropped: summary.linesDropped,
    },
    facts: {
      changed: facts.length < document.facts.length,
      removed: document.facts.length - facts.length,
      kept: facts.length,
    },
    tasks: {
      changed: tasks.length < document.active_tasks.length,
      removed: document.active_tasks.length - tasks.length,
      kept: tasks.length,
    },
  }
  const changed = Object.values(parts).some((part) => part.changed)
  return {
    document: changed
      ? {
          ...document,
          recent_history: entries.slice(through),
          long_term_summary: summary.text,
          facts,
          active_tasks: tasks,
        }
      : document,
    changed,
    ...parts,
  }
}

interface Cut {
  readonly aged: readonly HistoryEntry[]
  readonly counted: readonly HistoryEntry[]
  readonly weighed: readonly HistoryEntry[]
}

/** What goes, always from the beginning. Times may be out of order: what one rule moves to the front may go by another. */
function cutOf(
  entries: readonly HistoryEntry[],
  costs: readonly number[],
  limits: { readonly nowSeconds: number; readonly keptMax: number },
): Cut {
  const newest = newestTurn(entries)
  const starts = unitStarts(entries)
  const aged = edgeAtMost(starts, Math.min(agedThrough(entries, limits.nowSeconds), newest))
  const over = entries.length - aged > limits.keptMax
  const counted = over ? Math.max(aged, edgeAtMost(starts, Math.min(entries.length - ENTRIES_KEPT, newest))) : aged
  const weighed = halveUntilLight(costs, starts, counted, newest)
  const cut = {
    aged: entries.slice(0, aged),
    counted: entries.slice(aged, counted),
    weighed: entries.slice(counted, weighed),
  }
  if (weighed === 0) return cut
  const next = cutOf(entries.slice(weighed), costs.slice(weighed), limits)
  return {
    aged: [...cut.aged, ...next.aged],
    counted: [...cut.counted, ...next.counted],
    weighed: [...cut.weighed, ...next.weighed],
  }
}

/** The writer's token counts; entries without a count are counted here. */
function costsOf(entries: readonly HistoryEntry[]): readonly number[] {
  const { count } = estimator()
  return entries.map(({ token_count: tokens, content }) => tokens ?? count(content))
}

/** Where the history may be cut: never between a call and its result. */
function unitStarts(entries: readonly HistoryEntry[]): readonly number[] {
  return entries.flatMap(({ role }, index) => (role === 'tool' && index > 0 ? [] : [index]))
}

function edgeAtMost(starts: readonly number[], index: number): number {
  return starts.findLast((start) => start <= index) ?? 0
}

/** Where the newest turn of the user begins; without one, the newest entry. */
function newestTurn(entries: readonly HistoryEntry[]): number {
  const user = entries.findLastIndex(({ role }) => role === 'user')
  return user < 0 ? Math.max(0, entries.length - 1) : user
}

/** How many entries at the beginning are too old. One without a time is as old as the next that has one. */
function agedThrough(entries: readonly HistoryEntry[], nowSeconds: number): number {
  const young = entries.findIndex(({ timestamp }) => timestamp > 0 && nowSeconds - timestamp <= AGE_MAX_SECONDS)
  const end = young < 0 ? entries.length : young
  return entries.slice(0, end).findLastIndex(({ timestamp }) => timestamp > 0) + 1
}

function halveUntilLight(costs: readonly number[], starts: readonly number[], from: number, newest: number): number {
  let cut = from
  let tokens = sum(costs.slice(cut))
  while (tokens > TOKENS_MAX) {
    const half = cut + Math.max(1, Math.floor((costs.length - cut) / 2))
    // Forward to the next edge, so that each round takes something; never into the newest turn.
    const next =
      starts.find((start) => start >= half && start <= newest) ?? starts.find((start) => start > cut && start <= newest)
    if (next === undefined) return cut
    tokens -= sum(costs.slice(cut, next))
    cut = next
  }
  return cut
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
