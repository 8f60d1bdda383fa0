import type { JSONObject, JSONValue } from './json.ts'
import type { Incomplete, Role } from './message.ts'
import type {
  AgentCallPart,
  AudioPart,
  DataPart,
  FilePart,
  ImagePart,
  MediaSource,
  ProviderFields,
  ReasoningPart,
  TextPart,
  ToolOutput,
} from './part.ts'

/**
 * Where an image, file or sound comes from. A string is a data URL, an http(s) URL or else a file path; a path is read
 * only inside the directories given to `openMemory` as `fileRoots`.
 */
export type NewMediaSource =
  | string
  | Uint8Array
  | MediaSource
  | { readonly type: 'path'; readonly path: string }
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }

export type NewMediaPart =
  | (Omit<ImagePart, 'source'> & { readonly source: NewMediaSource })
  /** `mediaType` may be left out when a data URL or the file name says it. */
  | (Omit<FilePart, 'source' | 'mediaType'> & { readonly source: NewMediaSource; readonly mediaType?: string })
  | (Omit<AudioPart, 'source' | 'mediaType'> & { readonly source: NewMediaSource; readonly mediaType?: string })

export interface NewToolCall {
  readonly id: string
  readonly name: string
  /** JSON text as the provider sent it, or the object. */
  readonly arguments: string | JSONObject
  readonly providerExecuted?: true
  readonly provider?: ProviderFields
}

export interface NewToolResult {
  readonly type: 'tool-result'
  readonly callId?: string
  readonly name?: string
  /** Text, a {@link ToolOutput}, or any other JSON value. */
  readonly output:
    | string
    | ToolOutput
    | { readonly type: 'parts'; readonly parts: readonly (TextPart | NewMediaPart)[] }
    | JSONValue
  readonly outcome?: 'ok' | 'error' | 'denied' | 'interrupted'
  readonly providerExecuted?: true
  readonly provider?: ProviderFields
}

export type NewPart =
  | TextPart
  | ReasoningPart
  | NewMediaPart
  | (NewToolCall & { readonly type: 'tool-call' })
  | NewToolResult
  | AgentCallPart
  | (Omit<DataPart, 'kind'> & { readonly kind?: string })

/** What `append` takes: either `parts`, or the shorthands `content`, `toolCalls`, `agentCalls`, `images` and `data`. */
export interface NewMessage {
  readonly role: Role
  readonly parts?: readonly NewPart[]
  /** Text, a list of parts, or an object (kept as structured data). */
  readonly content?: string | readonly NewPart[] | JSONObject | null
  readonly toolCalls?: readonly NewToolCall[]
  readonly agentCalls?: readonly Omit<AgentCallPart, 'type'>[]
  readonly images?: readonly NewMediaSource[]
  /** Structured data beside the text. */
  readonly data?: JSONValue
  /** Which call a tool message answers. */
  readonly toolCallId?: string
  readonly name?: string
  readonly tags?: readonly string[]
  readonly metadata?: JSONObject
  readonly provider?: ProviderFields
  /** Set it on a reply that was stopped before its end. */
  readonly incomplete?: Incomplete
  /** @default a fresh UUIDv7 */
  readonly id?: string
  /** @default the memory's clock */
  readonly at?: Date | string | number
}
