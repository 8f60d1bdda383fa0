/** What we promise about recall and learned facts. */
export const recallPromises: readonly (readonly [id: string, sentence: string])[] = []
