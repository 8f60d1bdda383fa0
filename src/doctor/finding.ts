import type { Dialect } from '../domain/dialect.ts'
import type { JSONValue } from '../domain/json.ts'
import type { Severity } from '../dialects/violation.ts'

/** What a file was recognised as. */
export type Kind =
  /** One conversation: a JSON document, or one message per line. */
  | 'transcript'
  /** Several conversations: a list of them, or one per line. */
  | 'transcripts'
  /** The file of the reference MCP memory server. */
  | 'mcp-memory'
  | 'mem0'
  /** JSON lines of something else: only what is true of any record is checked. */
  | 'records'
  /** A memory of ours. */
  | 'store'
  /** An archive of ours: it is whole, or it is not. */
  | 'archive'
  | 'unknown'

/** Where something stands. Absent fields do not apply. */
export interface DocumentLocation {
  /** From 1, in a file of JSON lines. */
  readonly line?: number
  /** A JSON pointer (RFC 6901) into the document, the line or the message. */
  readonly pointer?: string
  readonly scope?: string
  readonly session?: string
  readonly seq?: number
}

export interface Finding {
  /** An id of `doctorRules`, or of the table of `lint` (`C2`, `A4`, …). */
  readonly rule: string
  /** What it is about, whichever rule says it. */
  readonly topic: Topic
  /** `error`: a provider rejects it, data is lost, or a secret lies open. `warning`: it costs, confuses or is not confirmed. */
  readonly severity: Severity
  readonly place: DocumentLocation
  readonly message: string
  /** What a repair does about it. Missing where nothing can be done without a person. */
  readonly fix?: string
  /** The same as JSON patch, where it can be applied by itself. What `repair` does to a conversation is in the patch of the whole. */
  readonly patch?: readonly PatchOperation[]
}

export type Topic =
  | 'tools'
  | 'order'
  | 'empty'
  | 'signature'
  | 'duplicate'
  | 'oversize'
  | 'echo'
  | 'secret'
  | 'torn'
  | 'shape'
  | 'damage'

/** One step of RFC 6902; several are applied in order. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: JSONValue }
  | { readonly op: 'remove'; readonly path: string }

export interface Diagnosis {
  readonly kind: Kind
  readonly dialect?: Dialect
  readonly form?: 'json' | 'json-lines'
  /** Conversations, messages or records that were looked at. */
  readonly records: number
  readonly findings: readonly Finding[]
  /** Findings beyond the limit, which are counted and not listed. */
  readonly more: number
  /** No finding of severity `error`. */
  readonly ok: boolean
  /**
   * What the repair would change, as JSON patch. In a file of JSON lines the document is the list of records that could be
   * read, so the first segment of a path counts those, from 0.
   */
  readonly patch: readonly PatchOperation[]
}
