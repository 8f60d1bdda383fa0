import type { IndexTable } from '../../ports/integrity-store.ts'
import type { Database } from './database.ts'
import { listsEach } from './program.ts'

const ROWS_PER_PAGE = 1_000

/** The first column of each is what a page goes on after. */
const statements: Readonly<Record<IndexTable, string>> = {
  shelves: page('key, kind, passages, words', 'recall_shelves', 'scope'),
  threads: page('thread, version, seq, words', 'recall_threads', 'shelf'),
  terms: page('term, key, passages', 'recall_terms', 'shelf'),
  speakers: page('speaker, passages', 'recall_speakers', 'shelf'),
  posted: page('number, passage', 'recall_posted', 'shelf'),
  passages: page('place, shelf, reference, speaker, role, at, length, cues, terms', 'recall_passages', 'thread'),
  postings: page('impact, thread, place', 'recall_postings', 'term'),
}

function page(columns: string, table: string, owner: string): string {
  const [key = ''] = columns.split(',')
  const order = table === 'recall_postings' ? columns : key
  const after = table === 'recall_postings' ? '(impact, thread, place) > (?, ?, ?)' : `${key} > ?`
  return `SELECT ${columns} FROM ${table} WHERE ${owner} = ? AND ${after} ORDER BY ${order} LIMIT ${ROWS_PER_PAGE}`
}

/** A page of rows of the search index for each owner, and whether there may be more. */
export async function indexRows(
  database: Database,
  scope: string,
  table: IndexTable,
  places: readonly (readonly unknown[])[],
): Promise<readonly { readonly rows: readonly (readonly unknown[])[]; readonly more: boolean }[]> {
  const found = await database.read('verify the index', [scope], () =>
    listsEach<readonly unknown[]>(statements[table], places),
  )
  return found.map((rows) => ({ rows, more: rows.length === ROWS_PER_PAGE }))
}
