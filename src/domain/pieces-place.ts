import { blockPlace, readBlockPlace } from './block-place.ts'

/** Before the id of the message. */
const MARK = '\u0004'
const AFTER_MARK = '\u0005'

/**
 * Where the pieces of a message are stored while it is streamed: among the places of its session, so that they are exported,
 * encrypted and forgotten with it. The control character keeps them apart from blocks.
 */
export function piecesPlace(
  scope: string,
  session: string,
  message: string,
): { readonly scope: string; readonly session: string } {
  return { scope, session: blockPlace(session, `${MARK}${message}`) }
}

/** The names of the places of all messages of a session lie from the first of these up to the second, which is not among them. */
export function piecesPlaces(session: string): readonly [from: string, to: string] {
  return [blockPlace(session, MARK), blockPlace(session, AFTER_MARK)]
}

/** Whether a name under which something is stored is that of pieces, which go when their message is complete. */
export function isPiecesPlace(name: string): boolean {
  return readBlockPlace(name)?.block.startsWith(MARK) === true
}

/** The session and the message that a place is for. */
export function readPiecesPlace(name: string): { readonly session: string; readonly message: string } {
  const { owner = '', block = '' } = readBlockPlace(name) ?? {}
  return { session: owner, message: block.slice(MARK.length) }
}
