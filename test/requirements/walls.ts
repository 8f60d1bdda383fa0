/** What we promise about walls: tenants, long texts, verification, files, secrets. */
export const wallsPromises: readonly (readonly [id: string, sentence: string])[] = []
