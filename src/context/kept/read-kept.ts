import { defined } from '../../domain/defined.ts'
import type { ContextReceipt, ReceiptLine } from '../../api/contexts.ts'
import type {
  ContextRecord,
  RecordedContext,
  RecordedContextOptions,
  RecordedContextsOptions,
  TokenBucket,
  TokenHistoryOptions,
} from '../../api/kept-contexts.ts'
import type { Policy } from '../../api/policy.ts'
import type { RecallItem } from '../../api/recall.ts'
import { MemoryError } from '../../domain/error.ts'
import type { Draft, Message } from '../../domain/message.ts'
import { quote } from '../../domain/refuse.ts'
import type { Address } from '../../log/log.ts'
import { scan } from '../../log/scan.ts'
import { type View, openView } from '../../log/view.ts'
import type { KeptContextHead } from '../../ports/kept-context-store.ts'
import { ContextMemory } from '../context-memory.ts'
import type { ContextWiring } from '../wiring.ts'
import { type KeptBody, type KeptHead, MARK_LENGTH, type PackedLine } from './kept-body.ts'
import { KEPT_MS } from './kept-contexts.ts'
import { hashOfMessage, messageDigest } from './message-digest.ts'

const LIMIT_DEFAULT = 100
const PAGE = 1_000
const BUCKETS_MAX = 500
/** Stands where a message or a text is gone. */
const GONE: Draft = { role: 'system', parts: [{ type: 'text', text: '(no longer stored)' }] }

/** Contexts of a session that were recorded, newest first. */
export async function listContexts(
  parts: ContextWiring,
  address: Address,
  { limit = LIMIT_DEFAULT, before }: RecordedContextsOptions,
): Promise<readonly RecordedContext[]> {
  await ContextMemory.of(parts).kept.settled(parts)
  return (await pageOf(parts, address, limit, before)).map(listed)
}

function pageOf(
  { store, log }: ContextWiring,
  address: Address,
  limit: number,
  before: string | undefined,
): Promise<readonly KeptContextHead[]> {
  return store.keptContexts.list(address, { since: log.clock.now() - KEPT_MS, before, limit })
}

function listed({ id, at, head }: KeptContextHead): RecordedContext {
  return { id, at: new Date(at).toISOString(), ...(JSON.parse(head) as KeptHead) }
}

/** A recorded context with its messages, and whether they are those that were handed out. */
export async function readContext(parts: ContextWiring, address: Address, id: string): Promise<ContextRecord> {
  await ContextMemory.of(parts).kept.settled(parts)
  const { store, log } = parts
  const row = await store.keptContexts.read(address, id)
  if (row === undefined || row.at < log.clock.now() - KEPT_MS) throw notRecorded(address, id)
  const { messages: count, ...head } = listed(row)
  const body = JSON.parse(row.body) as KeptBody
  const view = await openView(store.log, address, { version: row.version })
  const texts = await textsOf(parts, address, body)
  const logged = view === undefined ? new Map<number, Message>() : await messagesOf(parts, view, body)
  const messages = body.references.flatMap((reference): readonly Draft[] => {
    if (typeof reference === 'string') return [(texts.get(reference) as Draft | undefined) ?? GONE]
    const [from, through] = reference
    return Array.from({ length: through - from + 1 }, (_, index) => logged.get(from + index) ?? GONE)
  })
  const marked = messages.map((draft) => hashOfMessage(draft).slice(0, MARK_LENGTH))
  const agrees = messages.length === count && messageDigest(messages) === head.digest
  const difference = marked.findIndex(
    (mark, index) => body.marks.slice(index * MARK_LENGTH, (index + 1) * MARK_LENGTH) !== mark,
  )
  const receipt: ContextReceipt = { lines: unpacked(body.lines, logged), tokens: head.tokens, ...body.receipt }
  const policy = texts.get(body.policy) as Policy | undefined
  return {
    ...head,
    messages,
    agrees,
    firstDifference: agrees ? null : Math.max(0, difference),
    receipt,
    recalled:
      body.recalled === undefined ? [] : ((texts.get(body.recalled) as readonly RecallItem[] | undefined) ?? []),
    options: { ...body.options, ...defined({ policy }) } as RecordedContextOptions,
  }
}

async function textsOf(
  { store }: ContextWiring,
  address: Address,
  { references, policy, recalled }: KeptBody,
): Promise<ReadonlyMap<string, unknown>> {
  const hashes = new Set([
    policy,
    ...(recalled === undefined ? [] : [recalled]),
    ...references.filter((reference) => typeof reference === 'string'),
  ])
  const rows = await store.keptContexts.texts(address, [...hashes])
  return new Map(rows.map(({ hash, body }) => [hash, JSON.parse(body) as unknown]))
}

async function messagesOf(
  { store }: ContextWiring,
  view: View,
  { references }: KeptBody,
): Promise<ReadonlyMap<number, Message>> {
  const found = new Map<number, Message>()
  for (const reference of references) {
    if (typeof reference === 'string') continue
    const [from, through] = reference
    for await (const message of scan(store.log, view, { from, through, newestFirst: false, withRemoved: true }))
      found.set(message.seq, message)
  }
  return found
}

function unpacked(lines: readonly PackedLine[], logged: ReadonlyMap<number, Message>): readonly ReceiptLine[] {
  return lines.flatMap((line): readonly ReceiptLine[] => {
    if (!('from' in line)) return [line]
    const { as, from, tokens } = line
    return tokens.map((count, index) => {
      const seq = from + index
      return { type: 'kept', seq, id: logged.get(seq)?.id ?? '', as, tokens: count }
    })
  })
}

function notRecorded({ session, scope }: Address, id: string): MemoryError {
  return new MemoryError(
    'context/not-found',
    `Cannot read context ${quote(id)} of session ${quote(session)}: there is no record of it, expected the id of one that session.contexts() lists`,
    { scope, session, context: id },
  )
}

/** What the contexts of a session cost, oldest first, in a number of buckets that a chart can show. */
export async function tokenHistory(
  parts: ContextWiring,
  address: Address,
  { buckets = BUCKETS_MAX }: TokenHistoryOptions,
): Promise<readonly TokenBucket[]> {
  await ContextMemory.of(parts).kept.settled(parts)
  const all: RecordedContext[] = []
  for (let before: string | undefined; ;) {
    const page = await pageOf(parts, address, PAGE, before)
    for (const row of page) all.push(listed(row))
    before = page.at(-1)?.id
    if (page.length < PAGE) break
  }
  all.reverse()
  const size = Math.max(1, Math.ceil(all.length / buckets))
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    bucketOf(all.slice(index * size, (index + 1) * size)),
  )
}

function bucketOf(contexts: readonly RecordedContext[]): TokenBucket {
  const largest = contexts.reduce((most, one) => (one.tokens.total > most.tokens.total ? one : most))
  const { digest: _, messages: _count, ...head } = largest
  return {
    ...head,
    missed: contexts.reduce((sum, { missed }) => sum + missed, 0),
    contexts: contexts.length,
    inputTokens: contexts.reduce((sum, { cache }) => sum + cache.totalTokens, 0),
    equalTokens: contexts.reduce((sum, { cache }) => sum + cache.equalTokens, 0),
  }
}
