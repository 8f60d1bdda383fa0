/** The kinds of summaries that a model is asked for. */
export const promptNames = [
  'merge-tools',
  'summarise-round',
  'summarise-current',
  'shorten-payload',
  'fold-summaries',
] as const

export type PromptName = (typeof promptNames)[number]
