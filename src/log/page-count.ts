import { inflateSync } from 'node:zlib'

const PAGES_MAX = 100_000
/** Bookmarks and nodes of the page tree in one file, with all its streams. */
const COUNTS_MAX = 2_000
/** Around a count, to find out whose it is: a node of the page tree is short, but for the list of its pages. */
const NODE_BYTES = 2_000
/** Newer files keep the page tree in compressed streams; it is in one of the first or the last. */
const STREAMS_MAX = 40
const INFLATED_MAX = 400_000
/** Of all streams together: some 10 ms. */
const INFLATED_TOTAL_MAX = 4_000_000

/**
 * How many pages a PDF has: the largest count in its tree of pages. `undefined` for anything else and for files that do not say it in plain
 * or deflated text, such as encrypted ones; never throws.
 */
export function readPageCount(bytes: Uint8Array): number | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const start = file.subarray(0, 1_024).indexOf('%PDF-')
  if (start < 0) return undefined
  const search = { looked: 0 }
  const plain = largestCount(file, search)
  if (plain !== undefined || search.looked > COUNTS_MAX) return plain
  let most: number | undefined
  for (const stream of objectStreams(file)) {
    const count = largestCount(stream, search)
    if (search.looked > COUNTS_MAX) return undefined
    if (count !== undefined) most = Math.max(most ?? 0, count)
  }
  return most
}

/** Of a file with more counts than anybody looks at, nothing is known. */
function largestCount(text: Buffer, search: { looked: number }): number | undefined {
  let most: number | undefined
  for (let at = text.indexOf('/Count'); at >= 0; at = text.indexOf('/Count', at + 6)) {
    if (++search.looked > COUNTS_MAX) return undefined
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

function* objectStreams(file: Buffer): Generator<Buffer> {
  let inflated = 0
  for (const place of streamPlaces(file)) {
    const begin = file.subarray(place, place + NODE_BYTES).indexOf('stream')
    if (begin < 0) continue
    const after = place + begin + 'stream'.length
    const data = file.subarray(after + (file[after] === 0x0d ? 2 : 1)).subarray(0, INFLATED_MAX)
    const end = data.indexOf('endstream')
    let stream: Buffer | undefined
    try {
      stream = inflateSync(end < 0 ? data : data.subarray(0, end), { maxOutputLength: INFLATED_MAX })
    } catch {
      // Damaged, encrypted or too long: it took about as much time.
    }
    if (stream !== undefined) yield stream
    inflated += stream?.length ?? INFLATED_MAX
    if (inflated > INFLATED_TOTAL_MAX) return
  }
}

/** The last ones first: there the page tree of a file that was changed is. */
function streamPlaces(file: Buffer): ReadonlySet<number> {
  const places = new Set<number>()
  let last = file.lastIndexOf('/ObjStm')
  for (; last >= 0 && places.size < STREAMS_MAX / 2; last = last === 0 ? -1 : file.lastIndexOf('/ObjStm', last - 1))
    places.add(last)
  // If all were found from the end, they are not looked for again.
  let first = last < 0 ? -1 : file.indexOf('/ObjStm')
  for (; first >= 0 && places.size < STREAMS_MAX; first = file.indexOf('/ObjStm', first + 1)) places.add(first)
  return places
}
