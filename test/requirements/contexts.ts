/** What we promise about contexts: laws, policies, the loop, blocks. */
export const contextsPromises: readonly (readonly [id: string, sentence: string])[] = []
