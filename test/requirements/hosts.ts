/** What we promise about adapters, MCP and ways over from elsewhere. */
export const hostsPromises: readonly (readonly [id: string, sentence: string])[] = []
