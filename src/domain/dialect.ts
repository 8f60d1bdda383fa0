/** Every shape of transcript that is read and written. `daybook` is our own: an array of {@link Draft}. */
export const dialects = [
  'daybook',
  'openai',
  'openai-responses',
  'anthropic',
  'gemini',
  'ai-sdk',
  'ai-sdk-ui',
  'langchain',
] as const

export type Dialect = (typeof dialects)[number]
