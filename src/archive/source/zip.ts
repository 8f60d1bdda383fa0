import { type Entry, type ZipFile, openPromise } from 'yauzl'
import type { ImportLimits, Skipped } from '../../api/imports.ts'
import { type ImportedItem, skip } from '../importers/imported-item.ts'
import { type Beside, type BesideFile, besideId, readUpTo } from './beside.ts'
import type { SourceFile } from './open-source.ts'

/** So much may come out of an entry before its ratio counts: small files of equal bytes pack well, and harm nobody. */
const BYTES_FREE = 1024 * 1024

/** An entry that is not what it says, or larger than it may be. */
export class EntryError extends Error {
  readonly reason: Skipped['reason']

  constructor(reason: Skipped['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * The files in a zip, one after another, nothing unpacked to disk. Sizes are counted as they come out: what the zip says of itself
 * is not believed.
 */
export async function* zipFiles(
  path: string,
  name: string,
  limits: Pick<ImportLimits, 'filesMax' | 'ratioMax'>,
): AsyncGenerator<SourceFile | ImportedItem, undefined> {
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true, decodeStrings: false })
  const beside = new ZipBeside(path, limits)
  try {
    let count = 0
    for await (const entry of zip.eachEntry()) {
      count += 1
      const file = nameOf(entry)
      if (count > limits.filesMax) {
        yield skip({ file }, 'too-large', `more than ${limits.filesMax} entries in ${name}`)
        return
      }
      if (file.endsWith('/')) continue
      yield entry.isEncrypted()
        ? skip({ file }, 'unreadable', 'an encrypted entry')
        : { name: file, chunks: unpack(zip, entry, limits.ratioMax), beside }
    }
  } catch (error) {
    yield skip({ file: name }, 'torn', error instanceof Error ? error.message : String(error))
  } finally {
    zip.close()
    await beside.close()
  }
}

/** The entries that messages may point to. Listed when the first is asked for, by a handle of its own: the other one is reading. */
class ZipBeside implements Beside {
  readonly #path: string
  readonly #limits: Pick<ImportLimits, 'filesMax' | 'ratioMax'>
  #listed: Promise<{ readonly zip: ZipFile; readonly entries: ReadonlyMap<string, Entry> }> | undefined

  constructor(path: string, limits: Pick<ImportLimits, 'filesMax' | 'ratioMax'>) {
    this.#path = path
    this.#limits = limits
  }

  async find(id: string): Promise<BesideFile | undefined> {
    this.#listed ??= this.#list()
    const { zip, entries } = await this.#listed
    const entry = entries.get(id)
    return entry === undefined || entry.isEncrypted()
      ? undefined
      : {
          name: nameOf(entry),
          read: (bytesMax) => readUpTo(unpack(zip, entry, this.#limits.ratioMax), bytesMax),
        }
  }

  async close(): Promise<void> {
    const listed = await this.#listed?.catch(() => undefined)
    listed?.zip.close()
  }

  async #list(): Promise<{ readonly zip: ZipFile; readonly entries: ReadonlyMap<string, Entry> }> {
    const zip = await openPromise(this.#path, { autoClose: false, lazyEntries: true, decodeStrings: false })
    const entries = new Map<string, Entry>()
    let count = 0
    try {
      for await (const entry of zip.eachEntry()) {
        count += 1
        if (count > this.#limits.filesMax) break
        const id = besideId(nameOf(entry))
        if (id !== undefined && !entries.has(id)) entries.set(id, entry)
      }
    } catch {
      // Whoever reads the zip tells of it; what was listed up to there can be found.
    }
    return { zip, entries }
  }
}

/** Names are shown and never opened, so that one that climbs out of its folder harms nobody, and the rest of the zip is read. */
function nameOf({ fileName }: Entry): string {
  const raw: unknown = fileName
  return Buffer.isBuffer(raw) ? raw.toString('utf8') : String(raw)
}

async function* unpack(zip: ZipFile, entry: Entry, ratioMax: number): AsyncGenerator<Uint8Array, undefined> {
  const most = Math.max(BYTES_FREE, entry.compressedSize * ratioMax)
  let bytes = 0
  const stream = await zip.openReadStreamPromise(entry)
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > most)
      throw new EntryError(
        'unpacks-too-large',
        `over ${most} bytes unpacked from ${entry.compressedSize}, so it was not read`,
      )
    yield chunk
  }
}
