import type { VectorBlock } from './kernel.ts'

/** What the WebAssembly kernel does, where there is none: whole numbers exact, then the same two roundings to 32 bits. */
export function plainScore(
  buffer: ArrayBuffer,
  { codes, scales, count }: VectorBlock,
  { query, results, stride }: { readonly query: number; readonly results: number; readonly stride: number },
): void {
  const rows = new Int8Array(buffer, codes, count * stride)
  const wanted = new Int16Array(buffer, query, stride)
  const factors = new Float32Array(buffer, scales, count)
  const scores = new Float32Array(buffer, results, count)
  for (let row = 0, at = 0; row < count; row++) {
    let product = 0
    for (let index = 0; index < stride; index++, at++) product += (rows[at] ?? 0) * (wanted[index] ?? 0)
    scores[row] = Math.fround(product) * (factors[row] ?? 0)
  }
}
