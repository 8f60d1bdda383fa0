/** What the tokens of a context are counted by, in the order of the context. */
export const kindsOfTokens = ['system', 'blocks', 'pinned', 'folds', 'messages', 'recalled', 'plan', 'framing'] as const
