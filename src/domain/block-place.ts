/**
 * Stands between a session and the name of a block in the name under which the block is stored. No id that a caller chooses has a
 * control character, so no session is ever taken for a block.
 */
const MARK = '\u0001'
const AFTER_MARK = '\u0002'

/** The name under which the versions of a block are stored: its owner, a session or (empty) the scope itself, and its own name. */
export function blockPlace(owner: string, block: string): string {
  return `${owner}${MARK}${block}`
}

/** The names of all blocks of an owner lie from the first of these up to the second, which is not among them. */
export function blockPlaces(owner: string): readonly [from: string, to: string] {
  return [`${owner}${MARK}`, `${owner}${AFTER_MARK}`]
}

/** The owner and the block that a name stands for; `undefined` if it is the name of a session. */
export function readBlockPlace(name: string): { readonly owner: string; readonly block: string } | undefined {
  const at = name.lastIndexOf(MARK)
  return at < 0 ? undefined : { owner: name.slice(0, at), block: name.slice(at + 1) }
}

/** The session that has a state or a block: empty for a block of the scope, and the name itself for a collection of records. */
export function ownerOf(name: string): string {
  return readBlockPlace(name)?.owner ?? name
}
