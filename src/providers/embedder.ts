import { MemoryError } from '../domain/error.ts'
import { quote } from '../domain/refuse.ts'
import type { EmbedAnswer, Embedder, EmbedRequest } from '../ports/embedder.ts'
import { type AISDKEmbeddingModel, fromAISDKEmbedding } from './ai-sdk-embedder.ts'

/** The smallest embedder there is: texts in, a vector for each out. Its name is the name of its vector space. */
export type EmbedFunction = (
  texts: readonly string[],
  request: EmbedRequest,
) => readonly ArrayLike<number>[] | PromiseLike<readonly ArrayLike<number>[]>

/** With a name and dimensions of the user's choice: a model whose dimensions can be set, or a function without a name. */
export interface NamedEmbedder {
  /** Change it whenever the same text gets another vector: everything is then embedded again. */
  readonly name?: string
  /** How long its vectors are. @default as its first answer is */
  readonly dimensions?: number
  readonly model: AISDKEmbeddingModel | EmbedFunction
}

/** What users have and can give as an embedder. */
export type EmbedderInput = Embedder | AISDKEmbeddingModel | EmbedFunction | NamedEmbedder

const VERSIONS: readonly unknown[] = ['v2', 'v3', 'v4']
const WANTED =
  'an AI SDK embedding model (v2 to v4), a function (texts) => vectors, an object with name and embed, or { model, name, dimensions } around one'

/**
 * Makes the port of whatever kind of embedder the user has.
 *
 * @throws {MemoryError} `input/invalid` if it is none.
 */
export function toEmbedder(embedder: unknown): Embedder {
  if (typeof embedder === 'function') return fromFunction(embedder as EmbedFunction, undefined)
  if (typeof embedder !== 'object' || embedder === null) return refuseEmbedder(quote(embedder), WANTED)
  const dimensions = checkDimensions('dimensions' in embedder ? embedder.dimensions : undefined)
  if ('doEmbed' in embedder && typeof embedder.doEmbed === 'function') return fromModel(embedder, undefined)
  const name = 'name' in embedder ? embedder.name : undefined
  if (name !== undefined && (typeof name !== 'string' || name.trim() === ''))
    return refuseEmbedder(`named ${quote(name)}`, 'a name that is not blank')
  if ('embed' in embedder && typeof embedder.embed === 'function') {
    if (name === undefined) return refuseEmbedder('without a name', WANTED)
    const embed = embedder.embed.bind(embedder) as Embedder['embed']
    return { name, dimensions, embed: async (request) => readAnswer(await embed(request)) }
  }
  const model = 'model' in embedder ? embedder.model : undefined
  const inner =
    typeof model === 'function'
      ? fromFunction(model as EmbedFunction, dimensions)
      : typeof model === 'object' && model !== null && 'doEmbed' in model
        ? fromModel(model, dimensions)
        : refuseEmbedder(quote(embedder), WANTED)
  return name === undefined ? inner : { ...inner, name }
}

function fromModel(model: object, dimensions: number | undefined): Embedder {
  const version = 'specificationVersion' in model ? model.specificationVersion : undefined
  if (!VERSIONS.includes(version)) return refuseEmbedder(`of specification ${quote(version)}`, 'v2, v3 or v4')
  return fromAISDKEmbedding(model as AISDKEmbeddingModel, dimensions)
}

function fromFunction(embed: EmbedFunction, dimensions: number | undefined): Embedder {
  // `openai` and its like are functions too: they make models and are none.
  if ('embeddingModel' in embed || 'textEmbeddingModel' in embed)
    return refuseEmbedder('a provider', "one of its models, for example provider.embeddingModel('model-id')")
  return {
    name: embed.name === '' ? 'function' : embed.name,
    dimensions,
    embed: async (request) => readAnswer(await embed(request.texts, request)),
  }
}

/** A list of vectors, or the answer of the port. What is in them is checked by whoever stores them. */
function readAnswer(answer: unknown): EmbedAnswer {
  return Array.isArray(answer) ? { vectors: answer as EmbedAnswer['vectors'] } : (answer as EmbedAnswer)
}

function checkDimensions(dimensions: unknown): number | undefined {
  if (dimensions === undefined) return undefined
  if (!Number.isSafeInteger(dimensions) || Number(dimensions) < 1)
    return refuseEmbedder(`of ${quote(dimensions)} dimensions`, 'a positive whole number of dimensions')
  return Number(dimensions)
}

/** Says what was found, but does not carry it: a model's object may hold a key. */
function refuseEmbedder(found: string, wanted: string): never {
  throw new MemoryError('input/invalid', `Cannot use the embedder: embedder is ${found}, expected ${wanted}`, {
    option: 'embedder',
    received: found,
    expected: wanted,
  })
}
