import type { ArchiveSource } from '../api/archive.ts'
import { quote } from '../domain/refuse.ts'
import { damaged } from './damaged.ts'
import { readLines } from './read-lines.ts'
import { ARCHIVE_FORMAT, ARCHIVE_VERSION } from './records.ts'
import { ChainReader } from './hash-chain.ts'

/** What an archive says of itself, first. */
export interface Manifest {
  readonly kind: 'manifest'
  readonly format: typeof ARCHIVE_FORMAT
  readonly version: number
  /** What was exported; without either, the whole memory. */
  readonly of: { readonly scope?: string; readonly session?: string }
}

export interface ReadRecord {
  readonly line: number
  readonly kind: string
  readonly row: unknown
  /** Of the archive up to the end of this record. */
  readonly bytes: number
}

/**
 * The records of an archive, each after its hash was checked. Ends well only if the archive does: with its last line, the
 * right count and the right hash of the whole.
 *
 * @throws {MemoryError} `archive/damaged` with the line and what was expected there.
 */
export async function* readRecords(source: ArchiveSource): AsyncGenerator<ReadRecord, Manifest> {
  const seal = new ChainReader()
  let manifest: Manifest | undefined
  let ended = false
  let last = 0
  let bytes = 0
  for await (const { number, bytes: line } of readLines(source)) {
    last = number
    bytes += line.length + 1
    if (ended) throw damaged(number, 'it comes after the end', 'nothing more')
    const record = seal.open(line)
    if (typeof record === 'string')
      throw damaged(number, record, number === 1 ? 'the manifest of a Daybook archive' : 'the record that was written')
    if (manifest === undefined) {
      manifest = manifestOf(record)
      continue
    }
    const { kind, row } = record as { readonly kind?: unknown; readonly row?: unknown }
    if (typeof kind !== 'string') throw damaged(number, 'it has no kind', 'a record')
    if (kind === 'end') {
      checkEnd(number, record, seal)
      ended = true
    } else yield { line: number, kind, row, bytes }
  }
  if (manifest === undefined) throw damaged(1, 'there is nothing', 'the manifest of a Daybook archive')
  if (!ended) throw damaged(last + 1, 'the archive ends here', 'more records and an end: the archive is torn')
  return manifest
}

function manifestOf(record: object): Manifest {
  const { kind, format, version, of } = record as Partial<Manifest>
  if (kind !== 'manifest' || format !== ARCHIVE_FORMAT || typeof of !== 'object')
    throw damaged(1, `a record of kind ${quote(kind)}`, 'the manifest of a Daybook archive')
  if (version !== ARCHIVE_VERSION)
    throw damaged(1, `version ${quote(version)} of the format`, `version ${ARCHIVE_VERSION}: a newer Daybook wrote it`)
  return record as Manifest
}

function checkEnd(line: number, end: object, seal: ChainReader): void {
  const { records, sha256 } = end as { readonly records?: unknown; readonly sha256?: unknown }
  if (records !== seal.records - 1) throw damaged(line, `a count of ${quote(records)}`, `${seal.records - 1}`, 'end')
  if (sha256 !== seal.sha256) throw damaged(line, 'a different hash of the whole file', seal.sha256, 'end')
}

/** Reads an archive to its end and stores nothing: whether it is whole, and how much is in it. */
export async function checkArchive(source: ArchiveSource): Promise<CheckedArchive> {
  const records: Record<string, number> = {}
  let bytes = 0
  const reading = readRecords(source)
  for (;;) {
    const next = await reading.next()
    if (next.done === true) return { of: next.value.of, records, bytes }
    records[next.value.kind] = (records[next.value.kind] ?? 0) + 1
    ;({ bytes } = next.value)
  }
}

export interface CheckedArchive {
  readonly of: Manifest['of']
  /** How many of each kind. */
  readonly records: Readonly<Record<string, number>>
  readonly bytes: number
}
