import { MemoryError } from '../domain/error.ts'
import { checkId } from '../domain/names.ts'
import { quote } from '../domain/refuse.ts'
import { anObject, mayHave } from '../shape/object.ts'
import type { Shape } from '../shape/shape.ts'
import { aFlag, aWholeNumber, unchecked } from '../shape/values.ts'
import type { ContextDocument } from '../api/document.ts'
import { newDocument } from '../state/document/document.ts'
import { parseDocument } from '../state/document/parse.ts'
import { type Disk, diskError } from './disk.ts'
import { Folder } from './folder.ts'
import { withLock } from './lock.ts'

export interface DocumentsOptions {
  /** How long to wait for other writers in this directory, in milliseconds. @default 10,000 */
  readonly lockTimeoutMs?: number
  /** @default the system's */
  readonly clock?: { now(): number }
}

export interface SaveOptions {
  /** Save even if the document was saved by somebody else since it was loaded, or if its file is damaged. @default false */
  readonly overwrite?: boolean
}

const OPTIONS: Shape<DocumentsOptions> = anObject<DocumentsOptions>(undefined, {
  lockTimeoutMs: mayHave(aWholeNumber, 'How long to wait for other writers, in milliseconds', '10,000'),
  clock: mayHave(unchecked('a clock'), 'The clock', "the system's"),
})

const SAVE_OPTIONS: Shape<SaveOptions> = anObject<SaveOptions>(undefined, {
  overwrite: mayHave(aFlag, 'Save even if somebody else has saved since', 'false'),
})

interface Current {
  readonly document: ContextDocument
  /** Whether it is in a file; otherwise it is a new document. */
  readonly isThere: boolean
}

/** One file per session, for people who want files that they can read and put under version control. */
export class Documents {
  readonly directory: string
  readonly #folder: Folder
  readonly #options: Required<DocumentsOptions>

  /** @internal Use `openDocuments(directory)`. */
  constructor(directory: string, options: DocumentsOptions, disk: Disk) {
    this.directory = directory
    this.#folder = new Folder(directory, disk)
    this.#options = checked(options)
  }

  /** Makes the directory, and removes what was being written when a process died. Can be called again; saving does it too. */
  async initialize(): Promise<void> {
    await this.#locked('initialize the documents', () => this.#folder.removeLeftovers())
  }

  /**
   * The document of a session; a new one if there is none.
   *
   * @throws {MemoryError} `documents/corrupt` if the file is no document. It is put aside, never deleted; `restore` brings the
   * last good version back.
   */
  async load(session: string): Promise<ContextDocument> {
    const attempt = 'load a document'
    checkId(attempt, 'session', session)
    const found = await this.#reading(attempt, () => this.#folder.read(session))
    if (found.type === 'document') return found.document
    if (found.type === 'damaged') return (await this.#locked(attempt, () => this.#current(session, false))).document
    const aside = await this.#reading(attempt, () => this.#folder.asideOf(session))
    // Empty and damaged must never look alike.
    if (aside.length > 0) throw await this.#corrupt(session, aside.at(-1) ?? '', 'it was moved aside earlier')
    return newDocument(session)
  }

  /**
   * Saves a document and returns it with its next version.
   *
   * @throws {MemoryError} `documents/conflict` if somebody else saved it since it was loaded.
   */
  async save(document: ContextDocument, options: SaveOptions = {}): Promise<ContextDocument> {
    const attempt = 'save a document'
    SAVE_OPTIONS.check(attempt, '', options)
    const { overwrite = false } = options
    const mine = parseDocument(JSON.parse(JSON.stringify(document)))
    const session = mine.session_id
    return this.#locked(attempt, async () => {
      const { document: theirs, isThere } = await this.#current(session, overwrite)
      const version = theirs.version ?? 0
      if (!overwrite && (mine.version ?? 0) !== version) throw conflict(session, mine.version ?? 0, version)
      const saved = { ...mine, version: version + 1, updated_at: Math.floor(this.#options.clock.now() / 1000) }
      await this.#folder.write(session, saved, isThere)
      return saved
    })
  }

  /** Removes a document with all that belongs to it, also what was put aside. `false` if there was nothing. */
  async delete(session: string): Promise<boolean> {
    checkId('delete a document', 'session', session)
    return this.#locked('delete a document', () => this.#folder.remove(session))
  }

  /** The sessions that have a document, sorted. */
  async list(): Promise<readonly string[]> {
    return this.#reading('list documents', async () => [...(await this.#folder.sessions())].toSorted())
  }

  /** Brings back the last good version of a document whose file was damaged. The damaged file stays aside. */
  async restore(session: string): Promise<ContextDocument> {
    const attempt = 'restore a document'
    checkId(attempt, 'session', session)
    return this.#locked(attempt, async () => {
      const good = await this.#folder.readGood(session)
      if (good.type !== 'document')
        throw new MemoryError('documents/corrupt', `Cannot ${attempt}: there is no good version of ${quote(session)}`, {
          session,
        })
      const found = await this.#folder.read(session)
      if (found.type === 'document') return found.document
      if (found.type === 'damaged') await this.#folder.putAside(session, this.#options.clock.now())
      await this.#folder.restore(session)
      return good.document
    })
  }

  /** What is in the file now, under the lock. A damaged file is put aside first; then only overwriting continues. */
  async #current(session: string, overwrite: boolean): Promise<Current> {
    const found = await this.#folder.read(session)
    if (found.type === 'document') return { document: found.document, isThere: true }
    const aside =
      found.type === 'damaged'
        ? await this.#folder.putAside(session, this.#options.clock.now())
        : (await this.#folder.asideOf(session)).at(-1)
    if (aside === undefined || overwrite) return { document: newDocument(session), isThere: false }
    throw await this.#corrupt(session, aside, found.type === 'damaged' ? found.reason : 'it was moved aside earlier')
  }

  async #corrupt(session: string, aside: string, reason: string): Promise<MemoryError> {
    const isGood = (await this.#folder.readGood(session)).type === 'document'
    const next = isGood ? 'restore() brings back its last good version' : 'there is no earlier version'
    return new MemoryError(
      'documents/corrupt',
      `Cannot read the document of ${quote(session)}: ${reason}; the file is kept as ${quote(aside)}, ${next}`,
      { session, aside, lastGood: isGood ? this.#folder.goodFileOf(session) : null },
    )
  }

  #locked<Result>(attempt: string, work: () => Promise<Result>): Promise<Result> {
    return this.#reading(attempt, async () => {
      await this.#folder.make()
      return withLock(this.#folder.lockFile, this.#options.lockTimeoutMs, work)
    })
  }

  async #reading<Result>(attempt: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw diskError(attempt, error)
    }
  }
}

function conflict(session: string, expected: number, found: number): MemoryError {
  return new MemoryError(
    'documents/conflict',
    `Cannot save the document of ${quote(session)}: it is at version ${found}, expected ${expected}`,
    { session, expected, found },
  )
}

function checked(options: DocumentsOptions): Required<DocumentsOptions> {
  OPTIONS.check('open documents', '', options)
  const { lockTimeoutMs = 10_000, clock = { now: Date.now } } = options
  return { lockTimeoutMs, clock }
}
