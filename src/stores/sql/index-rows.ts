import type { IndexTable, IndexedTerm } from '../../ports/integrity-store.ts'
import { ByteWriter } from './byte-writer.ts'
import type { Database } from './database.ts'
import { PostingList } from './posting-list.ts'
import { type TermBlock, blocksOf } from './posting-rows.ts'
import { type RawPostingRow, fromRow } from './postings.ts'
import { type Program, listsEach } from './program.ts'
import { readPairs } from './term-bytes.ts'

const ROWS_PER_PAGE = 1_000
/** Rows of postings hold many each. */
const PACKED_ROWS_PER_PAGE = 40

/** The first column of each is what a page goes on after. */
const statements: Readonly<Record<Exclude<IndexTable, 'postings'>, string>> = {
  shelves: page('key, kind, passages, words', 'recall_shelves', 'scope'),
  threads: page('thread, version, seq, words', 'recall_threads', 'shelf'),
  terms: page('term, key, passages', 'recall_terms', 'shelf'),
  speakers: page('speaker, passages', 'recall_speakers', 'shelf'),
  posted: page('number, passage', 'recall_posted', 'shelf'),
  passages: page('place, shelf, reference, speaker, role, at, length, cues, terms', 'recall_passages', 'thread'),
  segments: page('key, postings', 'recall_segments', 'shelf'),
}
const packed = `SELECT term, part, highest, lowest, hits FROM recall_postings WHERE segment = ? AND (term, part) > (?, ?)
  ORDER BY term, part LIMIT ${PACKED_ROWS_PER_PAGE}`

function page(columns: string, table: string, owner: string): string {
  const [key = ''] = columns.split(',')
  return `SELECT ${columns} FROM ${table} WHERE ${owner} = ? AND ${key} > ? ORDER BY ${key} LIMIT ${ROWS_PER_PAGE}`
}

interface Page {
  readonly rows: readonly (readonly unknown[])[]
  readonly more: boolean
}

/**
 * A page of rows of the search index for each owner, and whether there may be more. Rows of postings are unpacked: term, part, highest
 * and lowest impact as they are stored, then its terms.
 */
export async function indexRows(
  database: Database,
  scope: string,
  table: IndexTable,
  places: readonly (readonly unknown[])[],
): Promise<readonly Page[]> {
  return database.read('verify the index', [scope], () =>
    table === 'postings' ? postings(places) : rowsOf(table, places),
  )
}

function* rowsOf(
  table: Exclude<IndexTable, 'postings'>,
  places: readonly (readonly unknown[])[],
): Program<readonly Page[]> {
  const found = yield* listsEach<readonly unknown[]>(statements[table], places)
  return found.map((rows) => ({
    rows: table === 'passages' ? rows.map((row) => [...row.slice(0, -1), readPairs(row.at(-1) as Uint8Array)]) : rows,
    more: rows.length === ROWS_PER_PAGE,
  }))
}

function* postings(places: readonly (readonly unknown[])[]): Program<readonly Page[]> {
  const found = yield* listsEach<RawPostingRow>(packed, places)
  const writer = new ByteWriter()
  return found.map((rows) => ({
    rows: rows.map((row) => {
      const { term, part, highest, lowest, hits } = fromRow(row)
      return [term, part, highest, lowest, ...blocksOf({ term, hits }).map((block) => unpacked(block, writer))]
    }),
    more: rows.length === PACKED_ROWS_PER_PAGE,
  }))
}

function unpacked({ term, bytes }: TermBlock, writer: ByteWriter): IndexedTerm {
  const list = new PostingList()
  list.addPacked(bytes)
  const { impacts, threads, places } = list
  const isAsPacked = Buffer.from(bytes).equals(list.pack(writer))
  return { term, impacts, threads, places, isAsPacked }
}
