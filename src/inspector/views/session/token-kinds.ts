import type { ContextTokens } from '../../../api/contexts.ts'

/** Kinds of tokens with their names, in the order in which they are stacked, everywhere. */
export const tokenKinds: readonly (readonly [kind: keyof ContextTokens, name: string])[] = [
  ['system', 'System'],
  ['blocks', 'Blocks'],
  ['pinned', 'Pinned'],
  ['folds', 'Folds'],
  ['messages', 'Messages'],
  ['recalled', 'Recalled'],
  ['plan', 'Plan'],
  ['framing', 'Framing'],
]
