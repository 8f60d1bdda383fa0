import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Arena } from '../../../src/recall/vectors/arena.ts'
import { CodeSet } from '../../../src/recall/vectors/code-set.ts'
import { assembleModule, instructions, repeatWhile } from '../../../src/recall/vectors/kernel/assemble.ts'
import { type Kernel, openKernel, plainKernel } from '../../../src/recall/vectors/kernel/kernel.ts'
import { similarity } from '../../../src/recall/vectors/similarity.ts'

const unit = (values: readonly number[]): Float32Array => {
  const length = Math.hypot(...values) || 1
  return Float32Array.from(values, (value) => value / length)
}

const vector = (dimensions: number): fc.Arbitrary<Float32Array> =>
  fc
    .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: dimensions, maxLength: dimensions })
    .map((values) => unit(values.every((value) => Math.abs(value) < 1e-9) ? [1, ...values.slice(1)] : values))

const family = fc
  .integer({ min: 1, max: 70 })
  .chain((dimensions) => fc.tuple(fc.array(vector(dimensions), { minLength: 1, maxLength: 40 }), vector(dimensions)))

function nearest(kernel: Kernel, vectors: readonly Float32Array[], query: Float32Array, limit: number): unknown {
  const set = new CodeSet(new Arena(kernel, 10 * 262_144), query.length)
  for (const [number, values] of vectors.entries()) expect(set.add(number, values)).toBe(true)
  return set.nearest(query, limit).sorted()
}

describe('[recall-9] the kernel', () => {
  it('is WebAssembly with SIMD here, made of bytes that the engine accepts', () => {
    expect(openKernel().kind).toBe('simd')
  })

  it('scores as plain JavaScript does, to the bit', () => {
    fc.assert(
      fc.property(family, ([vectors, query]) => {
        expect(nearest(openKernel(), vectors, query, 10)).toEqual(nearest(plainKernel(), vectors, query, 10))
      }),
    )
  })

  it('is off by no more than quantising costs', () => {
    fc.assert(
      fc.property(family, ([vectors, query]) => {
        const found = nearest(openKernel(), vectors, query, vectors.length) as { number: number; score: number }[]
        expect(found).toHaveLength(vectors.length)
        for (const { number, score } of found)
          expect(Math.abs(score - similarity(query, vectors[number] ?? query))).toBeLessThan(
            0.005 * Math.sqrt(query.length),
          )
      }),
    )
  })

  it('survives the largest sums there can be', () => {
    const extreme = unit(Array.from({ length: 16_384 }, () => 1))
    for (const kernel of [openKernel(), plainKernel()]) {
      const [best] = nearest(kernel, [extreme], extreme, 1) as [{ score: number }]
      expect(best.score).toBeCloseTo(1, 3)
    }
  })

  it('is assembled right for numbers of every length', () => {
    const host = (globalThis as unknown as { WebAssembly: { validate(bytes: Uint8Array): boolean } }).WebAssembly
    for (const value of [0, 63, 64, -64, -65, 127, 128, 8_191, 8_192, 2 ** 31 - 1, -(2 ** 31)]) {
      const loop = repeatWhile(instructions.i32Const(value), instructions.localSet(0), instructions.i32Const(0))
      const module = assembleModule({ name: 'x', parameters: 1, integers: 1, vectors: 1, body: [loop] })
      expect(host.validate(module), String(value)).toBe(true)
    }
  })
})

describe('[recall-9] a set of codes', () => {
  it('keeps the rows it is told to keep, and gives slabs back', () => {
    fc.assert(
      fc.property(family, fc.array(fc.nat(39)), ([vectors, query], kept) => {
        const keep = new Set(kept)
        const arena = new Arena(openKernel(), 10 * 262_144)
        const set = new CodeSet(arena, query.length)
        for (const [number, values] of vectors.entries()) set.add(number, values)
        set.keep(keep)
        const fresh = new CodeSet(arena, query.length)
        for (const [number, values] of vectors.entries()) if (keep.has(number)) fresh.add(number, values)
        expect(set.nearest(query, 50).sorted()).toEqual(fresh.nearest(query, 50).sorted())
        set.release()
        fresh.release()
        expect(arena.lent).toBe(0)
      }),
    )
  })

  it('is not disturbed by what its memory held before', () => {
    const [long, short] = [32, 20].map((length) => unit(Array.from({ length }, (_, index) => Math.cos(index)))) as [
      Float32Array,
      Float32Array,
    ]
    const arena = new Arena(openKernel(), 262_144)
    const before = new CodeSet(arena, 32)
    before.add(1, long)
    before.nearest(long, 1)
    before.release()
    const after = new CodeSet(arena, 20)
    after.add(1, short)
    expect(after.nearest(short, 1).sorted()).toEqual([{ number: 1, score: expect.closeTo(1, 2) as number }])
  })

  it('says so when there is no room, and holds no more than it may', () => {
    const arena = new Arena(plainKernel(), 2 * 262_144)
    const set = new CodeSet(arena, 16_000)
    const values = unit(Array.from({ length: 16_000 }, (_, index) => index))
    let held = 0
    while (set.add(held, values)) held += 1
    expect(held).toBe(2 * Math.floor(262_144 / 16_004))
    expect(arena.lent).toBe(2)
  })
})
