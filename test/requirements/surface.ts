/** What we promise about the surface: one description of every operation, and everything read from it. */
export const surfacePromises: readonly (readonly [id: string, sentence: string])[] = []
