import { hash } from 'node:crypto'
import { type SecretPlace, findSecrets as findAll, replaceSecrets } from '../../domain/secrets.ts'

export interface FoundSecret extends SecretPlace {
  /** The first hex digits of its SHA-256, by which the same secret is known again; none where that could be guessed. */
  readonly mark?: string
}

const MARK_DIGITS = 8

/** Secrets in a text, in order, none within another. `name` is the name of the field with the text. */
export function findCertainSecrets(text: string, name = ''): readonly FoundSecret[] {
  return findAll(text, name, true).map((place) =>
    place.guessable
      ? place
      : { ...place, mark: hash('sha256', text.slice(place.from, place.to)).slice(0, MARK_DIGITS) },
  )
}

/** The text with every secret taken out and its kind said. */
export function maskSecrets(text: string, secrets: readonly FoundSecret[]): string {
  return replaceSecrets(text, secrets, (kind) => `[removed: ${kind}]`)
}
