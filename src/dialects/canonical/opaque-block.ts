import type { Dialect } from '../../domain/dialect.ts'
import type { JSONValue } from '../../domain/json.ts'
import type { Draft } from '../../domain/message.ts'
import type { DataPart, Part } from '../../domain/part.ts'
import type { TranscriptReading } from '../codec.ts'
import type { TranscriptPath } from '../violation.ts'
import { field } from './json.ts'

/**
 * A block that has no canonical form, kept as data so that it goes back unchanged. A malformed block of a known type
 * is kept by `convert` and left out by `repair`.
 */
export function opaqueBlock(
  block: JSONValue,
  path: TranscriptPath,
  reading: TranscriptReading,
  { dialect, malformed }: { readonly dialect: Dialect; readonly malformed: boolean },
): readonly DataPart[] {
  const type = field(block, 'type')
  if ((malformed || typeof type !== 'string') && !reading.keepMalformed) return []
  return [
    reading.at({ type: 'data', kind: `${dialect}:${typeof type === 'string' ? type : 'unknown'}`, data: block }, path),
  ]
}

/** What somebody with an unknown role said, quoted as data: nothing is lost and nobody is impersonated. */
export function unknownRole(role: unknown, said: readonly Part[]): Draft | undefined {
  const parts = said.flatMap((part) => {
    if (part.type !== 'text' || part.text === '') return []
    return [{ type: 'text' as const, text: `[${typeof role === 'string' ? role : 'unknown role'}] ${part.text}` }]
  })
  return parts.length === 0 ? undefined : { role: 'user', parts }
}
