import type { ImportLocation } from '../../api/imports.ts'
import type { ImportFormat } from '../../domain/import-format.ts'
import type { ImportedItem } from './imported-item.ts'

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
