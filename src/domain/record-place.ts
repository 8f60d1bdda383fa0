const MARK = '\u0003'

/**
 * Under which name a collection of records is stored, beside the states of sessions. It begins with a control character that no
 * session and no block has.
 */
export function recordPlace(scope: string, collection: string): { readonly scope: string; readonly session: string } {
  return { scope, session: `${MARK}${collection}` }
}

/** Whether a name under which something is stored is the name of a collection. */
export function isRecordPlace(session: string): boolean {
  return session.startsWith(MARK)
}
