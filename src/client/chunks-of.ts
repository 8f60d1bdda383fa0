/** The chunks of a body. Not every browser can loop over a stream. */
export async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (body === null) return
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    // Whoever stops early wants nothing more of it.
    await reader.cancel().catch(() => undefined)
  }
}
