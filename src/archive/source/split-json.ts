import type { ImportLimits, Skipped } from '../../api/imports.ts'

/**
 * One JSON document of a stream, as bytes, or why there is none. It has a line where documents stand on lines, an item where they
 * are items of one list, and neither where the whole file is one.
 */
export type Piece = { readonly line?: number; readonly item?: number; readonly bytes: number } & (
  | { readonly text: Buffer }
  | { readonly reason: Skipped['reason']; readonly message: string }
)

const [NUL, NEWLINE, QUOTE, COMMA, BACKSLASH] = [0x00, 0x0a, 0x22, 0x2c, 0x5c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT, COLON] = [0x5b, 0x5d, 0x7b, 0x7d, 0x3a]

/**
 * Cuts a stream into JSON documents: the items of one list, or documents one after another, each on its line or over many. Never
 * holds more than one document up to its limit: what is longer is counted and let go. Where a line ends in the middle of a
 * document, as after a crash, the next line begins a new one.
 */
export async function* splitJSON(
  chunks: AsyncIterable<Uint8Array>,
  limits: Pick<ImportLimits, 'recordBytesMax' | 'depthMax'>,
): AsyncGenerator<Piece, undefined> {
  const cutter = new Cutter(limits)
  for await (const chunk of chunks) yield* cutter.take(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
  yield* cutter.end()
}

class Cutter {
  readonly #limits: Pick<ImportLimits, 'recordBytesMax' | 'depthMax'>
  /** 1 inside the list that is the whole file, 0 elsewhere; unknown before the first byte that counts. */
  #base: 0 | 1 | undefined
  /** Documents were found to end with their lines. */
  #byLine = false
  #line = 1
  #item = 0
  #depth = 0
  #inString = false
  #escaped = false
  /** The last byte that is no white space: tells a line that goes on from one that was cut. */
  #last = 0
  #started = false
  #startLine = 1
  #inList = false
  #deepest = 0
  #bytes = 0
  #held: Buffer[] = []
  #nul = false

  constructor(limits: Pick<ImportLimits, 'recordBytesMax' | 'depthMax'>) {
    this.#limits = limits
  }

  *take(chunk: Buffer): Generator<Piece, undefined> {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      if (this.#started && this.#inString && !this.#escaped) at = plainUntil(chunk, at, this.#nul)
      const byte = chunk[at]
      if (byte === undefined) break
      if (this.#nul && !this.#started && byte !== NUL && !isSpace(byte)) yield this.#nulBlock()
      if (this.#started && byte === NEWLINE && this.#endsWithLine(chunk, at)) {
        this.#hold(chunk, from, at)
        yield this.#cut()
      } else if (this.#started) {
        const done = this.#step(byte)
        if (done !== undefined) {
          this.#hold(chunk, from, done === 'before' ? at : at + 1)
          yield this.#cut()
        }
      } else if (this.#begins(byte)) {
        from = at
        this.#step(byte)
      }
      if (byte === NEWLINE) this.#line += 1
    }
    if (this.#started) this.#hold(chunk, from, chunk.length)
  }

  *end(): Generator<Piece, undefined> {
    if (this.#started) yield this.#cut()
    else if (this.#nul) yield this.#nulBlock()
  }

  #nulBlock(): Piece {
    this.#nul = false
    return this.#refused('nul-bytes', 'a block of NUL bytes')
  }

  /** Outside of any document: whether this byte begins one. */
  #begins(byte: number): boolean {
    if (isSpace(byte) || byte === 0xef || byte === 0xbb || byte === 0xbf) return false
    if (byte === NUL) {
      if (!this.#nul) this.#startLine = this.#line
      this.#nul = true
      return false
    }
    if (this.#base === undefined && byte === OPEN_LIST) {
      this.#base = 1
      return false
    }
    this.#base ??= 0
    if (this.#base === 1 && (byte === COMMA || byte === CLOSE_LIST)) {
      if (byte === CLOSE_LIST) this.#base = 0
      return false
    }
    this.#started = true
    this.#startLine = this.#line
    this.#inList = this.#base === 1
    this.#item += 1
    this.#depth = 0
    this.#deepest = 0
    this.#bytes = 0
    this.#inString = false
    this.#escaped = false
    return true
  }

  /** One byte of a document; says when it was the last, or the first that no longer belongs to it. */
  #step(byte: number): 'with' | 'before' | undefined {
    if (byte === NUL) this.#nul = true
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false
      else if (byte === BACKSLASH) this.#escaped = true
      else if (byte === QUOTE) {
        this.#inString = false
        this.#last = byte
      }
      return undefined
    }
    if (isSpace(byte)) return undefined
    this.#last = byte
    switch (byte) {
      case QUOTE:
        this.#inString = true
        return undefined
      case OPEN_LIST:
      case OPEN_OBJECT:
        this.#depth += 1
        if (this.#depth > this.#deepest) this.#deepest = this.#depth
        return undefined
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        // The bracket that ends the whole list ends a bare number before it, too.
        if (this.#depth === 0) {
          if (this.#base === 1 && byte === CLOSE_LIST) this.#base = 0
          return 'before'
        }
        this.#depth -= 1
        return this.#depth === 0 ? 'with' : undefined
      case COMMA:
        return this.#depth === 0 && this.#base === 1 ? 'before' : undefined
      default:
        return undefined
    }
  }

  /** A line ends inside a document: whether that is the end of it. */
  #endsWithLine(chunk: Buffer, at: number): boolean {
    if (this.#base === 1) return false
    // A line break cannot stand in a string of JSON.
    if (this.#byLine || this.#inString || this.#depth === 0) return true
    const next = chunk[at + 1]
    const goesOn = [OPEN_LIST, OPEN_OBJECT, COMMA, COLON].includes(this.#last)
    return next === OPEN_OBJECT && !goesOn && this.#startLine === this.#line
  }

  #hold(chunk: Buffer, from: number, to: number): void {
    this.#bytes += to - from
    if (this.#bytes > this.#limits.recordBytesMax) this.#held = []
    // Copied: the stream may use its memory again.
    else this.#held.push(Buffer.from(chunk.subarray(from, to)))
  }

  #cut(): Piece {
    const text = Buffer.concat(this.#held)
    const torn = this.#depth > 0 || this.#inString
    const [deepest, nul, bytes] = [this.#deepest, this.#nul, this.#bytes]
    if (this.#base === 0 && this.#startLine === this.#line) this.#byLine = true
    this.#held = []
    this.#started = false
    this.#nul = false
    if (bytes > this.#limits.recordBytesMax)
      return this.#refused('too-large', `${bytes} bytes, expected at most ${this.#limits.recordBytesMax}`)
    if (nul) return this.#refused('nul-bytes', 'NUL bytes in the middle of JSON')
    if (torn) return this.#refused('torn', 'incomplete JSON')
    if (deepest > this.#limits.depthMax)
      return this.#refused('too-deep', `${deepest} levels, expected at most ${this.#limits.depthMax}`)
    return { ...this.#where(), text }
  }

  #refused(reason: Skipped['reason'], message: string): Piece {
    return { ...this.#where(), reason, message }
  }

  #where(): { readonly line?: number; readonly item?: number; readonly bytes: number } {
    const place = this.#inList ? { item: this.#item } : this.#byLine ? { line: this.#startLine } : {}
    return { ...place, bytes: this.#bytes }
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09
}

/** The next byte of a string that means something. Most of any export is inside of strings; one NUL in them says all that NULs say. */
function plainUntil(chunk: Buffer, from: number, nulKnown: boolean): number {
  let at = from
  for (; at < chunk.length; at++) {
    const byte = chunk[at]
    if (byte === QUOTE || byte === BACKSLASH || byte === NEWLINE || (byte === NUL && !nulKnown)) break
  }
  return at
}
