import { defined } from '../domain/defined.ts'
import type { TokenizerName } from '../domain/tokenizer-name.ts'
import type { ContextEvent } from '../api/events.ts'
import type { Message } from '../domain/message.ts'
import type { NewMediaPart, NewMessage, NewPart } from '../domain/new-message.ts'
import type { MediaPart, Part, TextPart } from '../domain/part.ts'
import type { Context, ContextOptions } from '../api/contexts.ts'
import type { CachePrices, CacheSimulation, SimulateCacheOptions } from '../api/cache.ts'
import { BUDGET_DEFAULT } from './compact-session.ts'
import type { Policy } from '../api/policy.ts'

const MESSAGES_PER_PAGE = 256
/** The messages were accepted once: none is refused for its size now. */
const MESSAGE_BYTES_MAX = 2 ** 30
const PRICED_TOKENS = 1_000_000

/** The session to replay. */
export interface ReplaySource {
  readonly id: string
  history(options: { readonly after?: number; readonly limit: number }): Promise<readonly Message[]>
  blobs(messages: readonly Message[]): Promise<ReadonlyMap<string, Uint8Array>>
}

/** An empty session of a memory of its own, to replay in. */
export interface ReplayTarget {
  append(messages: readonly NewMessage[]): Promise<unknown>
  context(options: ContextOptions): Promise<Pick<Context, 'cache'>>
  close(): Promise<void>
}

export interface ReplayTargetOptions {
  readonly session: string
  readonly tokenizer: TokenizerName
  readonly messageBytesMax: number
  readonly onEvent: (event: ContextEvent) => void
}

export interface ReplayRequest {
  readonly policies: readonly Policy[]
  readonly prices: CachePrices
  readonly options: SimulateCacheOptions
  readonly open: (options: ReplayTargetOptions) => Promise<ReplayTarget>
}

/** What each policy would have cost. */
export async function replaySession(
  session: ReplaySource,
  { policies, prices, options, open }: ReplayRequest,
): Promise<readonly CacheSimulation[]> {
  const simulations: CacheSimulation[] = []
  // One after the other: a long session is copied once at a time.
  for (const policy of policies) {
    const replayed = await replay(session, policy, options, open)
    const { inputTokens, cachedTokens } = replayed
    const fresh = (inputTokens - cachedTokens) * (prices.cacheWrite ?? prices.input)
    simulations.push({
      policy: policy.name,
      ...replayed,
      cachedShare: inputTokens === 0 ? 0 : cachedTokens / inputTokens,
      cost: (fresh + cachedTokens * prices.cached) / PRICED_TOKENS,
    })
  }
  return simulations
}

type Replayed = Pick<CacheSimulation, 'calls' | 'inputTokens' | 'cachedTokens' | 'compactions'>

async function replay(
  session: ReplaySource,
  policy: Policy,
  options: SimulateCacheOptions,
  open: ReplayRequest['open'],
): Promise<Replayed> {
  const figures = { calls: 0, inputTokens: 0, cachedTokens: 0, compactions: 0 }
  const copy = await open({
    session: session.id,
    tokenizer: await tokenizerOf(session),
    messageBytesMax: MESSAGE_BYTES_MAX,
    onEvent: (event) => {
      if (event.type === 'compaction-end' && event.outcome.type === 'compacted') figures.compactions += 1
    },
  })
  try {
    for await (const { messages, answered } of turnsOf(session)) {
      if (messages.length > 0) await copy.append(messages)
      if (!answered) continue
      const { cache } = await copy.context({ budget: BUDGET_DEFAULT, ...options, policy })
      if (cache.totalTokens === 0) continue
      figures.calls += 1
      figures.inputTokens += cache.totalTokens
      figures.cachedTokens += cache.equalTokens
    }
    return figures
  } finally {
    await copy.close()
  }
}

/** Counts as the session's own messages were counted, where that tokenizer can be had by name. */
async function tokenizerOf(session: ReplaySource): Promise<TokenizerName> {
  const [first] = await session.history({ limit: 1 })
  return first?.tokenizer === 'o200k_base' || first?.tokenizer === 'cl100k_base' ? first.tokenizer : 'estimate'
}

interface Turn {
  readonly messages: readonly NewMessage[]
  /** Whether the assistant spoke next, so that the model was asked here. */
  readonly answered: boolean
}

/** The session's messages, as they would be appended, parted wherever the model was asked. */
async function* turnsOf(session: ReplaySource): AsyncGenerator<Turn> {
  for (let after = 0; ;) {
    const page = await session.history({ after, limit: MESSAGES_PER_PAGE })
    const last = page.at(-1)
    if (last === undefined) return
    after = last.seq
    const blobs = await session.blobs(page)
    let messages: NewMessage[] = []
    for (const message of page) {
      if (message.removed === true) continue
      if (message.role === 'assistant') {
        yield { messages, answered: true }
        messages = []
      }
      messages.push(appendable(message, blobs))
    }
    yield { messages, answered: false }
  }
}

type Bytes = ReadonlyMap<string, Uint8Array>

function appendable(message: Message, blobs: Bytes): NewMessage {
  const { id, role, name, tags, metadata, provider, at } = message
  return {
    id,
    role,
    at,
    parts: message.parts.map((part) => newPart(part, blobs)),
    ...defined({ name, tags, metadata, provider }),
  }
}

function newPart(part: Part, blobs: Bytes): NewPart {
  if (part.type === 'tool-result' && part.output.type === 'parts') {
    const parts = part.output.parts.map((one): TextPart | NewMediaPart =>
      one.type === 'text' ? one : newMedia(one, blobs),
    )
    return { ...part, output: { type: 'parts', parts } }
  }
  return 'source' in part ? newMedia(part, blobs) : part
}

/** The copy is another scope of another memory: stored bytes do not go along by their hash. */
function newMedia(part: MediaPart, blobs: Bytes): NewMediaPart {
  const bytes = part.source.type === 'blob' ? blobs.get(part.source.hash) : undefined
  return bytes === undefined ? part : { ...part, source: { type: 'bytes', bytes } }
}
