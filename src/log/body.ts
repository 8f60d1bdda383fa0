import type { Draft } from '../domain/message.ts'

/** The part of a message that is the caller's own, in the order it is written. */
export type Body = Pick<Draft, 'parts' | 'name' | 'tags' | 'metadata' | 'provider'>

/** JSON text: NUL, lone surrogates, key order and `__proto__` survive it on every store, which raw text columns do not promise. */
export function writeBody(body: Body): string {
  const { parts, name, tags, metadata, provider } = body
  return JSON.stringify({ parts, name, tags, metadata, provider })
}

export function readBody(text: string): Body {
  return JSON.parse(text) as Body
}
