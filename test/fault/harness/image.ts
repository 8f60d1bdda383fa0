import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import Database from 'better-sqlite3'

/** What a file holds, as facts that can be compared: `message one/5` and what it says. */
export type Facts = ReadonlyMap<string, string>

const queries: readonly (readonly [kind: string, sql: string])[] = [
  ['session', `SELECT name, scope FROM sessions`],
  [
    'message',
    `SELECT s.name || '/' || m.seq, m.id || m.role || m.body FROM messages m JOIN sessions s ON s.key = m.session`,
  ],
  [
    'amendment',
    `SELECT s.name || '/' || a.version, a.kind || a.seq || a.body FROM amendments a JOIN sessions s ON s.key = a.session`,
  ],
  ['blob', `SELECT hash, hex(substr(bytes, 1, 64)) || length(bytes) FROM blobs`],
]

/** Puts files into a folder, and nothing else. */
export function writeImage(folder: string, files: ReadonlyMap<string, Buffer>): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name))
  for (const [name, bytes] of files) if (!name.endsWith('.mark')) writeFileSync(join(folder, name), bytes)
}

/**
 * Reads a file as SQLite alone sees it, ten times faster than through a memory.
 *
 * @throws if SQLite cannot open it or finds it damaged
 */
export function readFacts(file: string): Facts {
  if (!existsSync(file) || statSync(file).size === 0) return new Map()
  const database = new Database(file)
  try {
    const check = database.pragma('quick_check', { simple: true })
    if (check !== 'ok') throw new Error(`quick_check: ${String(check)}`)
    const facts = new Map<string, string>()
    if (database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'messages'`).get() === undefined) return facts
    for (const [kind, sql] of queries) {
      for (const [key, value] of database.prepare(sql).raw().iterate() as Iterable<[string, string]>)
        facts.set(`${kind} ${key}`, value)
    }
    return facts
  } finally {
    database.close()
  }
}

/** Sessions whose messages are not numbered without gaps up to their last one. */
export function gaps(file: string): readonly string[] {
  if (!existsSync(file) || statSync(file).size === 0) return []
  const database = new Database(file)
  try {
    if (database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'messages'`).get() === undefined) return []
    return database
      .prepare(
        `SELECT name FROM sessions s WHERE last_seq - ifnull(parent_seq, 0) <> (SELECT count(*) FROM messages WHERE session = s.key)
          OR last_seq <> ifnull((SELECT max(seq) FROM messages WHERE session = s.key), ifnull(parent_seq, 0))`,
      )
      .pluck()
      .all() as string[]
  } finally {
    database.close()
  }
}
