import { isSecretField, privateKeys, secretPatterns } from './secret-patterns.ts'

/** A secret in a text, by its place. */
export interface SecretPlace {
  readonly kind: string
  readonly from: number
  readonly to: number
  /** Chosen by a person, so a hash of it could be guessed. */
  readonly guessable: boolean
}

/**
 * Secrets in a text, in order, none within another. `name` is the name of the field with the text.
 *
 * @param sure Only what is hardly anything else. Otherwise also what comes after `password:` and may be a plain word: enough for
 * one who asked that secrets be kept out.
 */
export function findSecrets(text: string, name: string, sure: boolean): readonly SecretPlace[] {
  const found: SecretPlace[] = privateKeys(text).map((place) => ({ kind: 'private key', ...place, guessable: false }))
  const lower = text.toLowerCase()
  for (const { kind, hints, pattern, group = 0, guessable = false, accept, suspect } of secretPatterns) {
    if (!hints.some((hint) => lower.includes(hint))) continue
    for (const match of text.matchAll(pattern)) {
      const secret = match[group] ?? ''
      const isOne = accept === undefined || accept(secret) || (!sure && suspect?.(secret, match[0]) === true)
      if (!isOne) continue
      const from = match.index + match[0].lastIndexOf(secret)
      found.push({ kind, from, to: from + secret.length, guessable })
    }
  }
  if (found.length === 0 && isSecretField(name, text, sure))
    return [{ kind: 'password', from: 0, to: text.length, guessable: true }]
  return outermost(found)
}

/** The text with other words for every secret. */
export function replaceSecrets(text: string, secrets: readonly SecretPlace[], words: (kind: string) => string): string {
  let clean = ''
  let from = 0
  for (const secret of secrets) {
    clean += `${text.slice(from, secret.from)}${words(secret.kind)}`
    from = secret.to
  }
  return clean + text.slice(from)
}

/** A text without secrets: each stands as `[secret: kind]`. The same text if it has none. */
export function withoutSecrets(text: string, name = ''): string {
  const found = findSecrets(text, name, false)
  return found.length === 0 ? text : replaceSecrets(text, found, (kind) => `[secret: ${kind}]`)
}

function outermost(found: readonly SecretPlace[]): readonly SecretPlace[] {
  const kept: SecretPlace[] = []
  for (const secret of found.toSorted((a, b) => a.from - b.from || b.to - a.to))
    if (secret.from >= (kept.at(-1)?.to ?? 0)) kept.push(secret)
  return kept
}
