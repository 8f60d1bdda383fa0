import type {
  AnthropicCacheControl,
  AnthropicDocumentBlock,
  AnthropicImageBlock,
  AnthropicRedactedThinkingBlock,
  AnthropicTextBlock,
  AnthropicThinkingBlock,
  AnthropicToolResultBlock,
  AnthropicToolUseBlock,
} from './types.ts'

/**
 * A prompt as the official SDK types it, so that it can be spread into `messages.create`. Blocks that only Anthropic makes
 * (results of its own tools, compactions, citations) are in the value as they came, though the type does not list them.
 */
export interface AnthropicRequest {
  system?: AnthropicRequestText[]
  messages: AnthropicRequestMessage[]
}

type AnthropicRequestMessage =
  | { role: 'user' | 'assistant'; content: AnthropicRequestBlock[] }
  | { role: 'system'; content: AnthropicRequestText[] }

type AnthropicRequestText = Omit<AnthropicTextBlock, 'citations'>

interface AnthropicRequestImage extends Omit<AnthropicImageBlock, 'source'> {
  source:
    | { type: 'base64'; media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'; data: string }
    | { type: 'url'; url: string }
}

interface AnthropicRequestDocument extends Omit<AnthropicDocumentBlock, 'source'> {
  source:
    | { type: 'base64'; media_type: 'application/pdf'; data: string }
    | { type: 'text'; media_type: 'text/plain'; data: string }
    | { type: 'url'; url: string }
}

interface AnthropicRequestToolUse extends Omit<AnthropicToolUseBlock, 'type' | 'server_name'> {
  type: 'tool_use'
}

interface AnthropicRequestToolResult extends Omit<AnthropicToolResultBlock, 'content'> {
  content: string | (AnthropicRequestText | AnthropicRequestImage | AnthropicRequestDocument)[]
  cache_control?: AnthropicCacheControl
}

type AnthropicRequestBlock =
  | AnthropicRequestText
  | AnthropicThinkingBlock
  | AnthropicRedactedThinkingBlock
  | AnthropicRequestImage
  | AnthropicRequestDocument
  | AnthropicRequestToolUse
  | AnthropicRequestToolResult
