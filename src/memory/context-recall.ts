import { hash } from 'node:crypto'
import type { Entry } from '../context/window/entry.ts'
import { checkOptions } from '../domain/check-options.ts'
import type { Draft } from '../domain/message.ts'
import { LONG_TERM_TAG, RECALLED } from '../domain/recalled.ts'
import { refuse } from '../domain/refuse.ts'
import type { Address } from '../log/log.ts'
import { messageText } from '../log/message-text.ts'
import { renderLongTermMemory } from '../recall/block/render-long-term-memory.ts'
import { type RecallOptions, recall } from '../recall/recall.ts'
import type { RecallItem } from '../recall/result.ts'
import { checkCount } from './check-arguments.ts'
import type { Parts } from './parts.ts'

/** Of the budget, when nobody says how much recalled text may cost. */
const SHARE = 0.1
const TOKENS_MAX = 1_000
const DEADLINE_MS = 2_000
const QUERY_CHARACTERS_MAX = 2_000

export interface ContextRecall extends Pick<RecallOptions, 'kinds' | 'limit' | 'since' | 'until'> {
  /** @default what the user said last */
  readonly query?: string
  /** Tokens that recalled text may cost. @default a tenth of the context's budget, at most 1,000 */
  readonly budget?: number
  /** How long a context waits for it. @default 2,000 */
  readonly deadlineMs?: number
}

export interface ForContext {
  readonly items: readonly RecallItem[]
  readonly drafts: readonly Draft[]
}

const NOTHING: ForContext = { items: [], drafts: [] }

/**
 * What is remembered that bears on what the user said last, as one message of quoted data; nothing that the window shows
 * anyway. Fails, stalls or finds nothing: the context is built without.
 */
export async function recallForContext(
  parts: Parts,
  address: Address,
  wanted: true | ContextRecall,
  { entries, budget }: { readonly entries: readonly Entry[]; readonly budget: number },
): Promise<ForContext> {
  const { query, deadlineMs = DEADLINE_MS, since, until, ...options } = wanted === true ? {} : wanted
  const question = (query ?? newestRequest(entries)).slice(0, QUERY_CHARACTERS_MAX)
  const tokensMax = options.budget ?? Math.min(TOKENS_MAX, Math.floor(budget * SHARE))
  if (question.trim() === '' || tokensMax < 1) return NOTHING
  try {
    const shown = new Set(entries.flatMap((entry) => (entry.type === 'message' ? [entry.message.id] : [])))
    const { items } = await within(deadlineMs, async () =>
      recall(await parts.recall(), {
        ...options,
        ...times({ since, until }),
        scope: address.scope,
        query: question,
        // What is in sight comes first and is passed over: so more is asked for.
        budget:
          tokensMax + entries.reduce((sum, entry) => sum + (entry.type === 'message' ? entry.message.tokens : 0), 0),
        now: parts.log.clock.now(),
      }),
    )
    const hidden = items.filter(({ source }) => source.session !== address.session || !shown.has(source.id))
    return await asMessage(parts, hidden, tokensMax)
  } catch (error) {
    parts.emit({ type: 'recall-fail', ...address, error })
    return NOTHING
  }
}

/** As many as fit, best first. */
async function asMessage(parts: Parts, items: readonly RecallItem[], tokensMax: number): Promise<ForContext> {
  const kept: RecallItem[] = []
  let draft: Draft | undefined
  for (const item of items) {
    const tried = draftOf([...kept, item])
    if ((await parts.log.count(tried)) > tokensMax) continue
    kept.push(item)
    draft = tried
  }
  return draft === undefined ? NOTHING : { items: kept, drafts: [draft] }
}

function draftOf(items: readonly RecallItem[]): Draft {
  const listed = items.map(({ kind, text, at, trust, source: { id, session, seq } }) => ({
    id,
    at,
    trust,
    source: session === null ? kind : `${kind} ${seq ?? ''} of session ${JSON.stringify(session)}`,
    text,
  }))
  // Not random: the same log and the same question make the same bytes. Nobody can know it before the items are chosen.
  const nonce = hash('sha256', JSON.stringify(listed)).slice(0, 16)
  return {
    role: 'user',
    name: LONG_TERM_TAG,
    metadata: { daybook: RECALLED },
    parts: [{ type: 'text', text: renderLongTermMemory(listed, { nonce }) }],
  }
}

function newestRequest(entries: readonly Entry[]): string {
  const newest = entries.findLast((entry) => entry.type === 'message' && entry.message.role === 'user')
  return newest?.type === 'message' ? messageText(newest.message) : ''
}

function times({ since, until }: { [Key in 'since' | 'until']: ContextRecall[Key] | undefined }): {
  readonly since?: number
  readonly until?: number
} {
  return {
    ...(since === undefined ? {} : { since: new Date(since).getTime() }),
    ...(until === undefined ? {} : { until: new Date(until).getTime() }),
  }
}

async function within<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new DOMException(`No answer within ${ms} ms`, 'TimeoutError')), ms)
  try {
    return await Promise.race([work(), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Accepts the option `recall` of a context. */
export function checkContextRecall(recalling: unknown): asserts recalling is boolean | ContextRecall {
  if (typeof recalling === 'boolean') return
  checkOptions('build a context: recall', recalling, [
    'query',
    'budget',
    'deadlineMs',
    'kinds',
    'limit',
    'since',
    'until',
  ])
  const { query, budget, deadlineMs, limit } = recalling as ContextRecall
  if (query !== undefined && typeof query !== 'string') refuse('build a context', 'recall.query', query, 'a string')
  for (const [name, value] of Object.entries({ budget, deadlineMs, limit }))
    if (value !== undefined) checkCount('build a context', `recall.${name}`, value)
}
