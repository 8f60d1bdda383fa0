import { blockPlace } from './block-place.ts'

/**
 * Where the pieces of a message are stored while it is streamed: among the places of its session, so that they are exported,
 * encrypted and forgotten with it. The control character keeps them apart from blocks.
 */
export function piecesPlace(
  scope: string,
  session: string,
  message: string,
): { readonly scope: string; readonly session: string } {
  return { scope, session: blockPlace(session, `\u0004${message}`) }
}
