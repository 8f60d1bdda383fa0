import { MemoryError } from '../domain/error.ts'
import type { Limits } from './limits.ts'
import type { Call } from './route.ts'

/**
 * The body of a streamed upload, piece by piece. Only the wait for the sender counts as idle: one who waits for us because the pieces
 * before are still being stored is not slow. Ends when the server stops, since who sends it can send the rest later, and when the
 * key was revoked or has expired.
 */
export async function* arriving(
  call: Pick<Call, 'request' | 'limits' | 'signal' | 'checkKey'>,
): AsyncGenerator<Uint8Array> {
  const { request, limits, signal } = call
  if (request.body === null) return
  const ends = performance.now() + limits.uploadMs
  const reader = request.body.getReader()
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), ends - performance.now(), limits)
      if (done) return
      if (signal.aborted) throw new MemoryError('server/unavailable', 'Cannot continue: the server is stopping')
      await call.checkKey()
      yield value
    }
  } finally {
    // Whoever still sends is not listened to; a reader that was let down is no other failure.
    reader.cancel().catch(() => undefined)
  }
}

async function inTime<Result>(
  piece: Promise<Result>,
  leftMs: number,
  { requestMs, uploadMs }: Limits,
): Promise<Result> {
  const slow = leftMs > requestMs
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(slow ? tooLate('nothing arrived for', requestMs) : tooLate('it took longer than', uploadMs)),
      Math.max(0, Math.min(requestMs, leftMs)),
    )
  })
  try {
    return await Promise.race([piece, late])
  } finally {
    clearTimeout(timer)
    piece.catch(() => undefined)
  }
}

function tooLate(what: string, ms: number): MemoryError {
  return new MemoryError('server/unavailable', `Cannot receive the rest: ${what} ${ms} ms`, { ms })
}
