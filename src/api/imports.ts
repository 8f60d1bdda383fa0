import type { ImportFormat } from '../domain/import-format.ts'
import type { JSONObject } from '../domain/json.ts'
import type { NewFact } from '../domain/new-fact.ts'
import type { NewMessage } from '../domain/new-message.ts'
import type { SkipReason } from '../domain/skip-reason.ts'

/** How files of other programs are imported. */
export interface ImportOptions {
  /** Read every file as this format. @default detected from the content of each file */
  readonly format?: ImportFormat
  /** Which fields of each record are facts, for exports with their own fields. Not together with `format`. */
  readonly mapping?: Mapping
  /** The name of a conversation that has none in its file. @default the name of the file */
  readonly session?: string
  /** Report what would be imported and change nothing. @default false */
  readonly dryRun?: boolean
  /** How much an import may read. */
  readonly limits?: Partial<ImportLimits>
  /** Called after each conversation with how far it is. */
  readonly onProgress?: (progress: FileImportProgress) => void
}

/** How far an import of files is. */
export interface FileImportProgress {
  /** The file that is being read. */
  readonly file: string
  /** Conversations so far. */
  readonly conversations: number
  /** Messages so far. */
  readonly messages: number
  /** Bytes read so far, unpacked. */
  readonly bytes: number
}

/** How much an import may read, whatever its files contain. */
export interface ImportLimits {
  /** Bytes of one record: a line, or an item of a list. Longer records are skipped. @default 64 MiB */
  readonly recordBytesMax: number
  /** Bytes of all records of one conversation, in formats that have one conversation per file. @default 256 MiB */
  readonly conversationBytesMax: number
  /** Bytes read in total, after unpacking. @default 16 GiB */
  readonly bytesMax: number
  /** Files of a folder, or entries of a zip. @default 100,000 */
  readonly filesMax: number
  /** How many times larger than its packed size an entry of a zip may be. @default 200 */
  readonly ratioMax: number
  /** Levels of lists and objects in a record. @default 128 */
  readonly depthMax: number
}

/** A fixed text, or where the value is: a JSON pointer into the item, or into the record that has the item. */
export type MappedValue = string | { readonly at: string } | { readonly inRecord: string }

/** How items of a record become facts: a text, or subject, predicate and object. Missing fields are skipped. */
export interface FactMapping {
  /** A JSON pointer to the items: a list, or one item. @default the record itself */
  readonly each?: string
  /** The fact as a sentence. */
  readonly text?: MappedValue
  /** Who or what it is about. */
  readonly subject?: MappedValue
  /** What about it. */
  readonly predicate?: MappedValue
  /** What it says of its subject. `entity` makes it a node of the graph. */
  readonly object?: MappedValue | { readonly entity: MappedValue }
  /** Its tags. */
  readonly tags?: MappedValue
  /** When it began to be true. */
  readonly validFrom?: MappedValue
  /** When it ceased to be true. */
  readonly validTo?: MappedValue
}

/** What the fields of an export mean if their owner chose them, as Mem0 allows. */
export interface Mapping {
  /** How facts are read from each record. */
  readonly facts: readonly FactMapping[]
}

/** A message with its id, so that it is stored once. */
export type ImportedMessage = NewMessage & { readonly id: string }

/** A piece of an import: messages of one session, or facts. */
export interface ImportBatch {
  /** The session that the messages are for. */
  readonly session?: string
  /** The message of another session after which this session begins as a fork of it. */
  readonly from?: BranchPoint
  /** Messages in order, each with its id. One that is stored already is left as it is. */
  readonly messages?: readonly ImportedMessage[]
  /** Facts. They are quarantined until somebody endorses them. */
  readonly facts?: readonly NewFact[]
}

/** Where a branch leaves another session. */
export interface BranchPoint {
  /** The other session. */
  readonly session: string
  /** The id of its last message that both share; null if they share none. */
  readonly after: string | null
}

/** How a batch is imported. */
export interface ImportBatchOptions {
  /** Report what would be imported and change nothing. @default false */
  readonly dryRun?: boolean
}

/** How many came in. */
export interface ImportCounts {
  /** How many are new. */
  readonly new: number
  /** How many were here already. */
  readonly present: number
}

/** What became of a batch. */
export interface ImportedBatch {
  /** How many messages are new, and how many were here already. */
  readonly messages: ImportCounts
  /** Ids of messages that are here with other content. They stay as they are. */
  readonly changed: readonly string[]
  /** Ids of messages that were forgotten here. They are not imported again. */
  readonly forgotten?: readonly string[]
  /** How many facts are new, and how many were here already. */
  readonly facts: ImportCounts
  /** Nothing was imported: the session with this id is another conversation. */
  readonly refused?: true
}

/** Where something is in what is imported. */
export interface ImportLocation {
  /** The file, relative to the path that was given; for an entry of a zip its name in the zip. */
  readonly file: string
  /** The line, counted from 1, in files of JSON lines. */
  readonly line?: number
  /** The item, counted from 1, in files that are one list. */
  readonly item?: number
  /** The id of a conversation or message in the file. */
  readonly id?: string
}

/** Something that is not imported, or only in part. */
export interface Skipped {
  /** Where it is. */
  readonly place: ImportLocation
  /** Why it is skipped. */
  readonly reason: SkipReason
  /** What was found there. */
  readonly message: string
}

/** What an import stores. A dry run reports what it would store. */
export interface ImportReport {
  /** Nothing was changed. */
  readonly dryRun: boolean
  /** The first files with their formats; null for files of unknown formats. */
  readonly files: readonly { readonly file: string; readonly format: ImportFormat | null; readonly records: number }[]
  /** How many files there are. */
  readonly fileCount: number
  /** How many conversations there are. */
  readonly conversations: number
  /** The first sessions; `from` names the session that a branch leaves. */
  readonly sessions: readonly {
    readonly session: string
    readonly messages: number
    readonly title?: string
    readonly from?: string
  }[]
  /** How many sessions there are. */
  readonly sessionCount: number
  /** How many of the sessions are branches of others. */
  readonly branchCount: number
  /** How many messages are new, were here already, or are here with other content, which stays. */
  readonly messages: ImportCounts & { readonly changed: number }
  /** How many facts are new, and how many were here already. */
  readonly facts: ImportCounts
  /** The first things that are not imported, or only in part. */
  readonly skipped: readonly Skipped[]
  /** How many things are skipped, by reason. */
  readonly skippedCount: Readonly<Partial<Record<SkipReason, number>>>
  /** What was imported and may not be what you want, such as the memories of several users in one scope. */
  readonly warnings?: readonly string[]
}

/** How an uploaded file is imported. */
export interface ImportUploadOptions {
  /** Read every file as this format. @default detected from the content of each file */
  readonly format?: ImportFormat
  /** The name of a conversation that has none in its file. @default the name of the file */
  readonly session?: string
  /** Report what would be imported and change nothing. @default false */
  readonly dryRun?: boolean
}

/** How far the import of an upload is. */
export interface ImportProgressLine extends FileImportProgress {
  /** What the line is. */
  readonly type: 'progress'
}

/** The last line of an upload that was read to its end. */
export interface ImportReportLine {
  /** What the line is. */
  readonly type: 'report'
  /** What was imported, or would be. */
  readonly report: ImportReport
}

/** The last line of an upload that failed. What came before it stays imported. */
export interface ImportProblemLine {
  /** What the line is. */
  readonly type: 'problem'
  /** What went wrong, as a problem document. */
  readonly problem: JSONObject
}

/** One line of the response to an upload. */
export type ImportLine = ImportProgressLine | ImportReportLine | ImportProblemLine
