import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { MemoryError } from '../domain/error.ts'
import { quote } from '../domain/refuse.ts'
import type { ContextDocument } from '../api/document.ts'
import { parseDocument } from '../state/document/parse.ts'
import type { Disk } from './disk.ts'
import { encodeName } from './names.ts'

/** Larger than any document that is read by people; a file of this size is something else. */
const BYTES_MAX = 64 * 1024 * 1024
const ENDING = '.json'
/** What is being written begins with this. */
export const TEMPORARY = '.daybook-tmp-'

/** When a damaged file was put aside, as its name says it. */
const STAMP = /^[+-]?\d{4,6}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-[0-9a-f]{8}$/

/** What is in a file: a document, nothing, or something that is none. */
export type FileContent =
  | { readonly type: 'document'; readonly document: ContextDocument }
  | { readonly type: 'nothing' }
  | { readonly type: 'damaged'; readonly reason: string }

/** The files of a directory of documents. Each session has one, its last good version beside it, and perhaps damaged ones. */
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

  fileOf(id: string): string {
    return join(this.directory, `${encodeName(id)}${ENDING}`)
  }

  goodFileOf(id: string): string {
    return join(this.directory, `${encodeName(id)}.good`)
  }

  async make(): Promise<void> {
    await this.#disk.makeDirectory(this.directory)
  }

  /** Names of documents, without their ending. */
  async names(): Promise<readonly string[]> {
    return (await this.#disk.names(this.directory)).flatMap((name) =>
      name.endsWith(ENDING) && !name.startsWith('.') ? [name.slice(0, -ENDING.length)] : [],
    )
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

  /** @throws {MemoryError} `store/newer-schema`: what a newer version wrote is whole, and must be left alone. */
  async read(file: string, id?: string): Promise<FileContent> {
    const bytes = await this.#disk.read(file, BYTES_MAX)
    if (bytes === undefined) return { type: 'nothing' }
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
      const document = parseDocument(JSON.parse(text))
      if (id !== undefined && document.session_id !== id)
        return { type: 'damaged', reason: `it is the document of ${quote(document.session_id)}` }
      return { type: 'document', document }
    } catch (error) {
      if (MemoryError.is(error, 'store/newer-schema')) throw error
      return { type: 'damaged', reason: error instanceof Error ? error.message : String(error) }
    }
  }

  /** At no moment is there no whole file: the old one keeps its name until the new one is on the disk. */
  async write(id: string, document: ContextDocument, keepGood: boolean): Promise<void> {
    const bytes = Buffer.from(`${JSON.stringify(document, null, 2)}\n`)
    if (bytes.length > BYTES_MAX)
      throw new MemoryError(
        'input/too-large',
        `Cannot save ${quote(id)}: it has ${bytes.length} bytes, expected at most ${BYTES_MAX}`,
        { bytes: bytes.length, max: BYTES_MAX },
      )
    const temporary = this.#temporary()
    try {
      await this.#disk.write(temporary, bytes)
      if (keepGood) await this.#replace(this.fileOf(id), this.goodFileOf(id))
      await this.#disk.rename(temporary, this.fileOf(id))
    } catch (error) {
      // What stopped the write may stop this too: a leftover is ignored, and removed by `initialize`.
      await this.#disk.remove(temporary).catch(() => undefined)
      throw error
    }
    await this.#disk.syncDirectory(this.directory)
  }

  /** Puts the damaged file aside, under a name that says so. */
  async putAside(id: string, at: number): Promise<string> {
    const stamp = new Date(at).toISOString().replaceAll(/[:.]/g, '-')
    const aside = join(this.directory, `${encodeName(id)}.corrupt-${stamp}-${randomUUID().slice(0, 8)}`)
    await this.#disk.rename(this.fileOf(id), aside)
    await this.#disk.syncDirectory(this.directory)
    return aside
  }

  /** The last good version takes the place of the document. */
  async restore(id: string): Promise<void> {
    await this.#replace(this.goodFileOf(id), this.fileOf(id))
    await this.#disk.syncDirectory(this.directory)
  }

  async remove(id: string): Promise<boolean> {
    const names = new Set(await this.#disk.names(this.directory))
    const name = encodeName(id)
    const files = [`${name}${ENDING}`, `${name}.good`].filter((file) => names.has(file))
    const all = [...files.map((file) => join(this.directory, file)), ...(await this.asideOf(id))]
    for (const file of all) await this.#disk.remove(file)
    if (all.length > 0) await this.#disk.syncDirectory(this.directory)
    return all.length > 0
  }

  /** What was being written when somebody died. Only while nobody writes. */
  async removeLeftovers(): Promise<void> {
    for (const name of await this.#disk.names(this.directory))
      if (name.startsWith(TEMPORARY)) await this.#disk.remove(join(this.directory, name))
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
