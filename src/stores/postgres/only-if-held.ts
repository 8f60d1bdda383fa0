/** Whether the sessions of this transaction were as this process left them. Set by `sessions.hold` of the dialect. */
export const IS_HELD = `current_setting('daybook.held', true) IS DISTINCT FROM 'no'`

const INSERT_VALUES = /^(INSERT INTO \w+\s*\([^()]*\))\s*VALUES \(((?:\?, )*\?)\)/
const INSERT_SELECT = /^(INSERT INTO \w+\s*\([^()]*\)\s*SELECT [^()]*FROM unnest\([^()]*\)(?: AS \w+ \([^()]*\))?)/
const UPDATE = /^UPDATE .* WHERE /s

/**
 * The same statement, which does nothing if a session was not as this process left it. Statements are sent before that is known, and an
 * error on purpose, which would end the transaction, would be in the log of the server.
 */
export function onlyIfHeld(text: string): string {
  if (INSERT_VALUES.test(text)) return text.replace(INSERT_VALUES, `$1 SELECT $2 WHERE ${IS_HELD}`)
  if (INSERT_SELECT.test(text)) return text.replace(INSERT_SELECT, `$1 WHERE ${IS_HELD}`)
  if (UPDATE.test(text)) return `${text} AND ${IS_HELD}`
  throw new Error(`no way to make this statement depend on what was held: ${text}`)
}
