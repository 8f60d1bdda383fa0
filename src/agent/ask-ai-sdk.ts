import type { LanguageModel, ModelMessage, ToolSet } from 'ai'
import type { TurnAISDKModel, TurnRequest } from '../api/turn.ts'
import { fromAISDK } from '../dialects/from-ai-sdk.ts'
import type { NewMessage } from '../domain/new-message.ts'
import { loadAISDK } from './load-ai-sdk.ts'

/** What a model replied, and how many tokens the request had. */
export interface AISDKReply {
  readonly messages: readonly NewMessage[]
  readonly inputTokens: number | undefined
}

/** Calls an AI SDK model once. Its tools have no `execute`, so nothing runs before the reply is stored. */
export async function askAISDK(model: TurnAISDKModel, request: TurnRequest): Promise<AISDKReply> {
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
  const result = streamText({
    model: model as LanguageModel,
    messages,
    tools,
    maxRetries: 2,
    abortSignal: request.signal,
    // Otherwise the package prints the error to the console.
    onError: ({ error }) => {
      failure ??= error
    },
    ...(instructions === undefined ? {} : { system: instructions }),
  })
  for await (const part of result.fullStream) if (part.type === 'text-delta') request.onText(part.text)
  request.signal.throwIfAborted()
  if (failure !== undefined) throw failure
  const { messages: said } = await result.response
  const { inputTokens } = await result.usage
  return { messages: fromAISDK(said), inputTokens }
}
