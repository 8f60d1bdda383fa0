import { defined } from '../domain/defined.ts'
import type { RecordCalls, RecordsOptions, SentRecord, SentRecordChange } from '../api/records.ts'
import { MemoryError } from '../domain/error.ts'
import { fromBase64 } from '../domain/from-base64.ts'
import type { JSONValue } from '../domain/json.ts'
import { recordPlace } from '../domain/record-place.ts'
import { quote, refuse } from '../domain/refuse.ts'
import { toBase64 } from '../domain/to-base64.ts'
import type { StateHead, StateRange, StateReplacement, StateRow } from '../ports/state-store.ts'
import { checkCall } from '../surface/check-call.ts'
import { recordOperations } from '../surface/records.ts'
import { recordLimits } from './record-limits.ts'
import type { RecordsWiring } from './wiring.ts'

const RECORDS_PER_PAGE = 100
/** Between the key of a record and what names a part of it. Keys have no control characters, so parts sort by their keys. */
const BREAK = '\u0001'
const END = '\u{10FFFF}'
const PART_DIGITS = 4

/** What the row of a record has: everything but its content. */
interface Head {
  readonly kind: SentRecord['kind']
  readonly bytes: number
  readonly parts: number
  readonly upload?: string
}

/** Records on a store of its own. */
export function localRecordCalls(wiring: RecordsWiring, scope: string): RecordCalls {
  const { store, work, log } = wiring
  const range = (collection: string, ranges: readonly StateRange[]): Promise<readonly (readonly StateRow[])[]> => {
    work.checkOpen()
    return store.state.range(recordPlace(scope, collection), ranges)
  }
  return {
    list: async (collection, options = {}) => {
      checkCall(recordOperations.list, collection, options)
      const wanted = rangeOf(options)
      const [heads = [], bodies = []] = await range(collection, [
        { ...wanted, section: 'record' },
        ...(options.contents === true ? [{ ...wanted, section: 'body' } as const] : []),
      ])
      const contents = new Map(bodies.map((row) => [row.key, row.value]))
      return heads.map((row) => sent(row, contents.get(row.key)))
    },
    read: async (collection, key) => {
      checkCall(recordOperations.read, collection, key)
      const [[head] = [], [body] = []] = await range(collection, [oneRow('record', key), oneRow('body', key)])
      return head === undefined ? undefined : sent(head, body?.value)
    },
    part: async (collection, key, query) => {
      checkCall(recordOperations.part, collection, key, query)
      const [[head] = []] = await range(collection, [oneRow('record', key)])
      const { upload = '' } = head === undefined ? {} : headOf(head)
      const [[row] = []] = await range(collection, [oneRow('part', partKey(key, upload, query.part))])
      if (head?.version === query.version && row?.value != null) return row.value
      throw new MemoryError(
        'records/conflict',
        `Cannot read ${quote(key)}: it was changed while it was read, expected version ${query.version}`,
        { collection, key, expect: query.version, found: head?.version ?? 0 },
      )
    },
    upload: async (collection, key, { upload, part, base64 }) => {
      checkCall(recordOperations.upload, collection, key, { upload, part, base64 })
      work.checkOpen()
      checkBase64('write a record', 'base64', base64)
      const write = { section: 'part', key: partKey(key, upload, part), value: base64 } as const
      await work.begin(
        store.state.replace(recordPlace(scope, collection), { section: 'part', keys: [] }, (head) => {
          return { answer: undefined, at: nextTime(head, log.clock.now()), clears: [], writes: [write] }
        }),
      )
    },
    change: async (collection, changes) => {
      checkCall(recordOperations.change, collection, changes)
      work.checkOpen()
      const prepared = changes.map((change, index) => prepare(change, `changes[${index}]`))
      for (const change of changes) if (change.upload !== undefined) await checkUpload(range, collection, change)
      const keys = [...new Set(changes.map(({ key }) => key))]
      const place = recordPlace(scope, collection)
      const change = store.state.replace(place, { section: 'record', keys }, (head, rows) =>
        decide(collection, prepared, { head, rows, now: log.clock.now() }),
      )
      const outcome = await work.begin(change)
      if (outcome instanceof MemoryError) throw outcome
      return outcome
    },
  }
}

function rangeOf({
  prefix = '',
  after,
  order = 'ascending',
  limit = RECORDS_PER_PAGE,
}: RecordsOptions): Omit<StateRange, 'section'> {
  const [descending, end] = [order === 'descending', `${prefix}${END}`]
  if (!descending) return { from: prefix, to: end, after: after ?? '', limit, descending }
  const isBefore = after !== undefined && Buffer.compare(Buffer.from(after), Buffer.from(end)) < 0
  return { from: prefix, to: isBefore ? after : end, after: '', limit, descending }
}

function oneRow(section: StateRange['section'], key: string): StateRange {
  return { section, from: key, to: `${key}${BREAK}`, after: '', limit: 1, descending: false }
}

function partKey(key: string, upload: string, part: number): string {
  return `${key}${BREAK}${upload}${BREAK}${String(part).padStart(PART_DIGITS, '0')}`
}

function headOf({ value }: StateRow): Head {
  return JSON.parse(value ?? '') as Head
}

function sent(row: StateRow, body: string | null | undefined): SentRecord {
  const { kind, bytes, parts } = headOf(row)
  const content = body == null ? {} : kind === 'json' ? { json: JSON.parse(body) as JSONValue } : { base64: body }
  return { key: row.key, version: row.version, at: new Date(row.at).toISOString(), bytes, kind, parts, ...content }
}

type Prepared = Pick<SentRecordChange, 'key' | 'expect'> & { readonly head?: Head; readonly body?: string }

/** What a change writes, checked before the transaction begins. */
function prepare({ key, expect, json, base64, upload }: SentRecordChange, path: string): Prepared {
  const target = { key, ...defined({ expect }) }
  if (upload !== undefined) {
    const { id, ...head } = upload
    checkSize(key, upload.bytes, upload.kind === 'json' ? recordLimits.jsonBytes : recordLimits.contentBytes)
    return { ...target, head: { ...head, upload: id } }
  }
  if (base64 !== undefined) {
    const bytes = checkBase64('change records', `${path}.base64`, base64)
    return { ...target, head: { kind: 'bytes', bytes, parts: 0 }, body: base64 }
  }
  if (json === undefined) return target
  const body = JSON.stringify(json)
  const bytes = Buffer.byteLength(body)
  checkSize(key, bytes, recordLimits.jsonBytes)
  return { ...target, head: { kind: 'json', bytes, parts: 0 }, body }
}

/** Its last part says how large it is. Without this check, a record could claim a size that it does not have. */
async function checkUpload(
  range: (collection: string, ranges: readonly StateRange[]) => Promise<readonly (readonly StateRow[])[]>,
  collection: string,
  { key, upload }: SentRecordChange,
): Promise<void> {
  if (upload === undefined) return
  const { id, parts, bytes } = upload
  const [[last] = []] = await range(collection, [oneRow('part', partKey(key, id, parts - 1))])
  const size = (parts - 1) * recordLimits.partBytes + fromBase64(last?.value ?? '').length
  if (last === undefined || size !== bytes)
    refuse('change records', 'upload', upload, 'the size and the parts that were uploaded')
}

function checkSize(key: string, bytes: number, max: number): void {
  if (bytes <= max) return
  throw new MemoryError(
    'input/too-large',
    `Cannot write ${quote(key)}: it has ${bytes} bytes, expected at most ${max}`,
    {
      key,
      bytes,
      max,
    },
  )
}

/** Returns how many bytes it has. */
function checkBase64(attempt: string, path: string, text: string): number {
  const bytes = fromBase64(text)
  if (toBase64(bytes) !== text) refuse(attempt, path, text, 'base64')
  return bytes.length
}

interface Before {
  readonly head: StateHead
  readonly rows: ReadonlyMap<string, StateRow>
  readonly now: number
}

/** All changes or none. An error is returned, not thrown: the transaction has begun. */
function decide(
  collection: string,
  changes: readonly Prepared[],
  { head, rows, now }: Before,
): StateReplacement<MemoryError | readonly (SentRecord | null)[]> {
  const at = nextTime(head, now)
  const version = head.version + 1
  const [found, answer] = [new Map<string, number>(), [] as (SentRecord | null)[]]
  const [clears, writes] = [[] as StateReplacement<never>['clears'][number][], new Map<string, Prepared>()]
  for (const change of changes) {
    const { key, expect } = change
    const is = found.get(key) ?? rows.get(key)?.version ?? 0
    if (expect !== undefined && expect !== is)
      return { answer: conflict(collection, key, expect, is), at, clears: [], writes: [] }
    found.set(key, change.head === undefined ? 0 : version)
    writes.set(key, change)
    answer.push(change.head === undefined ? null : sent(rowOf(change, version, at), undefined))
  }
  for (const [key, { head: own }] of writes) clears.push(...partsBeside(key, own?.upload))
  return {
    answer,
    at,
    clears,
    writes: [...writes.values()].flatMap(({ key, head: own, body = null }) => [
      { section: 'record', key, value: own === undefined ? null : JSON.stringify(own) },
      { section: 'body', key, value: body },
    ]),
  }
}

function rowOf({ key, head }: Prepared, version: number, at: number): StateRow {
  return { key, version, at, value: JSON.stringify(head) }
}

/** The parts of a record, except those of one upload: what it had before, and uploads that nobody finished. */
function partsBeside(key: string, upload: string | undefined): StateReplacement<never>['clears'] {
  const [from, to] = [`${key}${BREAK}`, `${key}${BREAK}${END}`]
  if (upload === undefined) return [{ section: 'part', from, to }]
  const own = `${from}${upload}${BREAK}`
  return [
    { section: 'part', from, to: own },
    { section: 'part', from: `${own}${END}`, to },
  ]
}

/** Clocks go back now and then; the times of versions are in the order of the versions. */
function nextTime({ at }: StateHead, now: number): number {
  return Math.max(at, now)
}

function conflict(collection: string, key: string, expect: number, found: number): MemoryError {
  const is = found === 0 ? 'there is no such record' : `it is at version ${found}`
  const wanted = expect === 0 ? 'none' : `version ${expect}`
  return new MemoryError('records/conflict', `Cannot change ${quote(key)}: ${is}, expected ${wanted}`, {
    collection,
    key,
    expect,
    found,
  })
}
