import type { JSONObject, JSONValue } from '../../domain/json.ts'

export type AISDKProviderOptions = { [provider: string]: { [key: string]: JSONValue | undefined } }

/** Can be spread into `generateText`. Fields are mutable because the SDK takes no readonly arrays. */
export interface AISDKPrompt {
  instructions?: string | AISDKSystemMessage[]
  messages: AISDKMessage[]
}

export type AISDKMessage = AISDKUserMessage | AISDKAssistantMessage | AISDKToolMessage

export interface AISDKSystemMessage {
  role: 'system'
  content: string
  providerOptions?: AISDKProviderOptions
}

export interface AISDKUserMessage {
  role: 'user'
  content: (AISDKTextPart | AISDKFilePart)[]
  providerOptions?: AISDKProviderOptions
}

export interface AISDKAssistantMessage {
  role: 'assistant'
  content: AISDKAssistantPart[]
  providerOptions?: AISDKProviderOptions
}

export interface AISDKToolMessage {
  role: 'tool'
  content: (AISDKToolResultPart | AISDKApprovalResponse)[]
  providerOptions?: AISDKProviderOptions
}

export interface AISDKTextPart {
  type: 'text'
  text: string
  providerOptions?: AISDKProviderOptions
}

export interface AISDKFilePart {
  type: 'file'
  /** Base64, a URL or a data URL. */
  data: string
  mediaType: string
  filename?: string
  providerOptions?: AISDKProviderOptions
}

export interface AISDKReasoningPart {
  type: 'reasoning'
  text: string
  providerOptions?: AISDKProviderOptions
}

export interface AISDKCustomPart {
  type: 'custom'
  kind: `${string}.${string}`
  providerOptions?: AISDKProviderOptions
}

export interface AISDKToolCallPart {
  type: 'tool-call'
  toolCallId: string
  toolName: string
  input: JSONObject
  providerExecuted?: boolean
  providerOptions?: AISDKProviderOptions
}

export interface AISDKApprovalRequest {
  type: 'tool-approval-request'
  approvalId: string
  toolCallId: string
}

export interface AISDKApprovalResponse {
  type: 'tool-approval-response'
  approvalId: string
  approved: boolean
  reason?: string
}

export type AISDKAssistantPart =
  | AISDKTextPart
  | AISDKFilePart
  | AISDKReasoningPart
  | AISDKCustomPart
  | AISDKToolCallPart
  | AISDKToolResultPart
  | AISDKApprovalRequest

/** The types of a tool's output that hold JSON: the SDK's own are not readonly. */
export type AISDKJSON = null | string | number | boolean | { [key: string]: AISDKJSON | undefined } | AISDKJSON[]

export type AISDKToolOutput =
  | { type: 'text'; value: string }
  | { type: 'json'; value: AISDKJSON }
  | { type: 'error-text'; value: string }
  | { type: 'error-json'; value: AISDKJSON }
  | { type: 'execution-denied'; reason?: string }
  | { type: 'content'; value: AISDKOutputPart[] }

export type AISDKOutputPart =
  | { type: 'text'; text: string; providerOptions?: AISDKProviderOptions }
  | {
      type: 'file'
      mediaType: string
      data: { type: 'data'; data: string }
      filename?: string
      providerOptions?: AISDKProviderOptions
    }
  | { type: 'file-url'; url: string; mediaType?: string; providerOptions?: AISDKProviderOptions }

export interface AISDKToolResultPart {
  type: 'tool-result'
  toolCallId: string
  toolName: string
  output: AISDKToolOutput
  providerOptions?: AISDKProviderOptions
}
