import { MemoryError } from '../domain/error.ts'
import { quote } from '../domain/refuse.ts'
import type { LanguageModel, ModelAnswer, ModelRequest } from '../ports/language-model.ts'
import { type AISDKModel, modelFromAISDK } from './ai-sdk-model.ts'
import { readAnswer } from './read-answer.ts'

/** The smallest model there is: a request in, a text out. */
export type ModelFunction = (request: ModelRequest) => string | ModelAnswer | PromiseLike<string | ModelAnswer>

/** What users have and can give as a model. */
export type LanguageModelInput = LanguageModel | AISDKModel | ModelFunction

const VERSIONS: readonly unknown[] = ['v2', 'v3', 'v4']
const WANTED = 'an AI SDK language model (v2 to v4), a function, or an object with name and generate'

/**
 * Makes the port of whatever kind of model the user has.
 *
 * @throws {MemoryError} `input/invalid` if it is none.
 */
export function toLanguageModel(model: unknown): LanguageModel {
  if (typeof model === 'function') return fromFunction(model as ModelFunction)
  if (typeof model !== 'object' || model === null) return refuseModel(quote(model), WANTED)
  if ('doGenerate' in model && typeof model.doGenerate === 'function') {
    const version = 'specificationVersion' in model ? model.specificationVersion : undefined
    if (!VERSIONS.includes(version)) return refuseModel(`of specification ${quote(version)}`, 'v2, v3 or v4')
    return modelFromAISDK(model as AISDKModel)
  }
  if (!('generate' in model) || typeof model.generate !== 'function') return refuseModel(quote(model), WANTED)
  if (!('name' in model) || typeof model.name !== 'string' || model.name.trim() === '')
    return refuseModel('without a name', WANTED)
  return fromPort(model as LanguageModel)
}

function fromFunction(ask: ModelFunction): LanguageModel {
  // `openai` and its like are functions too: they make models and are none.
  if ('languageModel' in ask) return refuseModel('a provider', "one of its models, for example provider('model-id')")
  const name = ask.name === '' ? 'function' : ask.name
  return {
    name,
    async generate(request) {
      const answer: unknown = await ask(request)
      return typeof answer === 'string' ? { text: answer } : readAnswer(name, answer)
    },
  }
}

/** Somebody's own implementation: called as it is, and its answers are read. */
function fromPort(model: LanguageModel): LanguageModel {
  const { name } = model
  return { name, generate: async (request) => readAnswer(name, await model.generate(request)) }
}

/** Says what was found, but does not carry it: a model's object may hold a key. */
function refuseModel(found: string, wanted: string): never {
  throw new MemoryError('input/invalid', `Cannot use the language model: model is ${found}, expected ${wanted}`, {
    option: 'model',
    received: found,
    expected: wanted,
  })
}
