import { defined } from '../domain/defined.ts'
import type {
  RecordCalls,
  RecordChange,
  RecordContent,
  RecordInfo,
  RecordUpload,
  Records,
  SentRecord,
  SentRecordChange,
  StoredRecord,
} from '../api/records.ts'
import { checkJSON, isPlainObject } from '../domain/check-json.ts'
import { MemoryError } from '../domain/error.ts'
import { fromBase64 } from '../domain/from-base64.ts'
import type { JSONValue } from '../domain/json.ts'
import { checkId } from '../domain/names.ts'
import { quote, refuse } from '../domain/refuse.ts'
import { toBase64 } from '../domain/to-base64.ts'
import { recordLimits } from './record-limits.ts'

/** A collection of records, from its calls: the same on a store and behind a server. */
export function recordsOf(calls: RecordCalls, collection: string): Records {
  checkId('open records', 'collection', collection)
  const change = async (changes: readonly RecordChange[]): Promise<readonly (RecordInfo | null)[]> => {
    if (!Array.isArray(changes)) refuse('change records', 'changes', changes, 'an array of changes')
    const sending: SentRecordChange[] = []
    let room = recordLimits.batchBytes
    for (const one of changes) {
      const next = await sendingOf(calls, collection, one, room)
      room -= (next.base64 ?? '').length + (next.json === undefined ? 0 : JSON.stringify(next.json).length)
      sending.push(next)
    }
    // A key that may not read gets nothing back.
    return ((await calls.change(collection, sending)) ?? []).map((record) => (record === null ? null : infoOf(record)))
  }
  return {
    collection,
    get: async (key) => {
      const record = await calls.read(collection, key)
      if (record === undefined) return undefined
      return record.parts === 0 ? stored(record) : joined(record, partsOf(calls, collection, record))
    },
    stream: (key) => streamOf(calls, collection, key),
    put: async (key, content, options = {}) => {
      const [record] = await change([{ put: key, content, ...options }])
      return record as RecordInfo
    },
    delete: async (key, options = {}) => {
      if ((await calls.read(collection, key)) === undefined && options.expect === undefined) return false
      await change([{ delete: key, ...options }])
      return true
    },
    list: async (options = {}) => (await calls.list(collection, options)).map(stored),
    change,
  }
}

async function* streamOf(calls: RecordCalls, collection: string, key: string): AsyncGenerator<Uint8Array> {
  const record = await calls.read(collection, key)
  if (record === undefined)
    throw new MemoryError('records/not-found', `Cannot read ${quote(key)}: there is no such record`, {
      collection,
      key,
    })
  if (record.parts > 0) yield* partsOf(calls, collection, record)
  else if (record.kind === 'bytes') yield fromBase64(record.base64 ?? '')
  else yield new TextEncoder().encode(JSON.stringify(record.json))
}

async function* partsOf(
  calls: RecordCalls,
  collection: string,
  { key, version, parts }: SentRecord,
): AsyncGenerator<Uint8Array> {
  for (let part = 0; part < parts; part++) yield fromBase64(await calls.part(collection, key, { part, version }))
}

async function joined(record: SentRecord, parts: AsyncIterable<Uint8Array>): Promise<StoredRecord> {
  const whole = new Uint8Array(record.bytes)
  let at = 0
  for await (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  if (record.kind === 'bytes') return { ...infoOf(record), data: whole }
  return { ...infoOf(record), json: JSON.parse(new TextDecoder().decode(whole)) as JSONValue }
}

function infoOf({ key, version, at, bytes, kind }: SentRecord): RecordInfo {
  return { key, version, at, bytes, kind }
}

function stored(record: SentRecord): StoredRecord {
  return {
    ...infoOf(record),
    ...defined({ json: record.json }),
    ...(record.base64 === undefined ? {} : { data: fromBase64(record.base64) }),
  }
}

/** A change as it travels. What is too large for that goes before it, in parts. */
async function sendingOf(
  calls: RecordCalls,
  collection: string,
  given: RecordChange,
  room: number,
): Promise<SentRecordChange> {
  if (!isPlainObject(given) || Object.hasOwn(given, 'put') === Object.hasOwn(given, 'delete'))
    refuse('change records', 'changes', given, '{ put, content } or { delete }')
  const { expect } = given
  const expecting = defined({ expect })
  if (!('put' in given)) return { key: given.delete, delete: true, ...expecting }
  const { put: key, content } = given as Extract<RecordChange, { readonly put: string }>
  checkId('write a record', 'key', key)
  const { kind, bytes, json } = contentOf(content)
  if (bytes instanceof Uint8Array && bytes.length <= Math.min(room, recordLimits.partBytes))
    return kind === 'json' ? { key, json: json ?? null, ...expecting } : { key, base64: toBase64(bytes), ...expecting }
  const pieces = bytes instanceof Uint8Array ? [bytes] : bytes
  const upload = await uploaded(calls, { collection, key, kind }, pieces)
  return { key, upload, ...expecting }
}

interface Content {
  readonly kind: RecordInfo['kind']
  readonly bytes: Uint8Array | AsyncIterable<Uint8Array>
  readonly json?: JSONValue
}

function contentOf(content: RecordContent): Content {
  if (content instanceof Uint8Array) return { kind: 'bytes', bytes: content }
  if (typeof content === 'object' && content !== null && Symbol.asyncIterator in content)
    return { kind: 'bytes', bytes: content as AsyncIterable<Uint8Array> }
  checkJSON('write a record', 'content', content)
  return { kind: 'json', bytes: new TextEncoder().encode(JSON.stringify(content)), json: content as JSONValue }
}

interface Target {
  readonly collection: string
  readonly key: string
  readonly kind: RecordInfo['kind']
}

/** Stores a content part by part, each on disk before the next: no more than one is in memory. */
async function uploaded(
  calls: RecordCalls,
  { collection, key, kind }: Target,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<RecordUpload> {
  const id = crypto.randomUUID()
  const max = kind === 'json' ? recordLimits.jsonBytes : recordLimits.contentBytes
  let [parts, bytes] = [0, 0]
  for await (const data of inParts(pieces)) {
    bytes += data.length
    if (bytes > max)
      throw new MemoryError('input/too-large', `Cannot write ${quote(key)}: expected at most ${max} bytes`, {
        key,
        max,
      })
    await calls.upload(collection, key, { upload: id, part: parts, base64: toBase64(data) })
    parts += 1
  }
  return { id, parts, bytes, kind }
}

/** Cuts and joins pieces into parts of one size; the last may be smaller. There is at least one. */
async function* inParts(pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held = new Uint8Array(recordLimits.partBytes)
  let [filled, some] = [0, false]
  for await (const piece of pieces) {
    if (!(piece instanceof Uint8Array)) refuse('write a record', 'content', piece, 'pieces of bytes')
    for (let at = 0; at < piece.length;) {
      const taken = piece.subarray(at, at + held.length - filled)
      held.set(taken, filled)
      at += taken.length
      filled += taken.length
      if (filled < held.length) continue
      yield held
      held = new Uint8Array(recordLimits.partBytes)
      ;[filled, some] = [0, true]
    }
  }
  if (filled > 0 || !some) yield held.subarray(0, filled)
}
