/** What we promise about the page. */
export const inspectorPromises: readonly (readonly [id: string, sentence: string])[] = []
