import type { DiskCall } from './journal.ts'
import type { Random } from './random.ts'

const SECTOR_BYTES = 512

type Change = Extract<DiskCall, { readonly kind: 'write' | 'truncate' }>

/**
 * A disk that keeps what was synced and may lose the rest. Contents of a file are safe after its sync; its name, and the
 * removal of a name, after a sync of the folder.
 */
export class Disk {
  readonly #folder: string
  readonly #safe = new Map<string, Contents>()
  readonly #now = new Map<string, Contents>()
  #names: { readonly name: string; readonly contents: Contents | undefined }[] = []

  /** @param folder - the name under which syncs of the folder are journalled */
  constructor(folder: string) {
    this.#folder = folder
  }

  apply(call: DiskCall): void {
    if (call.kind === 'ack' || call.kind === 'other') return
    if (call.kind === 'unlink') return this.#name(call.file, undefined)
    if (call.kind === 'sync') return call.file === this.#folder ? this.#syncNames() : this.#now.get(call.file)?.sync()
    if (!this.#now.has(call.file)) this.#name(call.file, new Contents())
    this.#now.get(call.file)?.change(call)
  }

  /** What is there when the power comes back: one of the many states that the syncs allow. */
  afterCut(random: Random): ReadonlyMap<string, Buffer> {
    const names = new Map(this.#safe)
    for (const { name, contents } of this.#names.slice(0, random.below(this.#names.length + 1)))
      put(names, name, contents)
    const kept = random.pick([0, 0.5, 0.9, 1])
    return new Map([...names].map(([name, contents]) => [name, contents.afterCut(random, kept)]))
  }

  #name(name: string, contents: Contents | undefined): void {
    put(this.#now, name, contents)
    this.#names.push({ name, contents })
  }

  #syncNames(): void {
    for (const { name, contents } of this.#names) put(this.#safe, name, contents)
    this.#names = []
  }
}

function put(names: Map<string, Contents>, name: string, contents: Contents | undefined): void {
  if (contents === undefined) names.delete(name)
  else names.set(name, contents)
}

/** The contents of one file: what is safe, and what was changed since. */
class Contents {
  #safe: Bytes = new Bytes()
  #changes: Change[] = []

  change(change: Change): void {
    this.#changes.push(change)
  }

  sync(): void {
    for (const change of this.#changes) this.#safe.apply(change)
    this.#changes = []
  }

  afterCut(random: Random, kept: number): Buffer {
    const bytes = this.#safe.copy()
    for (const change of this.#changes) {
      if (!random.chance(kept)) continue
      bytes.apply(change.kind === 'write' && random.chance(0.1) ? torn(change, random) : change)
    }
    return bytes.view()
  }
}

/** The sectors of a write reach the disk one by one. */
function torn(change: Change & { readonly kind: 'write' }, random: Random): Change {
  const sectors = Math.floor(change.bytes.length / SECTOR_BYTES)
  return { ...change, bytes: change.bytes.subarray(0, random.below(sectors + 1) * SECTOR_BYTES) }
}

/** Bytes that grow. */
class Bytes {
  #buffer: Buffer
  #length: number

  constructor(buffer: Buffer = Buffer.alloc(0)) {
    this.#buffer = buffer
    this.#length = buffer.length
  }

  apply(change: Change): void {
    if (change.kind === 'truncate') return this.#resize(change.length)
    if (change.bytes.length === 0) return
    this.#resize(Math.max(this.#length, change.offset + change.bytes.length))
    change.bytes.copy(this.#buffer, change.offset)
  }

  copy(): Bytes {
    return new Bytes(Buffer.from(this.view()))
  }

  view(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  #resize(length: number): void {
    if (length > this.#buffer.length) {
      const larger = Buffer.alloc(length * 2)
      this.view().copy(larger)
      this.#buffer = larger
    } else if (length > this.#length) {
      this.#buffer.fill(0, this.#length, length)
    }
    this.#length = length
  }
}
