/**
 * Chat Completions messages. Fields are mutable, unlike ours elsewhere: these values are handed to SDKs, whose types
 * take no readonly arrays.
 */
export type OpenAIMessage = OpenAISystemMessage | OpenAIUserMessage | OpenAIAssistantMessage | OpenAIToolMessage

export interface OpenAITextPart {
  type: 'text'
  text: string
}

export interface OpenAIImagePart {
  type: 'image_url'
  image_url: { url: string; detail?: 'low' | 'high' | 'auto' }
}

export interface OpenAIAudioPart {
  type: 'input_audio'
  input_audio: { data: string; format: 'wav' | 'mp3' }
}

export interface OpenAIFilePart {
  type: 'file'
  file: { filename?: string; file_data?: string; file_id?: string }
}

export interface OpenAIRefusalPart {
  type: 'refusal'
  refusal: string
}

export type OpenAIUserPart = OpenAITextPart | OpenAIImagePart | OpenAIAudioPart | OpenAIFilePart

export interface OpenAISystemMessage {
  role: 'system' | 'developer'
  content: string | OpenAITextPart[]
  name?: string
}

export interface OpenAIUserMessage {
  role: 'user'
  content: string | OpenAIUserPart[]
  name?: string
}

export interface OpenAIToolCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

export interface OpenAICustomToolCall {
  id: string
  type: 'custom'
  custom: { name: string; input: string }
}

export interface OpenAIAssistantMessage {
  role: 'assistant'
  content?: string | (OpenAITextPart | OpenAIRefusalPart)[] | null
  refusal?: string | null
  audio?: { id: string } | null
  tool_calls?: (OpenAIToolCall | OpenAICustomToolCall)[]
  name?: string
}

export interface OpenAIToolMessage {
  role: 'tool'
  tool_call_id: string
  content: string | OpenAITextPart[]
}
