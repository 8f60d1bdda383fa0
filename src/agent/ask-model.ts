import type { Session } from '../api/session.ts'
import type { Context } from '../api/contexts.ts'
import type { TurnReply, TurnRequest, TurnTool } from '../api/turn.ts'
import type { MessageStream } from '../api/streams.ts'
import type { Message } from '../domain/message.ts'
import { replyReader } from '../dialects/reply-reader.ts'
import { MemoryError } from '../domain/error.ts'
import { refuse } from '../domain/refuse.ts'
import type { NewMessage } from '../domain/new-message.ts'
import type { RunningTurn } from './running-turn.ts'

const ATTEMPT = 'use the reply of the model'

/** Builds the context from the log, calls the model with it and stores its reply: what it streams while it comes, the rest at its end. */
export async function askModel(
  session: Session,
  options: RunningTurn,
  onStored: (messages: readonly Message[]) => void,
): Promise<void> {
  const { onEvent, signal } = options
  const context = await session.context(options.context)
  onEvent?.({ type: 'context', context })
  const streamed: { reply?: MessageStream; isStoring: boolean } = { isStoring: false }
  const request: TurnRequest = {
    context,
    tools: offered(options, context).map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    signal,
    onText: (delta) => {
      // A model may hand over its whole reply before the last of its text was read.
      if (!signal.aborted && !streamed.isStoring)
        (streamed.reply ??= session.stream({ role: 'assistant' })).write(delta)
      onEvent?.({ type: 'text', delta })
    },
  }
  const store = async (reply: readonly NewMessage[]): Promise<void> => {
    streamed.isStoring = true
    onStored(await (streamed.reply === undefined ? session.append(reply) : streamed.reply.end(reply)))
  }
  try {
    await callModel(session, options, request, store)
  } finally {
    // What came of a reply that failed or was stopped stays, marked as incomplete. Nothing depends on it.
    await streamed.reply?.[Symbol.asyncDispose]().catch(() => undefined)
  }
}

/** The caller's tools. Where the context names something to reopen, a model that can call tools gets one for that. */
function offered({ tools = [], reopen }: RunningTurn, { receipt, recalled }: Context): readonly TurnTool[] {
  const hasIds = recalled.length > 0 || receipt.lines.some(({ type }) => type === 'folded')
  return hasIds && tools.length > 0 && tools.every(({ name }) => name !== reopen.name) ? [...tools, reopen] : tools
}

async function callModel(
  session: Session,
  { model }: RunningTurn,
  request: TurnRequest,
  store: (reply: readonly NewMessage[]) => Promise<void>,
): Promise<void> {
  if (typeof model === 'function') return store(readReply(await model(request)))
  const { askAISDK } = await import('./ask-ai-sdk.ts')
  const inputTokens = await askAISDK(model, request, (reply) => store(readReply(reply)))
  // Real counts make later estimates better. Nothing depends on them.
  if (inputTokens !== undefined && inputTokens > 0)
    await session.usage({ model: model.modelId, inputTokens }).catch(() => undefined)
}

function readReply(reply: TurnReply): readonly NewMessage[] {
  if (reply === '') refuse(ATTEMPT, 'reply', reply, 'some text, or calls of tools')
  if (typeof reply === 'string') return [{ role: 'assistant', content: reply }]
  const reader = replyReader(Array.isArray(reply) ? reply : [reply])
  if (reader !== undefined)
    throw new MemoryError(
      'input/invalid',
      `Cannot ${ATTEMPT}: it is a reply of ${reader.of}, expected messages: return ${reader.name}(reply)`,
      { looksLike: reader.name },
    )
  const messages = Array.isArray(reply) ? (reply as readonly NewMessage[]) : [reply as NewMessage]
  if (typeof messages[0] !== 'object' || messages[0] === null)
    refuse(ATTEMPT, 'reply', reply, 'a text, or messages of the assistant')
  for (const message of messages)
    if (message.role !== 'assistant' && message.role !== 'tool')
      refuse(ATTEMPT, 'role', message.role, '"assistant", or "tool" for results of the provider')
  return messages
}
