import type { Message } from '../domain/message.ts'
import { piecesPlace } from '../domain/pieces-place.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { View } from './view.ts'

/** The value of a row of pieces. */
export interface StoredPiece {
  readonly text: string
  readonly tokens: number
}

/** Whether the rest of its text is stored as pieces. A revision has the whole text. */
export function isStreamed({ incomplete, revision }: Message): boolean {
  return incomplete === 'streaming' && revision === 0
}

/** A message of a view with what was streamed since its row was stored. A fork has what there was when it was made: see `fork`. */
export async function withPieces(store: LogStore, { session, segments }: View, message: Message): Promise<Message> {
  if (!isStreamed(message) || message.seq < (segments.at(-1)?.from ?? 0)) return message
  const rows = await store.pieces(piecesPlace(session.scope, session.name, message.id))
  const pieces = rows.map(({ value }) => JSON.parse(value ?? '') as StoredPiece)
  const [first] = message.parts
  if (pieces.length === 0 || first?.type !== 'text') return message
  const text = first.text + pieces.map((piece) => piece.text).join('')
  const tokens = pieces.reduce((sum, piece) => sum + piece.tokens, message.tokens)
  return { ...message, parts: [{ ...first, text }], tokens }
}
