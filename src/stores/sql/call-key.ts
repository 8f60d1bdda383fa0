import { hash } from 'node:crypto'

/** An index of a server holds no longer keys, and ids of calls are as long as their makers like. */
const CHARACTERS_MAX = 200

/** Under which a tool call and its results are found: its id as JSON text, which keeps every character, or its hash. */
export function callKey(callId: string): string {
  const text = JSON.stringify(callId)
  return text.length <= CHARACTERS_MAX ? text : hash('sha256', text)
}
