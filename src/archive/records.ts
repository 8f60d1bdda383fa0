import type { ArchiveRow, ArchiveValue, ColumnKind } from '../ports/archive-store.ts'

/** What a record of a kind has: enough to write it and to read it back with nothing taken on trust. */
export interface RecordShape {
  readonly kind: string
  readonly columns: Readonly<Record<string, ColumnKind>>
  readonly nullable: readonly string[]
}

/** The version of the format. A reader refuses what is newer. */
export const ARCHIVE_VERSION = 1
export const ARCHIVE_FORMAT = 'daybook-archive'

/** The log's own records; all others are tables of the store. */
export const logShapes: {
  readonly session: RecordShape
  readonly message: RecordShape
  readonly amendment: RecordShape
} = {
  session: {
    kind: 'session',
    columns: {
      scope: 'text',
      name: 'text',
      description: 'text',
      createdAt: 'integer',
      genesis: 'bytes',
      parentName: 'text',
      parentSeq: 'integer',
      parentVersion: 'integer',
      parentLink: 'bytes',
    },
    nullable: ['description', 'parentName', 'parentSeq', 'parentVersion', 'parentLink'],
  },
  message: {
    kind: 'message',
    columns: {
      seq: 'integer',
      version: 'integer',
      id: 'text',
      role: 'text',
      at: 'integer',
      recordedAt: 'integer',
      tokens: 'integer',
      counter: 'text',
      body: 'text',
      salt: 'bytes',
      digest: 'bytes',
      chain: 'bytes',
    },
    nullable: [],
  },
  amendment: {
    kind: 'amendment',
    columns: {
      version: 'integer',
      kind: 'text',
      seq: 'integer',
      recordedAt: 'integer',
      tokens: 'integer',
      counter: 'text',
      body: 'text',
      salt: 'bytes',
      digest: 'bytes',
      chain: 'bytes',
    },
    nullable: [],
  },
}

/** A row as JSON: bytes in base64, everything else as it is, in the order of the shape. */
export function writeRow({ columns }: RecordShape, row: ArchiveRow): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.keys(columns).map((name) => {
      const value = row[name]
      return [name, value instanceof Uint8Array ? base64(value) : value]
    }),
  )
}

/** The row again, or what is wrong with it. */
export function readRow({ columns, nullable }: RecordShape, value: unknown): ArchiveRow | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'its row is not an object'
  const given = value as Readonly<Record<string, unknown>>
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(columns, name))
  if (unknown !== undefined) return `unknown field ${JSON.stringify(unknown)}`
  const row: Record<string, ArchiveValue> = {}
  for (const [name, kind] of Object.entries(columns)) {
    const read = Object.hasOwn(given, name) ? readValue(kind, given[name], nullable.includes(name)) : undefined
    if (read === undefined) return `its ${name} is not ${WANTED[kind]}`
    row[name] = read
  }
  return row
}

const WANTED: Readonly<Record<ColumnKind, string>> = {
  text: 'a string',
  integer: 'a whole number',
  until: 'a whole number',
  bytes: 'bytes in base64',
}

function readValue(kind: ColumnKind, value: unknown, nullable: boolean): ArchiveValue | undefined {
  if (value === null) return nullable ? null : undefined
  if (kind === 'text') return typeof value === 'string' ? value : undefined
  if (kind !== 'bytes') return Number.isSafeInteger(value) ? Number(value) : undefined
  if (typeof value !== 'string') return undefined
  const bytes = Buffer.from(value, 'base64')
  return bytes.toString('base64') === value ? bytes : undefined
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}
