import type { JSONObject } from '../domain/json.ts'
import type { EncryptionOptions, MemoryOptions } from './open-memory.ts'

/** How far an export is. */
export interface ExportProgress {
  /** Records written so far. */
  readonly records: number
  /** Bytes written so far. */
  readonly bytes: number
}

/** What an archive of one scope has, and who is told how far it is. */
export interface ScopeExportOptions {
  /** Only this session and those it was forked from. @default all sessions */
  readonly session?: string
  /** Called now and then with how far it is. */
  readonly onProgress?: (progress: ExportProgress) => void
}

/** What an archive has, and who is told how far it is. */
export interface ExportOptions extends ScopeExportOptions {
  /** Only this scope and all scopes below. @default the whole memory */
  readonly scope?: string
}

/** How far an import of an archive is. */
export interface ImportProgress {
  /** Records of the archive that were read. */
  readonly records: number
  /** Bytes of the archive that were read. */
  readonly bytes: number
  /** Records that were stored. The others were here already, or were forgotten here. */
  readonly stored: number
}

/** How an archive is imported. */
export interface ArchiveImportOptions {
  /** Refuse an archive that has something outside this scope. @default anything is imported */
  readonly scope?: string
  /** Called now and then with how far it is. */
  readonly onProgress?: (progress: ImportProgress) => void
}

/** The pieces of an archive, for example `createReadStream(file)`. */
export type ArchiveSource = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>

/** What was imported from an archive. */
export interface Imported extends ImportProgress {
  /** Records that were not stored, because what they are about was forgotten here. */
  readonly forgotten: number
  /** Sessions in the archive, without those that were forgotten here. */
  readonly sessions: number
  /** Messages in the archive, without those of sessions that were forgotten here. */
  readonly messages: number
}

/** What a backup holds, counted in the backup itself. */
export interface Backup {
  /** The file. */
  readonly file: string
  /** Its size in bytes. */
  readonly bytes: number
  /** Sessions in it. */
  readonly sessions: number
  /** Messages in it. */
  readonly messages: number
}

/** One line of an archive. Each has a hash over itself and the line before. */
export type ArchiveLine = ArchiveManifestLine | ArchiveRecordLine | ArchiveEndLine

/** The first line of an archive. */
export interface ArchiveManifestLine {
  /** The hash of the line. */
  readonly hash: string
  /** It is the first line. */
  readonly kind: 'manifest'
  /** The name of the format. */
  readonly format: string
  /** The version of the format. */
  readonly version: number
  /** What was exported: a scope, one of its sessions, or the whole memory. */
  readonly of: { readonly scope?: string; readonly session?: string }
}

/** One record of an archive. */
export interface ArchiveRecordLine {
  /** The hash of the line. */
  readonly hash: string
  /** What it is a record of, for example `session`, `message` or `fact`. */
  readonly kind: string
  /** Its values by name. */
  readonly row: JSONObject
}

/** The last line of an archive. */
export interface ArchiveEndLine {
  /** The hash of the line. */
  readonly hash: string
  /** It is the last line. */
  readonly kind: 'end'
  /** How many lines there are before it. */
  readonly records: number
  /** The hash of all bytes before it. */
  readonly sha256: string
}

/** How a backup is restored. */
export interface RestoreOptions {
  /** Restore where a memory is already. That memory is kept under the name in `former`. @default false */
  readonly force?: boolean
  /** The key of an encrypted backup. @default none */
  readonly encryption?: Pick<EncryptionOptions, 'file'>
}

/** What was restored. */
export interface Restored extends Omit<Backup, 'bytes'> {
  /** Where the memory is that was there before; null if there was none. */
  readonly former: string | null
}

/** How one side of a move is opened. */
export type SideOptions = Pick<MemoryOptions, 'postgres' | 'encryption'>

/** How a memory is moved. */
export interface MoveOptions {
  /** How the source is opened. */
  readonly from?: SideOptions
  /** How the target is opened. */
  readonly to?: SideOptions
  /** Called now and then with how far it is. */
  readonly onProgress?: (progress: CopyProgress) => void
}

/** How far a move is. */
export interface CopyProgress {
  /** `copy` stores what is missing; `check` reads both sides again. */
  readonly stage: 'copy' | 'check'
  /** Records so far. */
  readonly records: number
  /** Bytes so far. */
  readonly bytes: number
}

/** What was moved. */
export interface Copied extends Imported {
  /** The hash of the archive that both sides give now, in hexadecimal. */
  readonly sha256: string
}
