import type { Database } from './database.ts'
import type { SqlDialect } from './dialect.ts'
import type { PostingList } from './posting-list.ts'
import { type Program, changeRows, lists, listsEach } from './program.ts'
import { countedStatements, keysStatements } from './recall-statements.ts'

/** Of all shelves together: some 10 MB. */
const KEYS_MAX = 50_000

type Keys = Map<string, number>

/**
 * The keys of terms that were counted before, by shelf. To add to a count by its key takes a third of the time of looking for the word.
 * A key never stands for another term, so a term that is gone meanwhile is only not found.
 */
export class TermKeys {
  readonly #shelves = new Map<number, Keys>()
  #size = 0

  of(shelf: number): ReadonlyMap<string, number> {
    return this.#shelves.get(shelf) ?? new Map()
  }

  /** Only after they are committed: keys that were rolled back are given to other terms. */
  keep(shelf: number, keys: ReadonlyMap<string, number>): void {
    if (this.#size + keys.size > KEYS_MAX) {
      this.#shelves.clear()
      this.#size = 0
    }
    const kept = this.#shelves.get(shelf) ?? new Map<string, number>()
    for (const [term, key] of keys) kept.set(term, key)
    this.#shelves.set(shelf, kept)
    this.#size += keys.size
  }
}

/** The terms of new passages, and those of their keys that were not known before. */
export interface CountedKeys {
  readonly keys: ReadonlyMap<string, number>
  readonly fresh: ReadonlyMap<string, number>
}

/** Counts the terms of new passages, each by the length of its list, and returns their keys. */
export function* countTerms(
  { dialect }: Pick<Database, 'dialect'>,
  shelf: number,
  terms: ReadonlyMap<string, PostingList>,
  known: ReadonlyMap<string, number>,
): Program<CountedKeys> {
  const keys = yield* countKnown(dialect, shelf, terms, known)
  const names = new Map<string, string>()
  for (const term of terms.keys()) if (!keys.has(term)) names.set(JSON.stringify(term), term)
  const counted = yield* listsEach<readonly [key: number, name: string]>(
    keysStatements(dialect).countTerms,
    dialect.pairs.values(
      shelf,
      [...names].map(([name, term]) => [name, terms.get(term)?.size ?? 0]),
    ),
  )
  const fresh = new Map<string, number>()
  // By what they say, not by their order: a database may answer to many insertions as it likes.
  for (const [key, name] of counted.flat()) fresh.set(names.get(name) ?? '', key)
  for (const [term, key] of fresh) keys.set(term, key)
  return { keys, fresh }
}

/** Returns the keys of those that are still there. */
function* countKnown(
  { counted }: Pick<SqlDialect, 'counted'>,
  shelf: number,
  terms: ReadonlyMap<string, PostingList>,
  known: ReadonlyMap<string, number>,
): Program<Keys> {
  const keys: Keys = new Map()
  const counts: Record<number, number> = {}
  for (const [term, { size }] of terms) {
    const key = known.get(term)
    if (key === undefined) continue
    keys.set(term, key)
    counts[key] = size
  }
  if (keys.size === 0 || counted === undefined) return new Map()
  const sql = countedStatements(counted)
  const packed = JSON.stringify(counts)
  if ((yield* changeRows(sql.count, packed, shelf)) === keys.size) return keys
  const found = new Set((yield* lists<readonly [number]>(sql.known, packed, shelf)).map(([key]) => key))
  for (const [term, key] of keys) if (!found.has(key)) keys.delete(term)
  return keys
}
