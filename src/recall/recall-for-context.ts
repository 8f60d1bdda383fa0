import { hash } from 'node:crypto'
import type { Entry } from '../context/window/entry.ts'
import type { Window } from '../context/window/window.ts'
import type { Draft } from '../domain/message.ts'
import { LONG_TERM_TAG, RECALLED } from '../domain/recalled.ts'
import type { Address, Log } from '../log/log.ts'
import type { Store } from '../ports/store.ts'
import { messageText } from '../log/message-text.ts'
import { within } from '../model/within.ts'
import { fitBlock } from './block/fit-block.ts'
import { shownItem } from './block/shown-item.ts'
import { shownInWindow } from './shown-in-window.ts'
import { type RecallWiring, recall } from './recall.ts'
import type { RecallItem } from '../api/recall.ts'
import type { ContextRecall } from '../api/contexts.ts'
import type { RecalledForContext } from '../context/recalled.ts'

/** Of the budget, when nobody says how much recalled text may cost; of a small one more, since a block has a frame. */
const SHARE = 0.1
const SHARE_OF_SMALL = 0.25
const TOKENS_SMALL = 300
const TOKENS_MAX = 1_000
const DEADLINE_MS = 2_000
const QUERY_CHARACTERS_MAX = 2_000

/** What recalling for a context needs of an open memory. */
interface ForContextWiring {
  readonly log: Pick<Log, 'clock' | 'count'>
  readonly store: Pick<Store, 'together'>
  readonly recall: () => Promise<RecallWiring>
  readonly emit: (event: RecallFailure) => void
}

interface RecallFailure {
  readonly type: 'recall-fail'
  readonly scope: string
  readonly session: string
  readonly error: unknown
}

const NOTHING: RecalledForContext = { items: [], drafts: [] }

/**
 * What is remembered that bears on what the user said last, as one message of quoted data; nothing that the window shows
 * anyway. Fails, stalls or finds nothing: the context is built without.
 */
export async function recallForContext(
  parts: ForContextWiring,
  address: Address,
  wanted: true | ContextRecall,
  { window, budget }: { readonly window: Window | undefined; readonly budget: number },
): Promise<RecalledForContext> {
  const { query, deadlineMs = DEADLINE_MS, since, until, text, ...options } = wanted === true ? {} : wanted
  if (text !== undefined) return text === '' ? NOTHING : { items: [], drafts: [recalledMessage(text)] }
  const question = lastCharacters(query ?? newestRequest(window?.entries ?? []), QUERY_CHARACTERS_MAX)
  const visible = new Set(window?.entries.flatMap((entry) => (entry.type === 'message' ? [entry.message.id] : [])))
  const tokensMax = options.budget ?? shareOf(budget)
  if (question.trim() === '' || tokensMax < 1) return NOTHING
  const found = await within(deadlineMs, new AbortController().signal, async () => {
    const ready = await parts.recall()
    const request = {
      ...options,
      relevant: true,
      ...times({ since, until }),
      scope: address.scope,
      query: question,
      budget: tokensMax,
      now: parts.log.clock.now(),
      ...(window === undefined ? {} : { isShown: shownInWindow(window), isVisible: (id: string) => visible.has(id) }),
    }
    return parts.store.together(() => recall(ready, request))
  })
  if (found.ok) return asMessage(parts, found.value.items, tokensMax)
  parts.emit({ type: 'recall-fail', ...address, error: found.error })
  return NOTHING
}

function shareOf(budget: number): number {
  return Math.floor(Math.min(TOKENS_MAX, Math.max(budget * SHARE, Math.min(TOKENS_SMALL, budget * SHARE_OF_SMALL))))
}

async function asMessage(
  parts: ForContextWiring,
  items: readonly RecallItem[],
  tokensMax: number,
): Promise<RecalledForContext> {
  const block = await fitBlock(items, shownItem, {
    fits: async (text) => (await parts.log.count(recalledMessage(text))) <= tokensMax,
    // Not random: the same log and the same question make the same bytes. Nobody can know it before the items are chosen.
    nonceFor: (listed) => hash('sha256', JSON.stringify(listed)).slice(0, 8),
  })
  return block.text === '' ? NOTHING : { items: block.items, drafts: [recalledMessage(block.text)] }
}

function recalledMessage(text: string): Draft {
  return { role: 'user', name: LONG_TERM_TAG, metadata: { daybook: RECALLED }, parts: [{ type: 'text', text }] }
}

/** What was pasted comes first, what is asked about it last. */
function lastCharacters(text: string, max: number): string {
  return text.length <= max ? text : text.slice(-max)
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
