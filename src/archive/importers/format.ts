import type { ImportedItem, ImportLocation } from './imported-item.ts'

export const importFormats = [
  'chatgpt',
  'claude',
  'claude-code',
  'mcp-memory',
  'langgraph',
  'langsmith',
  'mem0',
  'openai-agents',
  'ai-sdk-ui',
  'langchain',
  'openai-chat',
] as const

export type ImportFormat = (typeof importFormats)[number]

/** Reads the records of one file, in order. Pure: it keeps what it was given and says what it found. */
export interface RecordReader {
  readonly take: (record: unknown, place: ImportLocation) => Iterable<ImportedItem>
  /** After the last record. */
  readonly end: () => Iterable<ImportedItem>
}

/** One format of others: how its records look, and what they mean. */
export interface Format {
  readonly name: ImportFormat
  /** Whether a record looks like one of its own. */
  readonly knows: (record: unknown) => boolean
  /** A conversation that the file gives no name is called `stem`. */
  readonly open: (file: { readonly name: string; readonly stem: string }) => RecordReader
  /** Its records are parts of conversations: they are held until the file ends. @default false */
  readonly gathers?: true
}

export const nothing: readonly ImportedItem[] = []
