import type { JSONObject, JSONValue } from '../../domain/json.ts'

/** Messages as LangChain's `mapChatMessagesToStoredMessages` stores them. */
export interface LangChainMessage {
  type: 'human' | 'ai' | 'system' | 'tool'
  data: LangChainData
}

export interface LangChainData {
  content: string | LangChainBlock[]
  id?: string
  name?: string
  tool_calls?: LangChainToolCall[]
  tool_call_id?: string
  status?: 'success' | 'error'
  additional_kwargs: JSONObject
  response_metadata: JSONObject
}

export interface LangChainToolCall {
  type: 'tool_call'
  id: string
  name: string
  args: JSONObject
}

export type LangChainBlock =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string; detail?: string } }
  | { type: 'reasoning'; reasoning: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'file' | 'audio'; mimeType: string; url?: string; data?: string; metadata?: JSONValue }
