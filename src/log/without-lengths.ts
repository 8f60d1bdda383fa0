import { mediaParts } from '../domain/media-parts.ts'
import { type Body, readBody, writeBody } from './body.ts'

interface Lengths {
  pages?: number
  seconds?: number
}

/**
 * A body without the lengths of its documents and sounds, or without those that a stored one lacks. They are read from the bytes, so
 * they say nothing new, and messages that earlier versions stored have none.
 */
export function withoutLengths(body: Body, stored?: Body): string {
  const copy = readBody(writeBody(body))
  const before = stored === undefined ? [] : mediaParts(stored.parts)
  for (const [index, part] of mediaParts(copy.parts).entries()) {
    const open = part as Lengths
    const known = (before[index] ?? {}) as Lengths
    if (known.pages === undefined) delete open.pages
    if (known.seconds === undefined) delete open.seconds
  }
  return writeBody(copy)
}
