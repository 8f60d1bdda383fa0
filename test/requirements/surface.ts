/** What we promise about the surface: one description of every operation, and everything read from it. */
export const surfacePromises: readonly (readonly [id: string, sentence: string])[] = [
  ['surface-50', 'Every exported name is declared once in the tree, so a search for a name finds one thing.'],
]
