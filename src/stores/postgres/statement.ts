import { hash } from 'node:crypto'

/** A statement in the server's words. A name makes the server keep its plan. */
export interface PreparedStatement {
  readonly text: string
  readonly name?: string
}

/** Statements made for lists of every length would fill the server's memory: beyond these, none is kept. */
const NAMED_MAX = 500
/** Literals and quoted names pass through: a question mark in them is one. */
const TOKEN = /'(?:[^']|'')*'|"[^"]*"|\?/g

/** Turns our `?` into the server's `$1`, once for each statement that is kept. */
export function statements(named: boolean): (text: string) => PreparedStatement {
  const known = new Map<string, PreparedStatement>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const prepared = { text: numbered(text), name: `daybook_${hash('sha256', text).slice(0, 24)}` }
    if (!named || known.size >= NAMED_MAX) return { text: prepared.text }
    known.set(text, prepared)
    return prepared
  }
}

function numbered(text: string): string {
  let count = 0
  return text.replaceAll(TOKEN, (token) => (token === '?' ? `$${++count}` : token))
}
