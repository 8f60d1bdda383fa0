import { inflateSync } from 'node:zlib'

const PAGES_MAX = 100_000
/** Bookmarks and nodes of the page tree in one file. */
const COUNTS_MAX = 2_000
/** Around a count, to find out whose it is: a node of the page tree is short, but for the list of its pages. */
const NODE_BYTES = 2_000
/** Newer files keep the page tree in compressed streams; it is in one of the first or the last. */
const STREAMS_MAX = 40
const INFLATED_MAX = 400_000

/**
 * How many pages a PDF has: the largest count in its tree of pages. `undefined` for anything else and for files that do not say it in plain
 * or deflated text, such as encrypted ones; never throws.
 */
export function readPageCount(bytes: Uint8Array): number | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const start = file.subarray(0, 1_024).indexOf('%PDF-')
  if (start < 0) return undefined
  const plain = largestCount(file)
  if (plain !== undefined) return plain
  const counts = objectStreams(file).flatMap((stream) => largestCount(stream) ?? [])
  return counts.length === 0 ? undefined : Math.max(...counts)
}

/** Of a text with more counts than anybody looks at, nothing is known. */
function largestCount(text: Buffer): number | undefined {
  let most: number | undefined
  let looked = 0
  for (let at = text.indexOf('/Count'); at >= 0; at = text.indexOf('/Count', at + 6)) {
    if (++looked > COUNTS_MAX) return undefined
    const [, digits] = /^\/Count\s{0,4}(\d{1,6})\b/.exec(text.toString('latin1', at, at + 20)) ?? []
    const count = Number(digits ?? 0)
    if (count < 1 || count > PAGES_MAX || !isPageNode(text, at)) continue
    most = Math.max(most ?? 0, count)
  }
  return most
}

/** Bookmarks have counts too. The same dictionary has to say that it is a node of the page tree. */
function isPageNode(text: Buffer, at: number): boolean {
  const before = text.toString('latin1', Math.max(0, at - NODE_BYTES), at).replace(/^.*(?:endobj|\bobj)/s, '')
  const after = text.toString('latin1', at, at + NODE_BYTES).replace(/(?:endobj|>>\s{0,4}<<).*$/s, '')
  return /\/Type\s{0,4}\/Pages\b/.test(before.slice(before.lastIndexOf('<<')) + after)
}

function objectStreams(file: Buffer): readonly Buffer[] {
  const places: number[] = []
  for (let at = file.indexOf('/ObjStm'); at >= 0; at = file.indexOf('/ObjStm', at + 7)) places.push(at)
  const looked =
    places.length <= STREAMS_MAX ? places : [...places.slice(0, STREAMS_MAX / 2), ...places.slice(-STREAMS_MAX / 2)]
  return looked.flatMap((place) => {
    const begin = file.indexOf('stream', place)
    if (begin < 0 || begin - place > NODE_BYTES) return []
    const data = begin + 'stream'.length + (file[begin + 6] === 0x0d ? 2 : 1)
    const end = file.indexOf('endstream', data)
    try {
      return [inflateSync(file.subarray(data, end < 0 ? undefined : end), { maxOutputLength: INFLATED_MAX })]
    } catch {
      return []
    }
  })
}
