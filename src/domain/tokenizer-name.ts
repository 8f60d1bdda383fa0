/** The tokenizers that can be chosen by name. */
export const tokenizerNames = ['estimate', 'o200k_base', 'cl100k_base'] as const

export type TokenizerName = (typeof tokenizerNames)[number]
