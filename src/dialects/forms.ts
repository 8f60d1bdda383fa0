import type { Draft } from '../domain/message.ts'
import type { AISDKPrompt } from './ai-sdk/types.ts'
import type { UIMessage } from './ai-sdk-ui/types.ts'
import type { AnthropicRequest } from './anthropic/request.ts'
import type { GeminiPrompt } from './gemini/types.ts'
import type { LangChainStored } from './langchain/stored.ts'
import type { OpenAIMessage } from './openai/types.ts'
import type { ResponsesInputItem } from './openai-responses/input.ts'

/** What a transcript looks like in each dialect, as `repair` and `convert` give it back. */
export interface DialectForms {
  readonly daybook: Draft[]
  readonly openai: OpenAIMessage[]
  readonly 'openai-responses': ResponsesInputItem[]
  /** Can be spread into a request. */
  readonly anthropic: AnthropicRequest
  /** Can be spread into a request. */
  readonly gemini: GeminiPrompt
  /** Can be spread into the options of `generateText` or `streamText`. */
  readonly 'ai-sdk': AISDKPrompt
  readonly 'ai-sdk-ui': UIMessage[]
  readonly langchain: LangChainStored[]
}

/** The same without the object around them: what `repair` gives back for a bare array. */
export interface MessageForms extends Omit<DialectForms, 'anthropic' | 'gemini' | 'ai-sdk'> {
  readonly anthropic: AnthropicRequest['messages']
  readonly gemini: GeminiPrompt['contents']
  readonly 'ai-sdk': AISDKPrompt['messages']
}
