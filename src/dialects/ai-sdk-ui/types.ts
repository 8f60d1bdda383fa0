import type { JSONObject, JSONValue } from '../../domain/json.ts'

export type UIProviderMetadata = { [provider: string]: JSONObject }

/** What `useChat` shows and the AI SDK advises to persist. Fields are mutable because the SDK takes no readonly arrays. */
export interface UIMessage {
  id: string
  role: 'system' | 'user' | 'assistant'
  metadata?: JSONObject
  parts: UIPart[]
}

export interface UITextPart {
  type: 'text'
  text: string
  providerMetadata?: UIProviderMetadata
}

export interface UIReasoningPart {
  type: 'reasoning'
  text: string
  providerMetadata?: UIProviderMetadata
}

export interface UIFilePart {
  type: 'file'
  mediaType: string
  url: string
  filename?: string
  providerMetadata?: UIProviderMetadata
}

export interface UIStepStartPart {
  type: 'step-start'
}

export interface UISteeringPart {
  type: 'steering-message'
  id: string
  parts: (UITextPart | UIFilePart)[]
}

export interface UIDataPart {
  type: `data-${string}`
  id?: string
  data: JSONValue
}

interface UIToolBase {
  type: `tool-${string}`
  toolCallId: string
  providerExecuted?: boolean
  callProviderMetadata?: UIProviderMetadata
}

export type UIToolPart = UIToolBase &
  (
    | { state: 'input-available'; input: JSONObject }
    | { state: 'output-available'; input: JSONObject; output: JSONValue; resultProviderMetadata?: UIProviderMetadata }
    | { state: 'output-error'; input: JSONObject; errorText: string; resultProviderMetadata?: UIProviderMetadata }
    | { state: 'output-denied'; input: JSONObject; approval: { id: string; approved: false; reason?: string } }
  )

export type UIPart =
  | UITextPart
  | UIReasoningPart
  | UIFilePart
  | UIStepStartPart
  | UISteeringPart
  | UIDataPart
  | UIToolPart
