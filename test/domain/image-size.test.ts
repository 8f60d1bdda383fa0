import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImageSize } from '../../src/domain/image-size.ts'

const hex = (...parts: readonly string[]): Uint8Array =>
  Uint8Array.from(Buffer.from(parts.join('').replaceAll(' ', ''), 'hex'))

const images: readonly (readonly [name: string, bytes: Uint8Array, mediaType: string])[] = [
  ['PNG', hex('89504e470d0a1a0a 0000000d 49484452 00000280 000001e0 0806000000'), 'image/png'],
  ['GIF', hex('474946383961 8002 e001 f70000'), 'image/gif'],
  ['BMP', hex('424d 36100e00 0000 0000 36000000 28000000 80020000 e0010000'), 'image/bmp'],
  ['BMP, rows downwards', hex('424d 36100e00 0000 0000 36000000 28000000 80020000 20feffff'), 'image/bmp'],
  ['BMP of 1990', hex('424d 36100e00 0000 0000 1a000000 0c000000 8002 e001 01001800'), 'image/bmp'],
  ['WebP, lossy', hex('52494646 24000000 57454250 56503820 18000000 300100 9d012a 8002 e001'), 'image/webp'],
  ['WebP, lossless', hex('52494646 24000000 57454250 5650384c 18000000 2f 7fc27700 0000000000'), 'image/webp'],
  ['WebP, extended', hex('52494646 24000000 57454250 56503858 0a000000 10000000 7f0200 df0100'), 'image/webp'],
  ['JPEG', hex('ffd8 ffe0 0010 4a46494600010100000100010000 ffdb 0003 00 ffc0 0011 08 01e0 0280 03'), 'image/jpeg'],
  [
    'JPEG, progressive, with fill bytes',
    hex('ffd8 ffff ffe1 0004 0000 ffc2 0011 08 01e0 0280 03 011100'),
    'image/jpeg',
  ],
]

describe('readImageSize', () => {
  it.each(images)('[tok-1] reads the size of a %s', (_name, bytes, mediaType) => {
    const size = { width: 640, height: 480, mediaType }
    expect(readImageSize(bytes)).toEqual(size)
    // In the middle of a larger buffer, as Node's small ones are.
    const pool = new Uint8Array(bytes.length + 20)
    pool.set(bytes, 11)
    expect(readImageSize(pool.subarray(11, 11 + bytes.length))).toEqual(size)
  })

  it.each(images)('[tok-1] does not read beyond the end of a %s that was cut short', (_name, bytes) => {
    for (let length = 0; length < bytes.length; length++) {
      const size = readImageSize(bytes.subarray(0, length))
      expect(size ?? { width: 640, height: 480 }).toMatchObject({ width: 640, height: 480 })
    }
  })

  it('[tok-1] takes a size of zero for none', () => {
    expect(readImageSize(hex('89504e470d0a1a0a 0000000d 49484452 00000000 000001e0 0806000000'))).toBeUndefined()
  })

  it('[tok-1] never throws, whatever the bytes', () => {
    const damaged = fc
      .tuple(
        fc.constantFrom(...images.map(([, bytes]) => bytes)),
        fc.array(fc.tuple(fc.nat(40), fc.nat(255)), { maxLength: 6 }),
      )
      .map(([bytes, changes]) => {
        const copy = Uint8Array.from(bytes)
        for (const [at, value] of changes) if (at < copy.length) copy[at] = value
        return copy
      })
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), damaged), (bytes) => {
        const { width, height } = readImageSize(bytes) ?? { width: 1, height: 1 }
        expect(Math.min(width, height)).toBeGreaterThan(0)
      }),
      { numRuns: 2_000 },
    )
  })

  it('[tok-2] gives up on a JPEG of endless segments', () => {
    expect(readImageSize(hex('ffd8', 'ffe00002'.repeat(2_000), 'ffc0001108', '01e00280', '03'))).toBeUndefined()
    expect(readImageSize(hex('ffd8', 'ff'.repeat(100_000)))).toBeUndefined()
  })
})
