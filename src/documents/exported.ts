import { createHash, randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isPlainObject } from '../domain/check-json.ts'
import type { ContextDocument } from '../api/document.ts'
import { TEMPORARY } from './folder.ts'

const FILE = '.daybook-exported'

/**
 * What an export wrote into a directory, by its hash: a file that still says it was edited by nobody, and may be written again.
 * Of a file that is not known here nobody can tell, so it counts as edited.
 */
export class Exported {
  readonly #file: string
  readonly #hashes: Map<string, string>

  private constructor(file: string, hashes: Map<string, string>) {
    this.#file = file
    this.#hashes = hashes
  }

  static async open(directory: string): Promise<Exported> {
    const file = join(directory, FILE)
    return new Exported(file, await readHashes(file))
  }

  isAsWritten(scope: string, document: ContextDocument): boolean {
    return this.#hashes.get(keyOf(scope, document)) === hashOf(document)
  }

  add(scope: string, document: ContextDocument): void {
    this.#hashes.set(keyOf(scope, document), hashOf(document))
  }

  async save(): Promise<void> {
    // A leftover is removed with those of documents.
    const temporary = join(dirname(this.#file), `${TEMPORARY}${randomUUID()}`)
    const sorted = [...this.#hashes].toSorted(([a], [b]) => (a < b ? -1 : 1))
    await writeFile(temporary, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    await rename(temporary, this.#file)
  }
}

/** Version and time of saving are the file's own. */
export function saysSame(there: ContextDocument, document: ContextDocument): boolean {
  return said(there) === said(document)
}

function said(document: ContextDocument): string {
  const { version: _version, updated_at: _at, ...rest } = JSON.parse(JSON.stringify(document)) as ContextDocument
  return JSON.stringify(rest)
}

function hashOf(document: ContextDocument): string {
  return createHash('sha256').update(said(document)).digest('hex')
}

/** Two scopes may have sessions of one name. */
function keyOf(scope: string, { session_id: session }: ContextDocument): string {
  return JSON.stringify([scope, session])
}

async function readHashes(file: string): Promise<Map<string, string>> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'))
    const entries = isPlainObject(value) ? Object.entries(value) : []
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch {
    // None, or damaged: then every file counts as edited.
    return new Map()
  }
}
