import type { JSONValue } from '../domain/json.ts'

/** A record without its content. */
export interface RecordInfo {
  /** Its key. */
  readonly key: string
  /** Which change of the collection wrote it. Pass it as `expect` to change only what you have read. */
  readonly version: number
  /** When it was written. */
  readonly at: string
  /** The size of its content. Of JSON, the size of its text in UTF-8. */
  readonly bytes: number
  /** What its content is. */
  readonly kind: 'json' | 'bytes'
}

/** A record with its content: `json` or `data`, by its kind. */
export interface StoredRecord extends RecordInfo {
  /** The value, of a record that is JSON. */
  readonly json?: JSONValue
  /** The bytes, of a record that is bytes. */
  readonly data?: Uint8Array
}

/** What a change expects to find. */
export interface RecordExpectation {
  /** Change it only if it still has this version; 0 if there must be no record. @default whatever is there */
  readonly expect?: number
}

/** Which records to list. */
export interface RecordsOptions {
  /** Only keys that begin with this text. */
  readonly prefix?: string
  /** Only keys beyond this one, in the order of the list: the last key of the page before. */
  readonly after?: string
  /** In which order of their keys, compared byte by byte in UTF-8. @default 'ascending' */
  readonly order?: 'ascending' | 'descending'
  /** At most this many records. @default 100 */
  readonly limit?: number
  /** Include contents of at most 1 MiB. Read larger ones with `get` or `stream`. @default false */
  readonly contents?: boolean
}

/** What a record can be made from. Bytes that come in pieces are stored as they come. */
export type RecordContent = JSONValue | Uint8Array | AsyncIterable<Uint8Array>

/** One change of a batch. */
export type RecordChange =
  | ({ readonly put: string; readonly content: RecordContent } & RecordExpectation)
  | ({ readonly delete: string } & RecordExpectation)

/**
 * Documents by key, for programs that keep something of their own: checkpoints, files, settings. Nothing is learned from them and
 * recall does not find them. A record is JSON of at most 4 MiB or bytes of at most 64 MiB.
 */
export interface Records {
  /** The name that it was opened with. */
  readonly collection: string

  /**
   * Reads a record with its content; `undefined` if there is none.
   *
   * @example
   * import { openMemory } from 'daybook'
   * await using memory = await openMemory(':memory:')
   * const drafts = memory.scope('acme/ada').records('drafts')
   * await drafts.put('plan', { steps: ['read', 'write'] })
   * const plan = await drafts.get('plan')
   * await drafts.put('plan', { steps: ['write'] }, { expect: plan?.version ?? 0 })
   */
  get(key: string): Promise<StoredRecord | undefined>

  /**
   * Reads the content of a record piece by piece, each of at most 1 MiB.
   *
   * @throws {MemoryError} `records/not-found` if there is none, `records/conflict` if it was changed in between.
   */
  stream(key: string): AsyncIterable<Uint8Array>

  /**
   * Writes a record, in place of the one that is there.
   *
   * @throws {MemoryError} `records/conflict` if the record does not have the expected version.
   */
  put(key: string, content: RecordContent, options?: RecordExpectation): Promise<RecordInfo>

  /** Deletes a record. Returns whether there was one. */
  delete(key: string, options?: RecordExpectation): Promise<boolean>

  /** Lists records in the order of their keys. */
  list(options?: RecordsOptions): Promise<readonly StoredRecord[]>

  /** Makes several changes, all or none. Returns the records that were written, in the order given; `null` for a deletion. */
  change(changes: readonly RecordChange[]): Promise<readonly (RecordInfo | null)[]>
}

/** A record as it travels: JSON as it is, bytes in base64. A content over 1 MiB is in parts. */
export interface SentRecord extends RecordInfo {
  /** How many parts its content has; 0 if it is not in parts. */
  readonly parts: number
  /** The value, of a record that is JSON. */
  readonly json?: JSONValue
  /** The bytes in base64, of a record that is bytes. */
  readonly base64?: string
}

/** One change as it travels. It has either a content (`json`, `base64` or `upload`) or `delete`. */
export interface SentRecordChange extends RecordExpectation {
  /** The key of the record. */
  readonly key: string
  /** The new value. */
  readonly json?: JSONValue
  /** The new bytes in base64. */
  readonly base64?: string
  /** Parts that were uploaded before. */
  readonly upload?: RecordUpload
  /** Delete the record. */
  readonly delete?: true
}

/** A content that was uploaded in parts. */
export interface RecordUpload {
  /** The id that its parts were uploaded with. */
  readonly id: string
  /** How many parts it has. */
  readonly parts: number
  /** The size of all parts. */
  readonly bytes: number
  /** What the content is. */
  readonly kind: 'json' | 'bytes'
}

/** One part of an upload. */
export interface RecordPart {
  /** The id of the upload. */
  readonly upload: string
  /** Its number, starting at 0. */
  readonly part: number
  /** Its bytes in base64, at most 1 MiB of them. */
  readonly base64: string
}

/** Which part to read. */
export interface RecordPartQuery {
  /** Its number, starting at 0. */
  readonly part: number
  /** The version of the record that it must be of. */
  readonly version: number
}

/** The operations that `records` is made of, one request each. Programs use `scope.records(collection)`. */
export interface RecordCalls {
  /** Lists records in the order of their keys. */
  list(collection: string, options?: RecordsOptions): Promise<readonly SentRecord[]>
  /** Reads one record; a content in parts is left out. */
  read(collection: string, key: string): Promise<SentRecord | undefined>
  /** Reads one part of a content, in base64. */
  part(collection: string, key: string, query: RecordPartQuery): Promise<string>
  /** Stores one part of a content that a later change refers to. */
  upload(collection: string, key: string, part: RecordPart): Promise<void>
  /** Makes several changes, all or none. */
  change(collection: string, changes: readonly SentRecordChange[]): Promise<readonly (SentRecord | null)[]>
}
