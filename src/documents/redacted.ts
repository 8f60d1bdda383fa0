import { isPlainObject } from '../domain/check-json.ts'
import type { ContextDocument } from '../api/document.ts'

/** Fields by which a document is found and joined again: what is in them is not content. */
const NAMES: ReadonlySet<string> = new Set(['session_id', 'id', 'role', 'status', 'type', 'callId', 'hash'])

/** The document with every text as a hook wants it. */
export function redacted(document: ContextDocument, redact: ((text: string) => string) | undefined): ContextDocument {
  return redact === undefined ? document : (walk(document, redact) as ContextDocument)
}

function walk(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((item) => walk(item, redact))
  if (!isPlainObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      typeof item === 'string' && NAMES.has(key) ? item : walk(item, redact),
    ]),
  )
}
