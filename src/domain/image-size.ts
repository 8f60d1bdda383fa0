export interface ImageSize {
  readonly width: number
  readonly height: number
  readonly mediaType: string
}

/** A JPEG has a handful of segments before its size; a hostile one could have thousands. */
const JPEG_SEGMENTS_MAX = 500

/**
 * Reads an image's size from its first bytes: PNG, JPEG, GIF, WebP, BMP. Anything else, and anything truncated or
 * contradictory, is `undefined`; never throws. A rotated photograph has the size of its stored pixels.
 */
export function readImageSize(bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size = png(view) ?? gif(view) ?? webp(view) ?? jpeg(view) ?? bmp(view)
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined
}

function has(view: DataView, offset: number, ...expected: readonly number[]): boolean {
  if (view.byteLength < offset + expected.length) return false
  return expected.every((value, index) => view.getUint8(offset + index) === value)
}

function png(view: DataView): ImageSize | undefined {
  if (!has(view, 0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return undefined
  if (!has(view, 12, 0x49, 0x48, 0x44, 0x52) || view.byteLength < 24) return undefined
  return { width: view.getUint32(16), height: view.getUint32(20), mediaType: 'image/png' }
}

function gif(view: DataView): ImageSize | undefined {
  if (!has(view, 0, 0x47, 0x49, 0x46, 0x38) || view.byteLength < 10) return undefined
  return { width: view.getUint16(6, true), height: view.getUint16(8, true), mediaType: 'image/gif' }
}

function bmp(view: DataView): ImageSize | undefined {
  if (!has(view, 0, 0x42, 0x4d) || view.byteLength < 26) return undefined
  const mediaType = 'image/bmp'
  // The oldest header has 16-bit sizes; in the others a negative height means that rows run downwards.
  if (view.getUint32(14, true) === 12)
    return { width: view.getUint16(18, true), height: view.getUint16(20, true), mediaType }
  return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)), mediaType }
}

function webp(view: DataView): ImageSize | undefined {
  if (!has(view, 0, 0x52, 0x49, 0x46, 0x46) || !has(view, 8, 0x57, 0x45, 0x42, 0x50)) return undefined
  if (view.byteLength < 30) return undefined
  const mediaType = 'image/webp'
  if (has(view, 12, 0x56, 0x50, 0x38, 0x58)) {
    return { width: 1 + uint24(view, 24), height: 1 + uint24(view, 27), mediaType }
  }
  if (has(view, 12, 0x56, 0x50, 0x38, 0x4c)) {
    if (view.getUint8(20) !== 0x2f) return undefined
    const bits = view.getUint32(21, true)
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff), mediaType }
  }
  if (!has(view, 12, 0x56, 0x50, 0x38, 0x20) || !has(view, 23, 0x9d, 0x01, 0x2a)) return undefined
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff, mediaType }
}

function uint24(view: DataView, offset: number): number {
  return view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16)
}

/** Walks the segments to the first frame header (SOF), which holds the size. */
function jpeg(view: DataView): ImageSize | undefined {
  if (!has(view, 0, 0xff, 0xd8, 0xff)) return undefined
  let offset = 2
  for (let segment = 0; segment < JPEG_SEGMENTS_MAX && offset + 9 <= view.byteLength; segment++) {
    if (view.getUint8(offset) !== 0xff) return undefined
    const marker = view.getUint8(offset + 1)
    if (marker === 0xff) {
      offset += 1 // a fill byte
    } else if (isFrame(marker)) {
      return { width: view.getUint16(offset + 7), height: view.getUint16(offset + 5), mediaType: 'image/jpeg' }
    } else {
      const length = view.getUint16(offset + 2)
      if (length < 2) return undefined
      offset += 2 + length
    }
  }
  return undefined
}

/** C0 to CF but for C4 (Huffman tables), C8 (reserved) and CC (arithmetic coding). */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}
