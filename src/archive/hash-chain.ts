import { createHash } from 'node:crypto'

/** What comes before the first record's hash. */
const NO_HASH: string = '0'.repeat(64)
/** `{"hash":"…64…",`: exactly so, in every line. */
const PREFIX = '{"hash":"'
const END = '"kind":"end",'
const CONTENT_AT = PREFIX.length + 64 + 2

/**
 * A record's hash covers its own bytes and the hash before it. So a byte that changed shows in its line, and a line that is
 * missing, added or moved shows at its place, before anything after it is believed.
 */
function hashOf(previous: string, content: string | Uint8Array): string {
  return createHash('sha256').update(previous).update(content).digest('hex')
}

/** Makes the lines of an archive. */
export class ChainWriter {
  readonly #whole = createHash('sha256')
  #previous = NO_HASH
  records = 0
  bytes = 0

  line(record: object): string {
    const content = JSON.stringify(record).slice(1)
    this.#previous = hashOf(this.#previous, content)
    const line = `${PREFIX}${this.#previous}",${content}\n`
    this.#whole.update(line)
    this.records += 1
    this.bytes += Buffer.byteLength(line)
    return line
  }

  /** The last line: how many there were before it, and the hash of all their bytes. */
  end(): string {
    return this.line({ kind: 'end', records: this.records, sha256: this.#whole.copy().digest('hex') })
  }
}

/** Checks the lines of an archive, in order. */
export class ChainReader {
  readonly #whole = createHash('sha256')
  #previous = NO_HASH
  records = 0
  /** Of all lines before the end, once it was read. */
  sha256 = ''

  /** The record of a line without its line end, or what is wrong. */
  open(line: Uint8Array): object | string {
    const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength)
    if (
      text.toString('latin1', 0, PREFIX.length) !== PREFIX ||
      text.toString('latin1', CONTENT_AT - 2, CONTENT_AT) !== '",'
    )
      return 'it does not begin with its hash'
    const content = text.subarray(CONTENT_AT)
    const found = hashOf(this.#previous, content)
    if (text.toString('latin1', PREFIX.length, CONTENT_AT - 2) !== found)
      return 'it was changed, or a line before it is missing'
    this.#previous = found
    if (content.toString('latin1', 0, END.length) === END) this.sha256 = this.#whole.copy().digest('hex')
    this.#whole.update(text).update('\n')
    this.records += 1
    try {
      const record = JSON.parse(`{${content.toString('utf8')}`) as unknown
      return typeof record === 'object' && record !== null ? record : 'it is not a record'
    } catch {
      return 'it is not JSON'
    }
  }
}
