import { redactAddresses } from './redact-addresses.ts'

/** Every way a call can fail. Adding a code is a minor release; renaming one is a major release. */
export type ErrorCode =
  | 'input/invalid' // the caller's mistake: fix the call
  | 'input/too-large' // a message, a blob or a batch is over its limit
  | 'input/forbidden-path' // a file outside the directories the caller allowed
  | 'input/unreadable-file' // an allowed file that is missing or cannot be read
  | 'log/conflict' // somebody appended first: read, then retry
  | 'log/id-conflict' // this message id or operation id is stored with other content
  | 'log/orphan-result' // strict append: a tool result that answers no call
  | 'log/not-found' // no such message or session in this scope
  | 'log/exists' // a session of that id is already there
  | 'log/forgotten' // this message or operation id was forgotten: it does not come back
  | 'log/has-forks' // other sessions share this one's history: forget them too, or none
  | 'context/over-budget' // what must be in a context does not fit its budget: the numbers are in `details`
  | 'context/not-found' // no such fold or compaction in this session
  | 'knowledge/conflict' // somebody changed the fact, the entity or the proposal first: read, then retry
  | 'knowledge/not-found' // no such fact, entity, source or proposal in this scope
  | 'state/conflict' // somebody changed the value first: read, then retry
  | 'state/not-found' // no such value, task, note or block here
  | 'state/refused' // a block would be over its limit or not of its schema, or a text to replace is not there exactly once
  | 'records/conflict' // somebody changed the record first: read, then retry
  | 'records/not-found' // no such record in this collection
  | 'documents/conflict' // somebody saved the document first: load, then retry
  | 'documents/corrupt' // the file is not a document: it was put aside, and its last good version is beside it
  | 'jobs/not-found' // no such job, or it was done so long ago that it was deleted
  | 'jobs/conflict' // the job is not in a state that allows it
  | 'model/unavailable' // a language model gave no answer for now: it is asked again later
  | 'archive/damaged' // torn, changed or no archive: the line and what was expected are in `details`
  | 'archive/conflict' // something of the archive is here with other content: nothing of it was touched
  | 'dialect/unreadable' // a transcript that is not of the dialect it was said to be
  | 'dialect/missing-blob' // the bytes of an image or file were not given to `convert`
  | 'access/unauthenticated' // no key, or one that is unknown, expired or revoked
  | 'access/forbidden' // the key may not do this in its own scope
  | 'access/not-found' // nothing here for this key: another's scope, or no such address
  | 'access/key-conflict' // this Idempotency-Key was used for another request
  | 'access/not-repeated' // begun before under this Idempotency-Key; it may be done: look, and ask under another
  | 'server/overloaded' // too many requests at once or in a row: wait `details.retryAfter` seconds
  | 'server/unavailable' // the server stops, is not there, or the connection was lost: retry with the same key
  | 'server/failed' // the server's mistake
  | 'server/not-offered' // a part of another service's interface that this server does not have
  | 'store/closed' // the memory was closed: open another
  | 'store/busy' // other processes held the file for longer than the time-out
  | 'store/full' // no space left on the disk; nothing was written
  | 'store/read-only' // the file or its disk cannot be written
  | 'store/replaced' // the file was removed or replaced while it was open: what was written since is not in it
  | 'store/cannot-open' // no such directory, no permission, or not a file
  | 'store/not-a-database' // the file is something else
  | 'store/exists' // a file of that name is there; nothing was overwritten
  | 'store/foreign' // an SQLite database of another application
  | 'store/newer-schema' // written by a newer Daybook; untouched
  | 'store/changed-schema' // an applied migration is not the one this version knows
  | 'store/partitioned' // the tables have another number of parts than asked for: it is chosen when they are made
  | 'store/unsupported' // Node, the SQLite driver or the database server is too old, missing or cannot be loaded
  | 'store/corrupt' // stored data has changed since it was written
  | 'store/unknown' // the disk failed during the commit: retry with the same ids to learn the outcome
  | 'store/unavailable' // the database server cannot be reached or is starting: try again later
  | 'store/timeout' // the database server took longer than the time-out
  | 'store/forbidden' // the role has no right to what it needs in the database
  | 'store/unsafe' // the server's settings or the role would break a promise; `details.dangers` names them
  | 'encryption/unreadable-key' // the variable, file or command that should give a key gave none
  | 'encryption/key-needed' // encrypted: give its key
  | 'encryption/wrong-key' // encrypted with another key
  | 'encryption/not-encrypted' // a key was given for what is not encrypted
  | 'encryption/key-destroyed' // its data key is not in the key file: forgotten, or the wrong key file
  | 'store/failed' // the database's mistake: see `cause`

const ADDRESS_CHARACTERS_MAX = 10_000

function withoutPasswords(details: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [name, typeof value === 'string' ? redactedValue(value) : value]),
  )
}

/** In quotation marks, so that an address may hold blanks. */
function redactedValue(value: string): string {
  // A value of that size is no address.
  if (value.length > ADDRESS_CHARACTERS_MAX) return value
  const text = JSON.stringify(value)
  const redacted = redactAddresses(text)
  return redacted === text ? value : (JSON.parse(redacted) as string)
}

/** The only error this package throws on purpose. Branch on `code`, never on the message. */
export class MemoryError extends Error {
  override readonly name = 'MemoryError'
  /** Survives two copies of the package in one process, where `instanceof` does not. */
  readonly isMemoryError: true = true
  readonly code: ErrorCode
  /** The facts in the message, for machines: `{ after: 3, last: 5 }`. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, details: Record<string, unknown> = {}, cause?: unknown) {
    super(redactAddresses(message), cause === undefined ? undefined : { cause })
    this.code = code
    this.details = withoutPasswords(details)
  }

  static is(value: unknown, code?: ErrorCode): value is MemoryError {
    return (
      value instanceof Error && 'isMemoryError' in value && (code === undefined || (value as MemoryError).code === code)
    )
  }
}
