import { randomUUID } from 'node:crypto'
import { basename, join } from 'node:path'
import { isPlainObject } from '../domain/check-json.ts'
import { MemoryError } from '../domain/error.ts'
import { quote } from '../domain/refuse.ts'
import type { ContextDocument } from '../api/document.ts'
import { parseDocument } from '../state/document/parse.ts'
import type { Disk } from './disk.ts'
import { decodeName, encodeName, isForeignName } from './names.ts'

/** Larger than any document that people read; a file of this size is something else. */
const BYTES_MAX = 64 * 1024 * 1024
const ENDING = '.json'
/** The name of a file that is being written begins with this. */
const TEMPORARY = '.daybook-tmp-'

/** When a damaged file was put aside, as it is in its name. */
const STAMP = /^[+-]?\d{4,6}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-[0-9a-f]{8}$/

/** What is in a file: a document, nothing, or something that is none. */
export type FileContent =
  | { readonly type: 'document'; readonly document: ContextDocument }
  | { readonly type: 'nothing' }
  | { readonly type: 'damaged'; readonly reason: string }

/**
 * The files of a directory of documents. Each session has one file, its last good version beside it, and perhaps damaged ones.
 * Files that other programs named after the session, such as `user1:agent1:123.json`, keep their name.
 */
export class Folder {
  readonly directory: string
  readonly #disk: Disk

  constructor(directory: string, disk: Disk) {
    this.directory = directory
    this.#disk = disk
  }

  get lockFile(): string {
    return join(this.directory, '.daybook-lock')
  }

  goodFileOf(id: string): string {
    return join(this.directory, `${encodeName(id)}.good`)
  }

  async make(): Promise<void> {
    await this.#disk.makeDirectory(this.directory)
  }

  /** The sessions that have a file. */
  async sessions(): Promise<ReadonlySet<string>> {
    const sessions = new Set<string>()
    for (const file of await this.#disk.names(this.directory)) {
      if (!file.endsWith(ENDING) || file.startsWith('.')) continue
      const session = await this.#sessionOf(file.slice(0, -ENDING.length))
      if (session !== undefined) sessions.add(session)
    }
    return sessions
  }

  /** The document of a session. @throws {MemoryError} `store/newer-schema`: a newer version wrote it, so it is left alone. */
  async read(id: string): Promise<FileContent> {
    return this.#read(await this.#fileOf(id), id)
  }

  /** The last good version of a document. */
  async readGood(id: string): Promise<FileContent> {
    return this.#read(this.goodFileOf(id), id)
  }

  /** Damaged files of a session that were put aside, oldest first. */
  async asideOf(id: string): Promise<readonly string[]> {
    const prefix = `${encodeName(id)}.corrupt-`
    // A session may be called like this one with what follows: only a whole stamp is ours, and no name of a document has capitals.
    const names = (await this.#disk.names(this.directory)).filter(
      (name) => name.startsWith(prefix) && STAMP.test(name.slice(prefix.length)),
    )
    return names.toSorted().map((name) => join(this.directory, name))
  }

  /** There is a whole file at every moment: the old one keeps its name until the new one is on the disk. */
  async write(id: string, document: ContextDocument, keepGood: boolean): Promise<void> {
    const bytes = Buffer.from(`${JSON.stringify(document, null, 2)}\n`)
    if (bytes.length > BYTES_MAX)
      throw new MemoryError(
        'input/too-large',
        `Cannot save ${quote(id)}: it has ${bytes.length} bytes, expected at most ${BYTES_MAX}`,
        { bytes: bytes.length, max: BYTES_MAX },
      )
    const file = await this.#fileOf(id)
    const temporary = this.#temporary()
    try {
      await this.#disk.write(temporary, bytes)
      if (keepGood) await this.#replace(file, this.goodFileOf(id))
      await this.#disk.rename(temporary, file)
    } catch (error) {
      // What stopped the write may stop this too: a leftover is ignored, and removed by `initialize`.
      await this.#disk.remove(temporary).catch(() => undefined)
      throw error
    }
    await this.#disk.syncDirectory(this.directory)
  }

  /** Renames the damaged file, so that nobody takes it for a document. */
  async putAside(id: string, at: number): Promise<string> {
    const stamp = new Date(at).toISOString().replaceAll(/[:.]/g, '-')
    const aside = join(this.directory, `${encodeName(id)}.corrupt-${stamp}-${randomUUID().slice(0, 8)}`)
    await this.#disk.rename(await this.#fileOf(id), aside)
    await this.#disk.syncDirectory(this.directory)
    return aside
  }

  /** Puts the last good version in the place of the document. */
  async restore(id: string): Promise<void> {
    await this.#replace(this.goodFileOf(id), await this.#fileOf(id))
    await this.#disk.syncDirectory(this.directory)
  }

  async remove(id: string): Promise<boolean> {
    const names = new Set(await this.#disk.names(this.directory))
    const own = [`${encodeName(id)}${ENDING}`, `${encodeName(id)}.good`].filter((name) => names.has(name))
    const named = `${id}${ENDING}`
    const isTheirs = isForeignName(id) && names.has(named) && (await this.#at(named, id)).type !== 'nothing'
    const files = [...own, ...(isTheirs ? [named] : [])].map((name) => join(this.directory, name))
    const all = [...files, ...(await this.asideOf(id))]
    for (const file of all) await this.#disk.remove(file)
    if (all.length > 0) await this.#disk.syncDirectory(this.directory)
    return all.length > 0
  }

  /** Removes what was being written when a process died. Only while nobody writes. */
  async removeLeftovers(): Promise<void> {
    for (const name of await this.#disk.names(this.directory))
      if (name.startsWith(TEMPORARY)) await this.#disk.remove(join(this.directory, name))
  }

  /** The file of a session: under our name, or under the id itself if another program wrote it and we did not. */
  async #fileOf(id: string): Promise<string> {
    const own = `${encodeName(id)}${ENDING}`
    if (!isForeignName(id)) return join(this.directory, own)
    // By the names in the directory: where case does not count, opening a file may find the one of another session.
    const names = await this.#disk.names(this.directory)
    const isForeign = !names.includes(own) && names.includes(`${id}${ENDING}`)
    return join(this.directory, isForeign ? `${id}${ENDING}` : own)
  }

  /** A name that was cut does not have the whole id, and one that is not ours need not be a document: their files say. */
  async #sessionOf(name: string): Promise<string | undefined> {
    const decoded = decodeName(name)
    if (decoded !== undefined && decoded !== 'cut') return decoded.id
    if (decoded === undefined)
      return isForeignName(name) && (await this.#at(`${name}${ENDING}`, name)).type !== 'nothing' ? name : undefined
    for (const file of [`${name}${ENDING}`, `${name}.good`]) {
      const found = await this.#at(file)
      if (found.type === 'document' && encodeName(found.document.session_id) === name) return found.document.session_id
    }
    return undefined
  }

  #at(name: string, id?: string): Promise<FileContent> {
    return this.#read(join(this.directory, name), id)
  }

  async #read(file: string, id?: string): Promise<FileContent> {
    const bytes = await this.#disk.read(file, BYTES_MAX)
    if (bytes === undefined) return { type: 'nothing' }
    try {
      const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
      // A whole JSON file of another program that is called like a session is not a damaged document.
      const said = isPlainObject(value) ? value['session_id'] : undefined
      if (basename(file) === `${id}${ENDING}` && isForeignName(id ?? '') && said !== id) return { type: 'nothing' }
      const document = parseDocument(value)
      if (id !== undefined && document.session_id !== id)
        return { type: 'damaged', reason: `it is the document of ${quote(document.session_id)}` }
      return { type: 'document', document }
    } catch (error) {
      if (MemoryError.is(error, 'store/newer-schema')) throw error
      return { type: 'damaged', reason: error instanceof Error ? error.message : String(error) }
    }
  }

  async #replace(from: string, to: string): Promise<void> {
    const temporary = this.#temporary()
    await this.#disk.copy(from, temporary)
    await this.#disk.rename(temporary, to)
    // Renaming one name of a file over another of the same file does nothing, and leaves both.
    await this.#disk.remove(temporary)
  }

  #temporary(): string {
    return join(this.directory, `${TEMPORARY}${randomUUID()}`)
  }
}
