import { hash } from 'node:crypto'
import { isSecretField, privateKeys, secretPatterns } from './secret-patterns.ts'

export interface FoundSecret {
  readonly kind: string
  readonly from: number
  readonly to: number
  /** The first hex digits of its SHA-256, by which the same secret is known again; none where that could be guessed. */
  readonly mark?: string
}

const MARK_DIGITS = 8

/** Secrets in a text, in order, none within another. `name` is that of the field the text stands in. */
export function findSecrets(text: string, name = ''): readonly FoundSecret[] {
  const found: FoundSecret[] = privateKeys(text).map(({ from, to }) => ({
    kind: 'private key',
    from,
    to,
    mark: markOf(text.slice(from, to)),
  }))
  const lower = text.toLowerCase()
  for (const { kind, hints, pattern, group = 0, guessable = false, accept } of secretPatterns) {
    if (!hints.some((hint) => lower.includes(hint))) continue
    for (const match of text.matchAll(pattern)) {
      const secret = match[group] ?? ''
      if (accept !== undefined && !accept(secret)) continue
      const from = match.index + match[0].lastIndexOf(secret)
      found.push({ kind, from, to: from + secret.length, ...(guessable ? {} : { mark: markOf(secret) }) })
    }
  }
  if (found.length === 0 && isSecretField(name, text)) return [{ kind: 'password', from: 0, to: text.length }]
  return outermost(found)
}

/** The text with every secret taken out and its kind said. */
export function maskSecrets(text: string, secrets: readonly FoundSecret[]): string {
  let masked = ''
  let from = 0
  for (const secret of secrets) {
    masked += `${text.slice(from, secret.from)}[removed: ${secret.kind}]`
    from = secret.to
  }
  return masked + text.slice(from)
}

function markOf(secret: string): string {
  return hash('sha256', secret).slice(0, MARK_DIGITS)
}

function outermost(found: readonly FoundSecret[]): readonly FoundSecret[] {
  const kept: FoundSecret[] = []
  for (const secret of found.toSorted((a, b) => a.from - b.from || b.to - a.to))
    if (secret.from >= (kept.at(-1)?.to ?? 0)) kept.push(secret)
  return kept
}
