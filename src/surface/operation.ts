import type { ErrorCode } from '../domain/error.ts'
import type { Verb } from '../domain/key.ts'
import type { AnyShape, Fields } from '../shape/shape.ts'

/** One call of the surface, described once. Door checks, HTTP, OpenAPI, client, command line and tools are made from it. */
export interface Operation {
  /** The noun and what is done with it: `recall.ask`. Also the `operationId` in the OpenAPI document. */
  readonly name: string
  /** One sentence in plain English, without a full stop. */
  readonly help: string
  /** What errors say could not be done: "Cannot recall: …". */
  readonly attempt: string
  /** The method of the handle that the path leads to (a session, a scope or the memory); with dots for its parts: `retention.set`. */
  readonly call: string

  /** What a key must be allowed to do. */
  readonly can: Verb
  /** The option that a key for one scope is held to, where the path names no scope. @default only a key for the whole memory may call it */
  readonly narrows?: string
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Names in braces are one segment each. `scope` and `session` choose the handle; any other is an argument with this name. */
  readonly path: string

  /** Arguments that the call takes one by one, in this order. */
  readonly takes?: Fields
  /** The object that the call takes last. Over HTTP its fields are beside those of `takes`. */
  readonly options?: AnyShape
  /** The argument whose own fields are sent beside the options, instead of the argument under its name. */
  readonly spreads?: string
  /** Fields that only a request has. */
  readonly sends?: Fields

  /** What is returned over HTTP. For a stream, one item of it. */
  readonly answer: AnyShape
  /** The field of the answer that has what the call returns. @default the answer is what the call returns */
  readonly as?: string
  /** The answer is a page, and this field of its items is where the next one begins. Over HTTP, `after` and `next` are cursors made from it. */
  readonly pages?: string
  /** The call returns `undefined`, or an empty list, where the server responds with this error. */
  readonly missing?: ErrorCode
  /** It creates something: the status is 201. */
  readonly creates?: true

  /** Whether it changes something: then an `Idempotency-Key` is honoured and the audit trail has it. */
  readonly writes: boolean
  readonly repeat?: Repeat
  /** The body or the answer is sent piece by piece, in this media type. The fields of a request with such a body are in its query. */
  readonly streams?: StreamedBody | StreamedAnswer
  /** It may take as long as it needs. */
  readonly patient?: true
}

/** The body is sent piece by piece, and perhaps the answer too. */
interface StreamedBody {
  readonly in: string
  readonly item: AnyShape
  readonly out?: string
}

interface StreamedAnswer {
  readonly out: string
  /** Other media types that the answer may have. */
  readonly also?: readonly string[]
}

/**
 * How a write is kept from being done twice when its first answer was lost with the server.
 *
 * - `harmless`: done twice, it leaves what it leaves when done once
 * - `by-version`: a version of the session or of the knowledge shows whether it was done
 * - `by-log`: the log stores it once, under the key of the request
 * - `not-kept`: its answer must not be stored, so a repeated request is done again
 *
 * Without any of these it is refused, since nobody can find out whether it was done.
 */
export type Repeat = 'harmless' | 'by-version' | 'by-log' | 'not-kept'

/** What is needed to check a call. Calls that only the library has, such as `openMemory`, are described by this alone. */
export type CheckedCall = Pick<Operation, 'attempt' | 'takes' | 'options'>

/** An operation without the name, which its noun gives it. */
export type Described = Omit<Operation, 'name'>
