import type { Session } from '../api/session.ts'
import type { Message } from '../domain/message.ts'
import { type NewestTurn, newestCalls } from './newest-calls.ts'

/** A message that is forgotten while it is watched never comes: look again. Longer than a stream may be silent. */
const LOOK_AGAIN_MS = 15_000

/**
 * How the log ends when no reply is being streamed to it, by this process or another. Waits for a stream to end. One whose process is
 * gone is ended here, with what came of it.
 */
export async function settledTurn(
  session: Session,
  signal: AbortSignal,
): Promise<Exclude<NewestTurn, { readonly type: 'streamed' }>> {
  for (;;) {
    const newest = await newestCalls(session)
    if (newest.type !== 'streamed') return newest
    await streamEnd(session, newest.message, signal)
  }
}

async function streamEnd(session: Session, { id, seq }: Message, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const watched = session.watch({
    after: seq - 1,
    signal: AbortSignal.any([signal, AbortSignal.timeout(LOOK_AGAIN_MS)]),
  })
  try {
    // A watch holds a message back until it is complete, or until nothing more of it was stored for some seconds.
    const { value } = await watched.next()
    signal.throwIfAborted()
    if (value?.id === id && value.incomplete === 'streaming') await session.revise(id, { incomplete: 'stopped' })
  } finally {
    await watched.return?.()
  }
}
