/** Whole numbers one after the other, seven bits a byte: small ones are short. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(1_024)
  #length = 0

  get length(): number {
    return this.#length
  }

  number(value: number): void {
    this.#makeRoom(8)
    let rest = value
    while (rest >= 128) {
      const low = rest % 128
      this.#bytes[this.#length++] = low + 128
      rest = (rest - low) / 128
    }
    this.#bytes[this.#length++] = rest
  }

  bytes(more: Uint8Array): void {
    this.#makeRoom(more.length)
    this.#bytes.set(more, this.#length)
    this.#length += more.length
  }

  /** What was written, until more is. */
  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  empty(): void {
    this.#length = 0
  }

  /** A copy of what was written; then it begins again. */
  take(): Uint8Array {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#length))
    this.#length = 0
    return taken
  }

  #makeRoom(more: number): void {
    const needed = this.#length + more
    if (needed > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes], Math.max(needed, this.#bytes.length * 2))
  }
}
