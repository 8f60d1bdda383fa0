import { baseName } from './base-name.ts'
import type { Encoding } from './exact.ts'
import { IMAGE_FORMULAS, type ImageFormula } from './image.ts'

/** How to count for a model. */
export interface ModelTokens {
  /** The encoding to count exactly with; missing when the model's tokenizer is not public. */
  readonly encoding?: Encoding
  /** Which estimator is nearest, for when there is no encoding or it is not worth loading. */
  readonly vocabulary: 'large' | 'small'
  /** Missing when the model is unknown or sees no images: then the costliest formula counts. */
  readonly image?: ImageFormula
}

const { gpt4o, gpt5, gpt54, o1, o4Mini, gpt41Mini, gpt41Nano, claude, claudeOpus47, gemini, gemini3 } = IMAGE_FORMULAS

const O200K = { encoding: 'o200k_base', vocabulary: 'large' } as const
const CL100K = { encoding: 'cl100k_base', vocabulary: 'small' } as const
const UNKNOWN: ModelTokens = { vocabulary: 'small' }

/** The first row whose pattern begins the model's name counts. New generations keep the row of their family. */
const MODELS: readonly (readonly [pattern: RegExp, tokens: ModelTokens])[] = [
  [/^gpt-oss/, O200K],
  [/^gpt-5(?:\.\d+)?-(?:codex-)?mini|^codex-mini/, { ...O200K, image: gpt41Mini }],
  [/^gpt-5(?:\.\d+)?-nano/, { ...O200K, image: gpt41Nano }],
  [/^gpt-5(?:\.[0-3])?(?![\d.])/, { ...O200K, image: gpt5 }],
  [/^gpt-(?:5\.|[6-9])/, { ...O200K, image: gpt54 }],
  [/^gpt-4\.1-mini/, { ...O200K, image: gpt41Mini }],
  [/^gpt-4\.1-nano/, { ...O200K, image: gpt41Nano }],
  [/^(?:gpt-4\.[15]|gpt-4o|chatgpt-4o)/, { ...O200K, image: gpt4o }],
  [/^o4-mini/, { ...O200K, image: o4Mini }],
  [/^o[134](?![\da-z])/, { ...O200K, image: o1 }],
  [/^(?:gpt-(?:audio|realtime)|computer-use)/, { ...O200K, image: gpt4o }],
  [/^gpt-4-(?:turbo|vision|1106-vision)/, { ...CL100K, image: gpt4o }],
  [/^(?:gpt-4|gpt-3\.5|gpt-35|text-embedding-3|text-embedding-ada-002)/, CL100K],
  // From Opus 4.7 on, images are read at 2,576 pixels; the older ones are listed, so that a new name gets the upper bound.
  [
    /^claude-(?:instant|[23]|(?:opus|sonnet|haiku)-(?:3|4(?:-[0-6])?(?!\d)(?!-[7-9])))/,
    { vocabulary: 'small', image: claude },
  ],
  [/^claude/, { vocabulary: 'small', image: claudeOpus47 }],
  [/^gemini-(?:1|2)/, { vocabulary: 'large', image: gemini }],
  [/^gemini/, { vocabulary: 'large', image: gemini3 }],
  [/^(?:gemma|llama-?4)/, { vocabulary: 'large' }],
]

/**
 * Which tokenizer and image formula a model uses, by its id as providers and gateways spell it: `gpt-5-mini`,
 * `openai/gpt-4o`, `us.anthropic.claude-sonnet-4-5-v1:0`, `ft:gpt-4o-2024-08-06:acme::x1`, `models/gemini-2.5-pro`.
 */
export function tokenizerForModel(model: string): ModelTokens {
  const name = baseName(model)
  return MODELS.find(([pattern]) => pattern.test(name))?.[1] ?? UNKNOWN
}
