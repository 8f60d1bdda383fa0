import { MemoryError } from '../domain/error.ts'
import type { Draft, Message } from '../domain/message.ts'
import { isSealed } from '../domain/sealed.ts'

/**
 * The part of a message that is the caller's own, in the order it is written. The last field is the importers': it is here
 * so that the digest covers it, and so that no copy, rebuild or archive of a message loses it.
 */
export type Body = Pick<Draft, 'parts' | 'name' | 'tags' | 'metadata' | 'provider' | 'incomplete'> &
  Pick<Message, 'imported'>

/** JSON text: NUL, lone surrogates, key order and `__proto__` survive it on every store, which raw text columns do not promise. */
export function writeBody(body: Body): string {
  const { parts, name, tags, metadata, provider, incomplete, imported } = body
  return JSON.stringify({ parts, name, tags, metadata, provider, incomplete, imported })
}

export function readBody(text: string): Body {
  return JSON.parse(text) as Body
}

const BEGINNING = '{"parts":'
const IMPORTED = ',"imported":true}'

/**
 * Whether a body has the mark of an import, without reading all of it. The mark is the last field: nothing that a caller wrote can
 * end so, since each field before it ends in a bracket, a brace or a quote. What is no body at all is not taken for a trusted one.
 */
export function isImportedBody(text: string): boolean {
  if (!text.startsWith(BEGINNING) && !isSealed(text))
    throw new MemoryError('store/corrupt', 'Cannot read the source of a message: it has no body', {})
  return text.endsWith(IMPORTED)
}
