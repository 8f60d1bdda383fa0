import { defined } from '../domain/defined.ts'
import type { LanguageModel, ModelMessage, ToolSet } from 'ai'
import { answerMessages } from '../adapters/ai-sdk/answer-content.ts'
import { recordingModel } from '../adapters/ai-sdk/recording-model.ts'
import type { TurnAISDKModel, TurnRequest } from '../api/turn.ts'
import type { NewMessage } from '../domain/new-message.ts'
import { loadAISDK } from './load-ai-sdk.ts'

type RecordedModel = Parameters<typeof recordingModel>[0]

/**
 * Calls an AI SDK model once. Its reply is stored by the same middleware that other programs of the AI SDK use; its tools have no
 * `execute`, so nothing runs before. Returns how many tokens the request had, if the provider says so.
 */
export async function askAISDK(
  model: TurnAISDKModel,
  request: TurnRequest,
  store: (reply: readonly NewMessage[]) => Promise<void>,
): Promise<number | undefined> {
  const { streamText, jsonSchema, dynamicTool } = await loadAISDK()
  const { messages, instructions } = request.context.as('ai-sdk') as {
    messages: ModelMessage[]
    instructions?: string
  }
  const tools = Object.fromEntries(
    request.tools.map(({ name, description, inputSchema }) => [
      name,
      { ...dynamicTool({ description, inputSchema: jsonSchema(inputSchema), execute: () => '' }), execute: undefined },
    ]),
  ) as unknown as ToolSet
  let failure: unknown
  const recording = recordingModel(model as RecordedModel, async ({ content, cut }) => {
    // A turn that was stopped is run again from what is stored.
    if (cut || request.signal.aborted) return
    await store(answerMessages(content))
  })
  const result = streamText({
    model: recording as LanguageModel,
    messages,
    tools,
    maxRetries: 2,
    abortSignal: request.signal,
    // Otherwise the package prints the error to the console.
    onError: ({ error }) => {
      failure ??= error
    },
    ...defined({ system: instructions }),
  })
  for await (const part of result.fullStream) if (part.type === 'text-delta') request.onText(part.text)
  request.signal.throwIfAborted()
  if (failure !== undefined) throw failure
  const { inputTokens } = await result.usage
  return inputTokens
}
