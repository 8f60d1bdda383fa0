import { MemoryError } from '../domain/error.ts'
import { checkOptions } from '../domain/check-options.ts'
import { checkId } from '../domain/names.ts'
import { parseTime } from '../domain/moment.ts'
import { quote, refuse } from '../domain/refuse.ts'
import type { ContextDocument } from '../api/document.ts'
import { newDocument } from '../state/document/document.ts'
import { mergeDocuments } from '../state/document/merge.ts'
import { parseDocument } from '../state/document/parse.ts'
import { type Disk, diskError } from './disk.ts'
import { Folder } from './folder.ts'
import { withLock } from './lock.ts'
import { decodeName, encodeName } from './names.ts'
import { redacted } from './redacted.ts'

const policies = ['fail', 'overwrite', 'merge'] as const

export interface DocumentsOptions {
  /** How long to wait for others who write in this directory. @default 10,000 */
  readonly lockTimeoutMs?: number
  /** Sees every text before it is written, and answers with what is written instead: for what must not lie in a file. */
  readonly redact?: (text: string) => string
  /** Hears of damaged files when they are put aside, and of files that are no documents. */
  readonly onReport?: (report: DocumentReport) => void
  /** @default the system's */
  readonly clock?: { now(): number }
}

export interface DocumentReport {
  readonly type: 'corrupt' | 'foreign'
  readonly file: string
  readonly reason: string
  readonly session?: string
  /** Where a damaged file was put, and the last good version beside it. */
  readonly aside?: string
  readonly lastGood?: string | null
}

export interface SaveOptions {
  /**
   * What to do when somebody else saved since this document was loaded: nothing but an error, write over it, or bring both
   * together.
   *
   * @default 'fail'
   */
  readonly policy?: (typeof policies)[number]
}

type Checked = Required<Omit<DocumentsOptions, 'redact'>> & Pick<DocumentsOptions, 'redact'>

interface Current {
  readonly document: ContextDocument
  /** In a file, and not only what a new one would be. */
  readonly isThere: boolean
}

/** One file a session, for people who want files that they can read and put under version control. */
export class Documents {
  readonly directory: string
  readonly #folder: Folder
  readonly #options: Checked

  /** @internal Use `openDocuments(directory)`. */
  constructor(directory: string, options: DocumentsOptions, disk: Disk) {
    this.directory = directory
    this.#folder = new Folder(directory, disk)
    this.#options = checked(options)
  }

  /** Makes the directory, and removes what was being written when somebody died. Twice is fine; saving does it too. */
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
    const found = await this.#reading(attempt, () => this.#folder.read(this.#folder.fileOf(session), session))
    if (found.type === 'document') return found.document
    if (found.type === 'damaged') return (await this.#locked(attempt, () => this.#current(session, 'fail'))).document
    const aside = await this.#reading(attempt, () => this.#folder.asideOf(session))
    // Empty and damaged must never look alike.
    if (aside.length > 0) throw await this.#corrupt(session, aside.at(-1) ?? '', 'it was put aside before')
    return newDocument(session)
  }

  /** Answers with the document as it was saved, with its next version. */
  async save(document: ContextDocument, options: SaveOptions = {}): Promise<ContextDocument> {
    const attempt = 'save a document'
    checkOptions(attempt, options, ['policy'])
    const { policy = 'fail' } = options
    if (!policies.includes(policy)) refuse(attempt, 'policy', policy, policies.join(', '))
    const mine = parseDocument(JSON.parse(JSON.stringify(document)))
    const session = mine.session_id
    return this.#locked(attempt, async () => {
      const { document: theirs, isThere } = await this.#current(session, policy)
      const version = theirs.version ?? 0
      const isStale = (mine.version ?? 0) !== version
      if (isStale && policy === 'fail') throw conflict(session, mine.version ?? 0, version)
      const next = isStale && policy === 'merge' ? mergeDocuments(await this.#base(mine), theirs, mine) : mine
      const saved = {
        ...redacted(next, this.#options.redact),
        version: version + 1,
        updated_at: Math.floor(this.#options.clock.now() / 1000),
      }
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
    return this.#reading('list documents', async () => {
      const sessions: string[] = []
      for (const name of await this.#folder.names()) {
        const session = await this.#sessionOf(name)
        if (session !== undefined) sessions.push(session)
      }
      return sessions.toSorted()
    })
  }

  /** Brings back the last good version of a document whose file was damaged. The damaged one stays aside. */
  async restore(session: string): Promise<ContextDocument> {
    const attempt = 'restore a document'
    checkId(attempt, 'session', session)
    return this.#locked(attempt, async () => {
      const good = await this.#folder.read(this.#folder.goodFileOf(session), session)
      if (good.type !== 'document')
        throw new MemoryError('documents/corrupt', `Cannot ${attempt}: there is no good version of ${quote(session)}`, {
          session,
        })
      const found = await this.#folder.read(this.#folder.fileOf(session), session)
      if (found.type === 'document') return found.document
      if (found.type === 'damaged') await this.#putAside(session, found.reason)
      await this.#folder.restore(session)
      return good.document
    })
  }

  /** Deletes the documents that were last saved before a time. Answers with their sessions. */
  async expire(options: { readonly before: Date | string }): Promise<readonly string[]> {
    checkOptions('expire documents', options, ['before'])
    const before = parseTime('expire documents', 'before', options.before) / 1000
    const expired: string[] = []
    for (const session of await this.list()) {
      // A damaged one is told of, put aside and kept: nobody knows how old it is.
      const updated = await this.#savedAt(session)
      if (updated !== undefined && updated < before && (await this.delete(session))) expired.push(session)
    }
    return expired
  }

  async #savedAt(session: string): Promise<number | undefined> {
    try {
      return (await this.load(session)).updated_at
    } catch (error) {
      if (MemoryError.is(error, 'documents/corrupt')) return undefined
      throw error
    }
  }

  /** What is in the file now, under the lock. What is damaged is put aside first; only `overwrite` goes on then. */
  async #current(session: string, policy: (typeof policies)[number]): Promise<Current> {
    const found = await this.#folder.read(this.#folder.fileOf(session), session)
    if (found.type === 'document') return { document: found.document, isThere: true }
    const aside =
      found.type === 'damaged'
        ? await this.#putAside(session, found.reason)
        : (await this.#folder.asideOf(session)).at(-1)
    if (aside === undefined || policy === 'overwrite') return { document: newDocument(session), isThere: false }
    throw await this.#corrupt(session, aside, found.type === 'damaged' ? found.reason : 'it was put aside before')
  }

  async #putAside(session: string, reason: string): Promise<string> {
    const aside = await this.#folder.putAside(session, this.#options.clock.now())
    const lastGood = await this.#lastGood(session)
    this.#options.onReport({
      type: 'corrupt',
      file: this.#folder.fileOf(session),
      session,
      reason,
      aside,
      lastGood,
    })
    return aside
  }

  async #corrupt(session: string, aside: string, reason: string): Promise<MemoryError> {
    const lastGood = await this.#lastGood(session)
    const next = lastGood === null ? 'there is no earlier version' : 'restore() brings back its last good version'
    return new MemoryError(
      'documents/corrupt',
      `Cannot read the document of ${quote(session)}: ${reason}; the file is kept as ${quote(aside)}, ${next}`,
      { session, aside, lastGood },
    )
  }

  async #lastGood(session: string): Promise<string | null> {
    const file = this.#folder.goodFileOf(session)
    return (await this.#folder.read(file, session)).type === 'document' ? file : null
  }

  /** What this document began from, if that is the version before the one that is there. */
  async #base({ session_id: session, version = 0 }: ContextDocument): Promise<ContextDocument | undefined> {
    const good = await this.#folder.read(this.#folder.goodFileOf(session), session)
    return good.type === 'document' && good.document.version === version ? good.document : undefined
  }

  /** Of a name that was cut, the file says whose it is; and what it says must lead to that name. */
  async #sessionOf(name: string): Promise<string | undefined> {
    const decoded = decodeName(name)
    if (decoded !== undefined && decoded !== 'cut') return decoded.id
    const file = `${this.directory}/${name}.json`
    const found = decoded === 'cut' ? await this.#firstOf([file, `${this.directory}/${name}.good`]) : undefined
    if (found !== undefined && encodeName(found.session_id) === name) return found.session_id
    this.#options.onReport({ type: 'foreign', file, reason: 'its name is not one of ours' })
    return undefined
  }

  async #firstOf(files: readonly string[]): Promise<ContextDocument | undefined> {
    for (const file of files) {
      const found = await this.#folder.read(file)
      if (found.type === 'document') return found.document
    }
    return undefined
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

function checked(options: DocumentsOptions): Checked {
  const attempt = 'open documents'
  checkOptions(attempt, options, ['lockTimeoutMs', 'redact', 'onReport', 'clock'])
  const { lockTimeoutMs = 10_000, redact, onReport = () => undefined, clock = { now: Date.now } } = options
  if (!Number.isSafeInteger(lockTimeoutMs) || lockTimeoutMs < 0)
    refuse(attempt, 'lockTimeoutMs', lockTimeoutMs, 'a whole number, 0 or greater')
  if (redact !== undefined && typeof redact !== 'function') refuse(attempt, 'redact', redact, 'a function')
  if (typeof onReport !== 'function') refuse(attempt, 'onReport', onReport, 'a function')
  return { lockTimeoutMs, onReport, clock, ...(redact === undefined ? {} : { redact }) }
}
