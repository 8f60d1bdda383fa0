import type { TranscriptPath } from '../dialects/violation.ts'

/** RFC 6901: `/messages/3/content`. */
export function pointerOf(path: TranscriptPath): string {
  return path.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
