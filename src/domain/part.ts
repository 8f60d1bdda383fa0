import type { JSONObject, JSONValue } from './json.ts'

/**
 * Fields that only their provider understands (signatures, encrypted content, item ids), by provider name as the
 * AI SDK spells it: `anthropic`, `openai`, `google`. Stored and given back byte for byte, never interpreted by the log.
 */
export type ProviderFields = Readonly<Record<string, JSONObject>>

export interface TextPart {
  readonly type: 'text'
  readonly text: string
  readonly provider?: ProviderFields
}

/** What a model thought. Redacted thinking has an empty text and its payload in `provider`. */
export interface ReasoningPart {
  readonly type: 'reasoning'
  readonly text: string
  readonly provider?: ProviderFields
}

/** Where the bytes of an image, file or sound are. Stored messages hold `url` or `blob`; `base64` lives in transcripts that were never stored. */
export type MediaSource =
  | { readonly type: 'url'; readonly url: string }
  /** `hash` is the SHA-256 of the bytes in hexadecimal: equal content is stored once. */
  | { readonly type: 'blob'; readonly hash: string; readonly bytes: number }
  | { readonly type: 'base64'; readonly base64: string }

export interface ImagePart {
  readonly type: 'image'
  readonly source: MediaSource
  readonly mediaType?: string
  readonly name?: string
  /** What the caller wants the provider to look at: costs differ. */
  readonly detail?: 'low' | 'high' | 'auto'
  /** In pixels, read from the bytes when they are at hand: what an image costs depends on them. */
  readonly width?: number
  readonly height?: number
  readonly provider?: ProviderFields
}

export interface FilePart {
  readonly type: 'file'
  readonly source: MediaSource
  readonly mediaType: string
  readonly name?: string
  /** Of a document, read from the bytes when they are at hand: what it costs depends on them. */
  readonly pages?: number
  readonly provider?: ProviderFields
}

export interface AudioPart {
  readonly type: 'audio'
  readonly source: MediaSource
  readonly mediaType: string
  readonly transcript?: string
  /** How long it plays, read from the bytes when they are at hand. */
  readonly seconds?: number
  readonly provider?: ProviderFields
}

export interface ToolCallPart {
  readonly type: 'tool-call'
  readonly id: string
  readonly name: string
  /** JSON text as the provider sent it; half-written when the stream was cut. */
  readonly arguments: string
  /** Run by the provider itself (web search, code execution): its result stands in the same assistant message. */
  readonly providerExecuted?: true
  readonly provider?: ProviderFields
}

export type ToolOutput =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'json'; readonly value: JSONValue }
  | { readonly type: 'parts'; readonly parts: readonly (TextPart | ImagePart | FilePart | AudioPart)[] }

export interface ToolResultPart {
  readonly type: 'tool-result'
  /** Missing only when the caller did not say which call it answers: kept, and reported as a warning. */
  readonly callId?: string
  readonly name?: string
  readonly output: ToolOutput
  /** @default 'ok' */
  readonly outcome?: 'ok' | 'error' | 'denied' | 'interrupted'
  readonly providerExecuted?: true
  readonly provider?: ProviderFields
}

export interface AgentCallPart {
  readonly type: 'agent-call'
  readonly id?: string
  readonly agent: string
  readonly request: JSONValue
  readonly provider?: ProviderFields
}

/**
 * Structured data. `kind` says whose: `structured` for the caller's own; `<dialect>:<type>` for a block that only that
 * dialect knows (a compaction item, a source, a custom part), which goes back to that dialect unchanged.
 */
export interface DataPart {
  readonly type: 'data'
  readonly kind: string
  readonly data: JSONValue
  readonly provider?: ProviderFields
}

export type MediaPart = ImagePart | FilePart | AudioPart

export type Part = TextPart | ReasoningPart | MediaPart | ToolCallPart | ToolResultPart | AgentCallPart | DataPart
