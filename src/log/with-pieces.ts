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

/** A message of a view with what was streamed since its row was stored. */
export async function withPieces(store: LogStore, view: View, message: Message): Promise<Message> {
  if (!isStreamed(message)) return message
  const session = ownerOf(view, message.seq)
  if (session === undefined) return message
  const rows = await store.pieces(piecesPlace(view.session.scope, session, message.id))
  const pieces = rows.map(({ value }) => JSON.parse(value ?? '') as StoredPiece)
  const [first] = message.parts
  if (pieces.length === 0 || first?.type !== 'text') return message
  const text = first.text + pieces.map((piece) => piece.text).join('')
  const tokens = pieces.reduce((sum, piece) => sum + piece.tokens, message.tokens)
  return { ...message, parts: [{ ...first, text }], tokens }
}

/** The session that a message was appended to: this one or its parent. What is further up has ended long ago. */
function ownerOf({ session, segments }: View, seq: number): string | undefined {
  const depth = segments.length - 1 - segments.findIndex(({ from, through }) => from <= seq && seq <= through)
  return depth === 0 ? session.name : depth === 1 ? session.parent?.name : undefined
}
