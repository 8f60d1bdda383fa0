import type { Reading } from '../codec.ts'

/** A reading that keeps everything and remembers nothing: what `convert` and the response readers use. */
export const plainReading: Reading = { keepMalformed: true, at: (value) => value, unit: () => undefined }
