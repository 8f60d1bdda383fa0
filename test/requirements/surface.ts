/** What we promise about the surface: one description of every operation, and everything read from it. */
export const surfacePromises: readonly (readonly [id: string, sentence: string])[] = [
  ['surface-50', 'Every exported name is declared once in the tree, so a search for a name finds one thing.'],
  [
    'surface-51',
    'ARCHITECTURE.md has at most 1,500 words, two pictures, a glossary, and says where to add a dialect, an operation or a column.',
  ],
]
