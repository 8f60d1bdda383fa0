/**
 * A body that is made as it is read: the next piece is asked for when the client has taken the last one, so a slow client
 * costs one piece of memory.
 */
export function streamOf(pieces: AsyncIterator<string>, onEnd: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return pulled({
    next: async () => {
      const { done, value } = await pieces.next()
      return done === true ? undefined : encoder.encode(value)
    },
    stop: () => pieces.return?.(),
    onEnd,
    ahead: 1,
  })
}

/** The same body; calls back when it has ended, whoever ended it. */
export function withEnd(body: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return pulled({
    next: async () => (await reader.read()).value,
    stop: (reason) => reader.cancel(reason),
    onEnd,
    ahead: 0,
  })
}

interface Pulled {
  /** `undefined` at the end. */
  readonly next: () => Promise<Uint8Array | undefined>
  readonly stop: (reason: unknown) => Promise<unknown> | undefined
  readonly onEnd: () => void
  /** How many pieces to read before they are asked for. */
  readonly ahead: number
}

function pulled({ next, stop, onEnd, ahead }: Pulled): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const piece = await next()
          if (piece !== undefined) {
            controller.enqueue(piece)
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
        await stop(reason)
      },
    },
    { highWaterMark: ahead },
  )
}
