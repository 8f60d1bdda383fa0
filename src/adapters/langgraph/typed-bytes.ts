const LINE_FEED = 10

/** Bytes with a header of JSON before them, as one content. */
export function withHeader(header: object, bytes: Uint8Array): Uint8Array {
  const line = new TextEncoder().encode(`${JSON.stringify(header)}\n`)
  const whole = new Uint8Array(line.length + bytes.length)
  whole.set(line)
  whole.set(bytes, line.length)
  return whole
}

/** The header and the bytes again. */
export function readHeader<Header>(content: Uint8Array): { readonly header: Header; readonly bytes: Uint8Array } {
  const end = content.indexOf(LINE_FEED)
  const header = JSON.parse(new TextDecoder().decode(content.subarray(0, end))) as Header
  return { header, bytes: content.subarray(end + 1) }
}
