import { Turns } from '../log/turns.ts'
import { defined } from '../domain/defined.ts'
import type { ImportFormat } from '../domain/import-format.ts'
import type { ImportLimits, ImportLocation, Mapping } from '../api/imports.ts'
import { field, isArray } from '../dialects/canonical/json.ts'
import { withAttachments } from './attachments.ts'
import { formatNamed, recogniseFormat } from './importers/formats.ts'
import type { Format } from './importers/format.ts'
import { type ImportedItem, skip } from './importers/imported-item.ts'
import { mappedFormat } from './importers/mapping.ts'
import { besideId } from './source/beside.ts'
import { ARCHIVE_FORMAT } from './records.ts'
import { type SourceFile, openSource } from './source/open-source.ts'
import { type Piece, splitJSON } from './source/split-json.ts'
import { EntryError } from './source/zip.ts'

/** A format is told by its first records: later ones look the same, or are none of it. */
const SAMPLE_RECORDS = 20
const SAMPLE_BYTES = 8 * 1024 * 1024
/** A file of which no line in its beginning opens a list or an object is no JSON. */
const BEGINNING_BYTES = 64 * 1024

export interface ReadSourceOptions {
  /** Read everything as this, and ask nothing. */
  readonly format?: ImportFormat
  /** Read everything by this, and ask nothing. */
  readonly mapping?: Mapping
  /** What a conversation without a name is called. @default after its file */
  readonly session?: string
  readonly limits: ImportLimits
  /** What one message may have. */
  readonly messageBytesMax: number
  /** How many bytes were read so far. */
  readonly onBytes?: (bytes: number) => void
}

/** What a source holds, file by file, as it is read: nothing is held longer than a conversation takes. */
export type Read =
  | { readonly type: 'file'; readonly file: string; readonly format: ImportFormat | null; readonly records: number }
  | (ImportedItem & { readonly format?: ImportFormat })

export async function* readSource(path: string, settings: ReadSourceOptions): AsyncGenerator<Read, undefined> {
  const budget = { left: settings.limits.bytesMax }
  for await (const file of openSource(path, settings.limits)) {
    if ('type' in file) yield file
    else yield* readFile(file, settings, budget)
  }
}

interface Budget {
  left: number
}

async function* readFile(
  file: SourceFile,
  settings: ReadSourceOptions,
  budget: Budget,
): AsyncGenerator<Read, undefined> {
  const reader = new FileReader(file, settings)
  try {
    for await (const piece of splitJSON(withinBudget(beginning(file.chunks), settings, budget), settings.limits))
      yield* attach(reader.take(piece), file, settings)
  } catch (error) {
    // What was read stands; what could not be is told. Faults of ours are not faults of the file.
    if (!(error instanceof EntryError)) throw error
    yield skip({ file: file.name }, error.reason, error.message)
  }
  yield* attach(reader.end(), file, settings)
}

async function* attach(
  found: Iterable<Read>,
  { beside }: SourceFile,
  { limits: { conversationBytesMax }, messageBytesMax }: ReadSourceOptions,
): AsyncGenerator<Read, undefined> {
  const turns = new Turns()
  for (const one of found) {
    if (one.type === 'pause') {
      if (turns.isOver) await turns.take()
    } else if (one.type !== 'conversation' || one.format !== 'chatgpt') yield one
    else
      for await (const whole of withAttachments(one.conversation, beside, {
        messageBytesMax,
        conversationBytesMax,
      }))
        yield { ...whole, format: one.format }
  }
}

/** Reads the records of one file, once it is clear what they are. */
class FileReader {
  readonly #file: SourceFile
  readonly #settings: ReadSourceOptions
  readonly #sample: { readonly record: unknown; readonly place: ImportLocation }[] = []
  #sampleBytes = 0
  #bytes = 0
  #records = 0
  #format: Format | undefined
  #reader: ReturnType<Format['open']> | undefined
  #settled = false
  #unknown = 'a format that Daybook cannot read'

  constructor(file: SourceFile, settings: ReadSourceOptions) {
    this.#file = file
    this.#settings = settings
    if (settings.mapping !== undefined) this.#settle(mappedFormat(settings.mapping))
    else if (settings.format !== undefined) this.#settle(formatNamed(settings.format))
  }

  *take(piece: Piece): Generator<Read, undefined> {
    const { line, item, bytes } = piece
    const place: ImportLocation = {
      file: this.#file.name,
      ...defined({ line, item }),
    }
    if ('reason' in piece) {
      yield skip(place, piece.reason, piece.message)
      return
    }
    const parsed = parse(piece.text)
    if (parsed === undefined) {
      yield skip(place, 'not-json', 'text that is not JSON')
      return
    }
    this.#records += 1
    this.#bytes += bytes
    if (this.#settled) yield* this.#pass(parsed.value, place)
    else {
      this.#sample.push({ record: parsed.value, place })
      this.#sampleBytes += bytes
      if (this.#sample.length >= SAMPLE_RECORDS || this.#sampleBytes >= SAMPLE_BYTES) yield* this.#recognise()
    }
  }

  *end(): Generator<Read, undefined> {
    if (!this.#settled) yield* this.#recognise()
    const [file, format] = [this.#file.name, this.#format?.name ?? null]
    // A picture or file that messages point to is nothing to be read by itself.
    const isAttachment = this.#records === 0 && besideId(file) !== undefined
    if (format !== null) yield* this.#named(this.#reader?.end() ?? [])
    else if (!isAttachment) yield skip({ file }, this.#records === 0 ? 'not-json' : 'unknown-format', this.#unknown)
    yield { type: 'file', file, format, records: this.#records }
  }

  *#recognise(): Generator<Read, undefined> {
    const records = this.#sample.map(({ record }) => record)
    this.#settle(recogniseFormat(records))
    this.#unknown = ownKind(records[0]) ?? this.#unknown
    for (const { record, place } of this.#sample.splice(0)) yield* this.#pass(record, place)
  }

  #settle(format: Format | undefined): void {
    this.#settled = true
    this.#format = format
    const name = this.#file.name
    this.#reader = format?.open({
      name,
      stem: this.#settings.session ?? name.replace(/(?<=[^/])\.(?:jsonl?|ndjson|txt)$/i, ''),
    })
  }

  *#pass(record: unknown, place: ImportLocation): Generator<Read, undefined> {
    const { conversationBytesMax: most } = this.#settings.limits
    if (this.#format?.gathers === true && this.#bytes > most)
      yield skip(place, 'too-large', `past the limit of ${most} bytes for one conversation`)
    else if (this.#reader !== undefined) yield* this.#named(this.#reader.take(record, place))
  }

  *#named(found: Iterable<ImportedItem>): Generator<Read, undefined> {
    const format = this.#format?.name
    for (const one of found) yield format === undefined ? one : { ...one, format }
  }
}

/** What is ours comes in by other ways: with its own trust, which nothing of another program gets. */
function ownKind(record: unknown): string | undefined {
  if (field(record, 'format') === ARCHIVE_FORMAT) return 'a Daybook archive: import it on its own, with memory.import'
  if (typeof field(record, 'session_id') === 'string' && isArray(field(record, 'recent_history')))
    return 'a Daybook document: import it with importDocument or "daybook import --documents"'
  return undefined
}

function parse(text: Buffer): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text.toString('utf8')) }
  } catch {
    return undefined
  }
}

/** Nothing of a file that does not look like JSON: pictures and pages are beside what an export says. */
async function* beginning(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  let read = 0
  let isJSON = false
  const held: Uint8Array[] = []
  for await (const chunk of chunks) {
    if (isJSON) yield chunk
    else {
      held.push(chunk)
      read += chunk.length
      isJSON = opensJSON(Buffer.concat(held))
      if (isJSON) yield* held.splice(0)
      else if (read >= BEGINNING_BYTES) return
    }
  }
}

function opensJSON(bytes: Buffer): boolean {
  return /(?:^|\n)(?:(?!\n)[\s\0])*[[{]/.test(bytes.subarray(0, BEGINNING_BYTES).toString('utf8'))
}

/** Whatever goes wrong in here is the file's: reported with the rest of what was found, and the next file is read. */
async function* withinBudget(
  chunks: AsyncIterable<Uint8Array>,
  { limits, onBytes }: ReadSourceOptions,
  budget: Budget,
): AsyncGenerator<Uint8Array, undefined> {
  try {
    for await (const chunk of chunks) {
      budget.left -= chunk.length
      if (budget.left < 0) throw new EntryError('too-large', 'past the limit of bytes that one import may read')
      onBytes?.(limits.bytesMax - budget.left)
      yield chunk
    }
  } catch (error) {
    if (error instanceof EntryError) throw error
    const isOfSystem = error instanceof Error && 'syscall' in error
    throw new EntryError(isOfSystem ? 'unreadable' : 'torn', error instanceof Error ? error.message : String(error))
  }
}
