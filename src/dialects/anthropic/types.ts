import type { JSONObject, JSONValue } from '../../domain/json.ts'

/** Messages API. Fields are mutable because SDKs take no readonly arrays. */
export interface AnthropicPrompt {
  system?: AnthropicTextBlock[]
  messages: AnthropicMessage[]
}

/** `system` stands in messages only for models that accept it there (rule A1). */
export interface AnthropicMessage {
  role: 'user' | 'assistant' | 'system'
  content: AnthropicBlock[]
}

export interface AnthropicCacheControl {
  type: 'ephemeral'
  ttl?: '5m' | '1h'
}

export interface AnthropicTextBlock {
  type: 'text'
  text: string
  citations?: JSONValue[]
  cache_control?: AnthropicCacheControl
}

export interface AnthropicThinkingBlock {
  type: 'thinking'
  thinking: string
  signature: string
}

export interface AnthropicRedactedThinkingBlock {
  type: 'redacted_thinking'
  data: string
}

export type AnthropicSource =
  | { type: 'base64'; media_type: string; data: string }
  | { type: 'text'; media_type: 'text/plain'; data: string }
  | { type: 'url'; url: string }

export interface AnthropicImageBlock {
  type: 'image'
  source: AnthropicSource
  cache_control?: AnthropicCacheControl
}

export interface AnthropicDocumentBlock {
  type: 'document'
  source: AnthropicSource
  title?: string
  context?: string
  citations?: { enabled: boolean }
  cache_control?: AnthropicCacheControl
}

export interface AnthropicToolUseBlock {
  type: 'tool_use' | 'server_tool_use' | 'mcp_tool_use'
  id: string
  name: string
  input: JSONObject
  server_name?: string
  cache_control?: AnthropicCacheControl
}

export interface AnthropicToolResultBlock {
  type: 'tool_result'
  tool_use_id: string
  content: string | AnthropicBlock[]
  is_error?: boolean
  cache_control?: AnthropicCacheControl
}

/** The result of a tool that Anthropic ran: `web_search_tool_result` and its like. */
export interface AnthropicServerToolResultBlock {
  type: `${string}_tool_result`
  tool_use_id: string
  content: JSONValue
}

export interface AnthropicCompactionBlock {
  type: 'compaction'
  content: string | null
}

export type AnthropicBlock =
  | AnthropicTextBlock
  | AnthropicThinkingBlock
  | AnthropicRedactedThinkingBlock
  | AnthropicImageBlock
  | AnthropicDocumentBlock
  | AnthropicToolUseBlock
  | AnthropicToolResultBlock
  | AnthropicServerToolResultBlock
  | AnthropicCompactionBlock
