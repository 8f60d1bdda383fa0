import { defined } from '../domain/defined.ts'
import type { ImageFormula } from './image.ts'
import { tokenizerForModel } from './tokenizer-for-model.ts'

/** How a model turns images, pages and sound into tokens. What is missing is counted by the costliest model. */
export interface MediaFormula {
  readonly image?: ImageFormula
  /** For a page of a document. */
  readonly pageTokens?: number
  readonly audioTokensPerSecond?: number
}

/** Google "Document understanding" and "Audio understanding": 258 tokens a page, from Gemini 3 on 560; 32 a second. */
const GEMINI = { pageTokens: 258, audioTokensPerSecond: 32 } as const
const GEMINI_3 = { ...GEMINI, pageTokens: 560 } as const
/** OpenAI "Audio and speech": a token for each 100 ms that is heard. */
const OPENAI = { audioTokensPerSecond: 10 } as const

/** The formulas of a model, by its id; empty for one that is unknown. */
export function mediaFormula(model: string): MediaFormula {
  const { image, encoding } = tokenizerForModel(model)
  const images = defined({ image })
  if (image?.kind === 'crops') return { ...images, ...GEMINI }
  if (image?.kind === 'fixed') return { ...images, ...GEMINI_3 }
  return encoding === undefined ? images : { ...images, ...OPENAI }
}
