import type { Draft } from '../../domain/message.ts'
import type { TranscriptReading } from '../codec.ts'
import type { TranscriptPath } from '../violation.ts'
import type { Locate } from './lint.ts'

/** A reading that only remembers places, for linters that look at drafts and report on the wire. */
export function placeReading(): {
  readonly reading: TranscriptReading
  readonly locate: (drafts: readonly Draft[]) => Locate
} {
  const paths = new WeakMap<object, TranscriptPath>()
  const reading: TranscriptReading = {
    keepMalformed: false,
    at: (value, path) => {
      paths.set(value, path)
      return value
    },
    unit: () => undefined,
  }
  function locate(drafts: readonly Draft[]): Locate {
    return (message, part) => {
      const draft = drafts[message]
      const found = part === undefined ? undefined : draft?.parts[part]
      return (
        (found === undefined ? undefined : paths.get(found)) ??
        (draft === undefined ? undefined : paths.get(draft)) ??
        []
      )
    }
  }
  return { reading, locate }
}
