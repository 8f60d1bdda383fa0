import { estimator } from '../../tokens/estimate.ts'
import { currentTasks } from '../task.ts'
import { uniqueFacts } from './build.ts'
import type { ContextDocument, HistoryEntry } from '../../api/document.ts'
import { refuse } from '../../domain/refuse.ts'
import { SUMMARY_TOKENS_MAX, addToSummary } from './summary.ts'

const ATTEMPT = 'compact a document'
const ENTRIES_MAX = 50
const ENTRIES_KEPT = 30
const TOKENS_MAX = 100_000
const FACTS_MAX = 500
const AGE_MAX_SECONDS = 3 * 24 * 60 * 60

export interface CompactDocumentOptions {
  /** @default the system's clock */
  readonly now?: Date
  /**
   * Keep only `keep` entries although there are no more than `at`.
   *
   * @default false
   */
  readonly force?: boolean
  /** Entries that stay when there are too many; fewer than `at`. @default 30 */
  readonly keep?: number
  /** Entries that a document may have. @default 50 */
  readonly at?: number
  /** Tokens that its entries may have together. @default 100,000 */
  readonly tokens?: number
  /** Seconds after which an entry goes into the summary. @default 259,200, which are three days */
  readonly ageMaxSeconds?: number
  /** Facts that stay, the newest ones. @default 500 */
  readonly factsMax?: number
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
 * The numbers are options. The newest turn stays whole, and so do calls with their results. Compacting again changes nothing.
 *
 * @throws {MemoryError} `input/invalid` for numbers that make no sense.
 */
export function compactDocument(document: ContextDocument, options: CompactDocumentOptions = {}): CompactedDocument {
  const { now = new Date(), force = false, summaryTokensMax = SUMMARY_TOKENS_MAX, factsMax = FACTS_MAX } = options
  const { keep = ENTRIES_KEPT, at = ENTRIES_MAX, tokens = TOKENS_MAX, ageMaxSeconds = AGE_MAX_SECONDS } = options
  checkNumbers({ keep, at, tokens, ageMaxSeconds, factsMax, summaryTokensMax })
  const nowSeconds = Math.floor(now.getTime() / 1000)
  const entries = document.recent_history
  const costs = costsOf(entries)
  const oldest = nowSeconds - ageMaxSeconds
  const cut = cutOf(entries, costs, { oldest, keep, keptMax: force ? keep : at, tokensMax: tokens })
  const through = cut.aged.length + cut.counted.length + cut.weighed.length
  const tokensAfter = sum(costs.slice(through))
  const summary = addToSummary(
    document.long_term_summary,
    { aged: cut.aged, older: [...cut.counted, ...cut.weighed] },
    summaryTokensMax,
  )
  const facts = uniqueFacts(document.facts).slice(-factsMax)
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
      overLimit: tokensAfter > tokens,
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

function checkNumbers(
  numbers: Readonly<Record<string, number>> & { readonly keep: number; readonly at: number },
): void {
  for (const [name, value] of Object.entries(numbers))
    if (!Number.isSafeInteger(value) || value < 1) refuse(ATTEMPT, name, value, 'a positive whole number')
  if (numbers.keep >= numbers.at)
    refuse(ATTEMPT, 'keep', numbers.keep, `fewer than the ${numbers.at} entries that a document may have`)
}

interface Limits {
  /** Entries that were written before this are too old. */
  readonly oldest: number
  readonly keep: number
  readonly keptMax: number
  readonly tokensMax: number
}

interface Cut {
  readonly aged: readonly HistoryEntry[]
  readonly counted: readonly HistoryEntry[]
  readonly weighed: readonly HistoryEntry[]
}

/** What goes, always from the beginning. Times may be out of order: what one rule moves to the front may go by another. */
function cutOf(entries: readonly HistoryEntry[], costs: readonly number[], limits: Limits): Cut {
  const newest = newestTurn(entries)
  const starts = unitStarts(entries)
  const aged = edgeAtMost(starts, Math.min(agedThrough(entries, limits.oldest), newest))
  const over = entries.length - aged > limits.keptMax
  const counted = over ? Math.max(aged, edgeAtMost(starts, Math.min(entries.length - limits.keep, newest))) : aged
  const weighed = halveUntilLight(costs, starts, { from: counted, newest, tokensMax: limits.tokensMax })
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
function agedThrough(entries: readonly HistoryEntry[], oldest: number): number {
  const young = entries.findIndex(({ timestamp }) => timestamp > 0 && timestamp >= oldest)
  const end = young < 0 ? entries.length : young
  return entries.slice(0, end).findLastIndex(({ timestamp }) => timestamp > 0) + 1
}

function halveUntilLight(
  costs: readonly number[],
  starts: readonly number[],
  { from, newest, tokensMax }: { readonly from: number; readonly newest: number; readonly tokensMax: number },
): number {
  let cut = from
  let tokens = sum(costs.slice(cut))
  while (tokens > tokensMax) {
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
