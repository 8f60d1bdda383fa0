import type { Role } from '../domain/message.ts'
import type { StatePlace, StateRow } from './state-store.ts'

/** What the store knows of a session. `version` counts every change: messages, revisions, removals, clears. */
export interface StoredSession {
  readonly scope: string
  readonly name: string
  readonly description: string | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly lastSeq: number
  readonly version: number
  /** First and last link of the hash chain. The last is also in the newest row: two places, so that a cut tail shows. */
  readonly genesis: Uint8Array
  readonly head: Uint8Array
  /** Where a fork branched off: it reads the parent's rows up to here and its own after. */
  readonly parent: {
    readonly key: number
    readonly name: string
    readonly throughSeq: number
    readonly throughVersion: number
    /** The parent's link at that version. */
    readonly link: Uint8Array
  } | null
}

/** A stretch of a session's history and the session that holds its rows: one for itself, one for each ancestor. */
export interface Segment {
  readonly scope: string
  readonly key: number
  readonly from: number
  readonly through: number
  readonly throughVersion: number
}

export interface SessionHead extends StoredSession {
  readonly key: number
  /** Oldest first; the last is the session itself. */
  readonly lineage: readonly Segment[]
  /** An ancestor's row is missing, or the ancestors go in a circle: the session cannot be read. */
  readonly orphaned: boolean
}

/** A session in a few numbers, for those who only need to know whether it changed. */
export type SessionNumbers = Pick<SessionHead, 'key' | 'name' | 'createdAt' | 'updatedAt' | 'version' | 'lastSeq'>

export interface ChangedSessions {
  readonly sessions: readonly SessionNumbers[]
  /** How many sessions of the scope were ever forgotten as a whole. */
  readonly forgotten: number
}

export interface ChangedSinceQuery {
  readonly time: number
  readonly key: number
  /** Listed whether they changed or not; at most `LISTED_KEYS_MAX`. */
  readonly keys: readonly number[]
}

export const LISTED_KEYS_MAX = 8

export interface SessionsNowQuery {
  /** Sessions that changed at this time or later are listed; from the time of the last change. Pure. */
  readonly floorFor: (lastChange: number | undefined) => number
  /** How many of those that were created last. */
  readonly newest: number
}

export interface SessionsNow extends ChangedSessions {
  readonly floor: number
  /** Those that were created last, newest first. */
  readonly newest: readonly SessionNumbers[]
}

/** A message as a row. `body` is JSON text, so that every string survives every store. */
export interface MessageRow {
  readonly seq: number
  readonly version: number
  readonly id: string
  readonly role: Role
  readonly at: number
  readonly recordedAt: number
  readonly tokens: number
  /** Which tokenizer counted. */
  readonly counter: string
  readonly body: string
  /** Random, destroyed with the content: afterwards it is empty, and the digest tells nothing. */
  readonly salt: Uint8Array
  readonly digest: Uint8Array
  readonly chain: Uint8Array
}

/** A change to what is live: to one message, to all so far, or to how the window stands for them. Never changes a message's row. */
export interface AmendmentRow {
  readonly version: number
  readonly kind: 'revise' | 'remove' | 'clear' | 'clear-keeping-system' | 'compact' | 'undo' | 'forget'
  /** The message it concerns; for a clear, a compaction or its undoing, the last one it covers. */
  readonly seq: number
  readonly recordedAt: number
  readonly tokens: number
  readonly counter: string
  /** The whole new body of a revision, the folds of a compaction, what an undo undoes, why something was forgotten; otherwise empty. */
  readonly body: string
  readonly salt: Uint8Array
  readonly digest: Uint8Array
  readonly chain: Uint8Array
}

/** A tool call or result by the id that joins them. */
export interface ToolLink {
  readonly callId: string
  readonly seq: number
  readonly kind: 'call' | 'result'
}

export interface OperationRow {
  readonly id: string
  /** Digest of the request: the same operation id with another request is a conflict. */
  readonly request: Uint8Array
  /** Positions of the answered messages, in the order of the answer. */
  readonly seqs: readonly number[]
}

export interface Blob {
  readonly hash: string
  readonly bytes: Uint8Array
}

/** What a decision wants to know; all of it is read inside the transaction that writes the decision. */
export interface Questions {
  readonly ids: readonly string[]
  readonly callIds: readonly string[]
  /** Blobs that the caller names without their bytes: they must be in the scope already. */
  readonly blobs: readonly string[]
  readonly operationId?: string
  /** Names of what may have been forgotten: see `forgottenName`. */
  readonly forgotten?: readonly string[]
  /** Another session of the scope, for `fork`. */
  readonly parent?: string
}

export interface LogFindings {
  /** As read in the transaction, or as it was left and the write makes sure that it still is: see `stores/sql/head-cache.ts`. */
  readonly session: SessionHead | undefined
  readonly parent: SessionHead | undefined
  readonly operation: OperationRow | undefined
  readonly messages: ReadonlyMap<string, { readonly row: MessageRow; readonly amendments: readonly AmendmentRow[] }>
  readonly links: readonly ToolLink[]
  readonly blobs: ReadonlySet<string>
  /** Those of the names asked for that were forgotten in this scope. */
  readonly forgotten: ReadonlySet<string>
  /** Rows of an earlier answer to the same operation. */
  readonly answered: readonly { readonly row: MessageRow; readonly amendments: readonly AmendmentRow[] }[]
}

/** What to write, all of it or nothing. */
export interface Decision<Answer> {
  readonly answer: Answer
  readonly write?: {
    readonly session: StoredSession
    readonly messages: readonly MessageRow[]
    readonly amendments: readonly AmendmentRow[]
    readonly links: readonly ToolLink[]
    readonly blobs: readonly Blob[]
    readonly operation?: OperationRow
  }
}

export interface LogChange<Answer> {
  readonly scope: string
  readonly session: string
  readonly questions: Questions
  /** Pure: may run more than once, when the store has to start its transaction again. */
  decide(findings: LogFindings): Decision<Answer>
}

export interface MessageQuery {
  readonly scope: string
  readonly key: number
  readonly from: number
  readonly through: number
  readonly limit: number
  readonly newestFirst: boolean
  /** Only system messages: few and far between, and wanted by every context. */
  readonly systemOnly: boolean
}

/** Which amendments of a session's own, up to a version. */
export type AmendmentQuery = { readonly scope: string; readonly key: number; readonly throughVersion: number } & (
  | {
      /** Those that concern a message in a range, oldest first: its revisions and removals, and clears that reach it. */
      readonly of: 'messages'
      readonly from: number
      readonly through: number
    }
  | {
      /** Compactions and their undoing, newest first. */
      readonly of: 'window'
      readonly limit: number
    }
  | {
      /** Clears, those that reach furthest first. */
      readonly of: 'clears'
      readonly limit: number
    }
  | {
      /** Every one after a version, oldest first. */
      readonly of: 'session'
      readonly afterVersion: number
      readonly limit: number
    }
)

/** A moment: rows that were recorded by a time, or up to a version. Both rise with the place in a session. */
export type Bound = { readonly recordedAt: number } | { readonly version: number }

/** How far a stretch of a history had come at a moment. */
export interface Reached {
  /** The place of its last message; 0 if there was none. */
  readonly seq: number
  /** The last version, of a message or an amendment; 0 if there was none. */
  readonly version: number
  /** The place of a message whose row is missing, so that nobody can tell; else null. */
  readonly hole: number | null
}

/** What one scope has, without those below it. */
export interface ScopeRow {
  readonly scope: string
  readonly sessions: number
  readonly messages: number
  readonly facts: number
  readonly updatedAt: number
}

/** Whose streams: those of a session, or of all sessions with keys after one and through another. */
export type StreamsOf =
  | { readonly scope: string; readonly session: string }
  | { readonly after: number; readonly through: number }

/** The place of the pieces of a message: see `piecesPlace`. */
export interface StreamPlace extends StatePlace {
  /** Milliseconds since 1970. */
  readonly at: number
}

/**
 * What is shown of rows whose content is encrypted. `stored`: the rows of the database. `opened`: decrypted; without the key it is
 * an error. `searchable`: as if forgotten, for those who copy text into tables that are not encrypted. `verifiable`: decrypted where the
 * key is there, otherwise as stored.
 */
export type StoreView = 'stored' | 'opened' | 'searchable' | 'verifiable'

/**
 * A durable log of sessions. All decisions are made by `decide`, in the transaction that writes them; a store only reads
 * and writes rows. `change` resolves when the rows would survive a power cut.
 */
export interface LogStore<View extends StoreView = StoreView> {
  readonly view: View
  change<Answer>(change: LogChange<Answer>): Promise<Answer>
  session(scope: string, name: string): Promise<SessionHead | undefined>
  /**
   * Newest first by creation, which never changes: paging neither skips nor repeats. With `changedBefore`, those of a scope by their last
   * change: before that time, or at it and before the key.
   */
  sessions(
    of: { readonly scope: string } | { readonly everyScope: true },
    page: { readonly limit: number; readonly before?: number; readonly changedBefore?: number },
  ): Promise<readonly SessionHead[]>
  /** How far the sessions of a scope are. Reads before the call returns, where the store can: what is written later is not in it. */
  sessionsNow(scope: string, query: SessionsNowQuery): Promise<SessionsNow>
  /** What changed in a scope: sessions that were written at a time or later, or created after the one with a key; and those with `keys`. */
  changedSince(scope: string, since: ChangedSinceQuery): Promise<ChangedSessions>
  /** Scopes that have sessions or facts, in the order of their paths: all, or one with those below it. */
  scopes(
    under: string | null,
    page: { readonly limit: number; readonly after?: string | undefined },
  ): Promise<readonly ScopeRow[]>
  messages(query: MessageQuery): Promise<readonly MessageRow[]>
  message(session: Pick<Segment, 'scope' | 'key'>, id: string): Promise<MessageRow | undefined>
  amendments(query: AmendmentQuery): Promise<readonly AmendmentRow[]>
  /** What is stored of a message that is being streamed, in order; the place is the one that `piecesPlace` returns. */
  pieces(place: StatePlace): Promise<readonly StateRow[]>
  /** Where pieces of messages are, of one session or of those with these keys, and when each place was last written. */
  streams(of: StreamsOf): Promise<readonly StreamPlace[]>
  /** In the order of the stretches. */
  reached(segments: readonly Segment[], bound: Bound): Promise<readonly Reached[]>
  blobs(scope: string, hashes: readonly string[]): Promise<readonly Blob[]>
  /**
   * Calls back after each commit that may have added messages to a session, by this process or another; also without one. Without a
   * session, after each commit that may have changed anything in the scope.
   */
  subscribe(scope: string, session: string | undefined, onCommit: () => void): () => void
}
