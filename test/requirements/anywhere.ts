/** What we promise about installing and running anywhere. */
export const anywherePromises: readonly (readonly [id: string, sentence: string])[] = []
