/** What we promise about documentation, examples and the command line. */
export const wordsPromises: readonly (readonly [id: string, sentence: string])[] = []
