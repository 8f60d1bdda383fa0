/**
 * A body that is made as it is read: the next piece is asked for when the client has taken the last one, so a slow client
 * costs one piece of memory.
 */
export function streamOf(pieces: AsyncIterator<string>, onEnd: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next()
          if (done !== true) {
            controller.enqueue(encoder.encode(value))
            return
          }
          onEnd()
          controller.close()
        } catch (error) {
          onEnd()
          controller.error(error)
        }
      },
      async cancel() {
        onEnd()
        await pieces.return?.()
      },
    },
    { highWaterMark: 1 },
  )
}

/** The same body; tells when it is over, whoever ended it. */
export function withEnd(body: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (!done) {
            controller.enqueue(value)
            return
          }
          onEnd()
          controller.close()
        } catch (error) {
          onEnd()
          controller.error(error)
        }
      },
      async cancel(reason) {
        onEnd()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
