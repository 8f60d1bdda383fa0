import type { Message } from '../domain/message.ts'
import { piecesPlace } from '../domain/pieces-place.ts'
import type { Address, Log } from './log.ts'
import { isStreamed } from './with-pieces.ts'

/** Deletes the pieces of messages that were streamed and have a revision now, which has the whole text. */
export async function dropPieces(log: Log, { scope, session }: Address, before: readonly Message[]): Promise<void> {
  for (const message of before)
    if (isStreamed(message)) await log.pieces.forget(piecesPlace(scope, session, message.id))
}
