import type { Session } from '../api/session.ts'
import type { TurnReply, TurnRequest } from '../api/turn.ts'
import { refuse } from '../domain/refuse.ts'
import type { NewMessage } from '../domain/new-message.ts'
import type { RunningTurn } from './running-turn.ts'

const ATTEMPT = 'use the reply of the model'

/** Builds the context from the log, calls the model with it and stores its reply. */
export async function askModel(
  session: Session,
  options: RunningTurn,
  store: (reply: readonly NewMessage[]) => Promise<void>,
): Promise<void> {
  const { model, tools = [], onEvent, signal } = options
  const context = await session.context(options.context)
  onEvent?.({ type: 'context', context })
  const request: TurnRequest = {
    context,
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    signal,
    onText: (delta) => onEvent?.({ type: 'text', delta }),
  }
  if (typeof model === 'function') return store(readReply(await model(request)))
  const { askAISDK } = await import('./ask-ai-sdk.ts')
  const inputTokens = await askAISDK(model, request, (reply) => store(readReply(reply)))
  // Real counts make later estimates better. Nothing depends on them.
  if (inputTokens !== undefined && inputTokens > 0)
    await session.usage({ model: model.modelId, inputTokens }).catch(() => undefined)
}

function readReply(reply: TurnReply): readonly NewMessage[] {
  if (typeof reply === 'string') return [{ role: 'assistant', content: reply }]
  const messages = Array.isArray(reply) ? (reply as readonly NewMessage[]) : [reply as NewMessage]
  if (typeof messages[0] !== 'object' || messages[0] === null)
    refuse(ATTEMPT, 'reply', reply, 'a text, or messages of the assistant')
  for (const message of messages)
    if (message.role !== 'assistant' && message.role !== 'tool')
      refuse(ATTEMPT, 'role', message.role, '"assistant", or "tool" for results of the provider')
  return messages
}
