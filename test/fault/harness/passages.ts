import type { PassageSource } from '../../../src/recall/vectors/passage-source.ts'

export const BATCH = 8
const SCOPES = ['acme', 'acme/ada'] as const

export const textOfPassage = (key: string): string => `Passage ${key} says something of its own`

/** So many passages in each of two scopes, the same for every process. */
export function sourceOf(count: number): PassageSource {
  return {
    scopes: async ({ after = '' }) => SCOPES.filter((scope) => scope > after),
    passages: async (_, { after, limit }) =>
      Array.from({ length: Math.max(0, Math.min(limit, count - after)) }, (__, index) => {
        const position = after + index + 1
        return { key: `p${position}`, text: textOfPassage(`p${position}`), position, isOriginal: true }
      }),
  }
}

export const scopesOfPassages: readonly string[] = SCOPES
