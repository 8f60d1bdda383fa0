import type { LanguageModelV4 } from '@ai-sdk/provider'
import { type Answer, recordAnswers } from './record-answers.ts'

/**
 * A model whose replies are handed over before anybody else sees the whole of them. It stays a model of its own version of the
 * specification (v2 to v4), which `wrapLanguageModel` would label with the newest that it knows.
 */
export function recordingModel(model: LanguageModelV4, store: (answer: Answer) => Promise<void>): LanguageModelV4 {
  const { wrapGenerate, wrapStream } = recordAnswers(store)
  const { specificationVersion, provider, modelId, supportedUrls } = model
  const call = (params: Parameters<LanguageModelV4['doStream']>[0]): Parameters<NonNullable<typeof wrapStream>>[0] => ({
    doGenerate: () => model.doGenerate(params),
    doStream: () => model.doStream(params),
    params,
    model,
  })
  return {
    specificationVersion,
    provider,
    modelId,
    supportedUrls,
    doGenerate: (params) => wrapGenerate?.(call(params)) ?? model.doGenerate(params),
    doStream: (params) => wrapStream?.(call(params)) ?? model.doStream(params),
  }
}
