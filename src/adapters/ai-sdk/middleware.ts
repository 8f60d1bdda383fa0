import type { LanguageModelMiddleware } from 'ai'
import { ChatLog } from './chat-log.ts'
import { type MemoryForModel, checkMemoryOptions } from './memory-options.ts'
import { type Answer, recordAnswers } from './record-answers.ts'

/**
 * Gives a model a memory, for `wrapLanguageModel({ model, middleware: middleware({ scope, session }) })`.
 *
 * It stores what the user says, each reply before its tools run, and the results of tools. It adds what is remembered, recalled once
 * a turn. If your messages are only what is new, the conversation before them comes from the log, fitted into the model's window.
 * Make one for each conversation: it costs nothing.
 *
 * @example
 * import { openMemory } from 'daybook'
 * import { middleware } from 'daybook/ai-sdk'
 * await using memory = await openMemory(':memory:')
 * const remember = middleware({ scope: memory.scope('acme/ada'), session: 'support-42' })
 * console.log(remember.specificationVersion)
 */
export function middleware(options: MemoryForModel): LanguageModelMiddleware {
  checkMemoryOptions('make a middleware', options)
  const log = new ChatLog(options)
  const store = async (answer: Answer): Promise<void> => {
    try {
      await log.recordAnswer(answer)
    } catch (error) {
      // The reader of a stream may be gone: then nobody else is told.
      options.onError?.(error)
      throw error
    }
  }
  return {
    ...recordAnswers(store),
    transformParams: ({ params, model }) => log.prepare(params, model.modelId),
  }
}
