import type { TranscriptReading } from '../codec.ts'

/** A reading that keeps everything and remembers nothing: what `convert` and the response readers use. */
export const plainReading: TranscriptReading = { keepMalformed: true, at: (value) => value, unit: () => undefined }
