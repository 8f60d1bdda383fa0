import type { RecordedContext } from '../api/kept-contexts.ts'
import type { SessionPreview, SessionSummary } from '../api/sessions.ts'
import { MemoryError } from '../domain/error.ts'
import { importedTitle } from '../domain/imported-title.ts'
import type { Message } from '../domain/message.ts'
import type { Part } from '../domain/part.ts'
import type { KeptContextStore } from '../ports/kept-context-store.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { Address } from './log.ts'
import { scan } from './scan.ts'
import { openView } from './view.ts'

const CHARACTERS = 200

/** What previews are made from. */
export interface PreviewSources {
  readonly log: LogStore
  readonly keptContexts: KeptContextStore
}

/** Adds to each session its title, who spoke last, and how large its last recorded context was. */
export async function previewSessions(
  store: PreviewSources,
  scope: string,
  sessions: readonly SessionSummary[],
): Promise<readonly SessionSummary[]> {
  return Promise.all(
    sessions.map(async (session) => ({ ...session, preview: await previewOf(store, { scope, session: session.id }) })),
  )
}

async function previewOf({ log, keptContexts }: PreviewSources, address: Address): Promise<SessionPreview> {
  const [message, [context]] = await Promise.all([
    messageAt(log, address, 'last'),
    keptContexts.list(address, { since: 0, before: undefined, limit: 1 }),
  ])
  const { tokens, cache } =
    context === undefined ? {} : (JSON.parse(context.head) as Partial<Pick<RecordedContext, 'tokens' | 'cache'>>)
  return {
    title: await titleOf(log, address, message),
    ...(message === undefined
      ? { speaker: null, text: '' }
      : { speaker: message.name ?? message.role, text: beginningOf(message.parts) }),
    context:
      tokens === undefined || cache === undefined
        ? null
        : { tokens: tokens.total, budget: tokens.budget, cached: Math.min(cache.equalTokens, tokens.total) },
  }
}

/** An imported conversation may have gone on since. Then its first message has the title. */
async function titleOf(log: LogStore, address: Address, last: Message | undefined): Promise<string | null> {
  const title = last === undefined ? undefined : importedTitle(last)
  if (title !== undefined || last === undefined || last.seq === 1) return title ?? null
  const first = await messageAt(log, address, 'first')
  return (first === undefined ? undefined : importedTitle(first)) ?? null
}

/** The first or last one that is live. A session that cannot be read shows nothing here: reading it says why. */
async function messageAt(log: LogStore, address: Address, which: 'first' | 'last'): Promise<Message | undefined> {
  try {
    const view = await openView(log, address)
    if (view === undefined) return undefined
    const range = { from: 1, through: view.lastSeq, newestFirst: which === 'last', hint: 1, withRemoved: false }
    for await (const message of scan(log, view, range)) return message
  } catch (error) {
    if (!MemoryError.is(error)) throw error
  }
  return undefined
}

function beginningOf(parts: readonly Part[]): string {
  let text = ''
  for (const part of parts) {
    if (text.length >= CHARACTERS) break
    text += `${text === '' ? '' : ' '}${wordsOf(part).slice(0, CHARACTERS)}`
  }
  return text.slice(0, CHARACTERS).toWellFormed()
}

function wordsOf(part: Part): string {
  if (part.type === 'text' || part.type === 'reasoning') return part.text
  if (part.type === 'tool-call') return `${part.name}(…)`
  if (part.type !== 'tool-result') return `[${part.type}]`
  return part.output.type === 'text'
    ? part.output.text
    : JSON.stringify(part.output.type === 'json' ? part.output.value : [])
}
