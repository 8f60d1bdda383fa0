import type { LanguageModelV4Content } from '@ai-sdk/provider'
import type { LanguageModelMiddleware } from 'ai'
import { recordStream } from './record-stream.ts'

/** What came of one call of a model. */
export interface Answer {
  /** The reply, as far as it came. */
  readonly content: readonly LanguageModelV4Content[]
  /** The stream ended before the reply did: it was aborted, or it failed. */
  readonly cut: boolean
}

/** A middleware that hands over each reply before anybody else sees the whole of it: before its tools run. */
export function recordAnswers(store: (answer: Answer) => Promise<void>): LanguageModelMiddleware {
  return {
    specificationVersion: 'v4',
    wrapGenerate: async ({ doGenerate }) => {
      const result = await doGenerate()
      await store({ content: result.content, cut: false })
      return result
    },
    wrapStream: async ({ doStream }) => {
      const { stream, ...rest } = await doStream()
      return { stream: recordStream(stream, store), ...rest }
    },
  }
}
