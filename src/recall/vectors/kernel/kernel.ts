import { plainScore } from './plain-score.ts'
import { scoreModule } from './score-module.ts'

/** Where a block of vectors lies in the memory, in bytes, and where its results go. */
export interface VectorBlock {
  readonly codes: number
  readonly scales: number
  readonly count: number
}

/** What scores quantised vectors: its memory, and the one thing it can do. */
export interface Kernel {
  readonly kind: 'simd' | 'plain'
  /** Of now: a memory that grew is another buffer. */
  buffer(): ArrayBuffer
  /** Makes room for so many bytes in all. Throws `RangeError` if there is none. */
  grow(bytes: number): void
  /** Scores a block against the query, `stride` numbers of 16 bits at `query`, into 32-bit floats at `results`. */
  score(block: VectorBlock, query: number, results: number, stride: number): void
}

const PAGE_BYTES = 65_536
/** 2 GiB: addresses stay whole numbers with a sign. */
const PAGES_MAX = 32_768

/** The part of WebAssembly that is used: its types come with the DOM's, which nothing else here needs. */
interface WebAssemblyHost {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> }
  readonly Memory: new (pages: { initial: number; maximum: number }) => {
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  validate(bytes: Uint8Array<ArrayBuffer>): boolean
}

/** As `score-module.ts` says. */
type Score = (
  ...values: [codes: number, query: number, scales: number, results: number, count: number, stride: number]
) => void

/** With SIMD where there is WebAssembly that has it, else in plain JavaScript: the same results, to the bit. */
export function openKernel(): Kernel {
  const host = (globalThis as { readonly WebAssembly?: WebAssemblyHost }).WebAssembly
  return (host === undefined ? undefined : simdKernel(host)) ?? plainKernel()
}

function simdKernel(host: WebAssemblyHost): Kernel | undefined {
  const module = scoreModule()
  if (!host.validate(module)) return undefined
  const memory = new host.Memory({ initial: 1, maximum: PAGES_MAX })
  const score = new host.Instance(new host.Module(module), { host: { memory } }).exports['score'] as Score
  return {
    kind: 'simd',
    buffer: () => memory.buffer,
    grow: (bytes) => {
      const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES)
      if (missing > 0) memory.grow(missing)
    },
    score: ({ codes, scales, count }, query, results, stride) => score(codes, query, scales, results, count, stride),
  }
}

export function plainKernel(): Kernel {
  let buffer = new ArrayBuffer(PAGE_BYTES)
  return {
    kind: 'plain',
    buffer: () => buffer,
    grow: (bytes) => {
      if (bytes > buffer.byteLength) buffer = buffer.transfer(Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES)
    },
    score: (block, query, results, stride) => plainScore(buffer, block, { query, results, stride }),
  }
}
