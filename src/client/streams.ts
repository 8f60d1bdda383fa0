import type { Session } from '../api/session.ts'
import type { KeptPiece } from '../api/streams.ts'
import type { SessionOptions } from '../api/sessions.ts'
import { messageStream } from '../streams/message-stream.ts'
import { checkCall } from '../surface/check-call.ts'
import { streamCall, streamOperations } from '../surface/streams.ts'
import type { InTurn } from './in-turn.ts'
import type { Transport } from './transport.ts'

interface SessionPath {
  readonly scope: string
  readonly session: string
}

/** Messages that are stored while they are written, behind a server. `calls` are the other calls of the session. */
export function remoteStreams(
  transport: Transport,
  turns: InTurn,
  place: SessionPath & SessionOptions,
  calls: Pick<Session, 'append' | 'change'>,
): Pick<Session, 'stream' | 'keepPiece'> {
  const { scope, session, ...options } = place
  const keepPiece: Session['keepPiece'] = async (id, piece) => {
    transport.checkOpen()
    checkCall(streamOperations.keep, id, piece)
    const sending = { names: { scope, session, id }, body: { ...piece, ...options } }
    return turns.run(JSON.stringify([scope, session]), () => transport.call<KeptPiece>(streamOperations.keep, sending))
  }
  return {
    keepPiece,
    stream: (message) => {
      transport.checkOpen()
      checkCall(streamCall, message)
      return messageStream({ ...calls, keepPiece }, message, message.id ?? crypto.randomUUID())
    },
  }
}
