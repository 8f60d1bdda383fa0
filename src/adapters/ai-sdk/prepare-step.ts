import type { Instructions, ModelMessage, PrepareStepFunction, SystemModelMessage, ToolSet } from 'ai'
import { convert } from '../../dialects/convert.ts'
import { ChatLog } from './chat-log.ts'
import { type MemoryForModel, checkMemoryOptions } from './memory-options.ts'

/**
 * Fits each step of a turn into the model's window, for `generateText({ prepareStep: prepareStep({ scope, session }) })`: the messages
 * are stored, and the step gets what the log has of the conversation, with old parts folded if it is too long. Use it together with
 * the middleware, which stores the replies.
 */
export function prepareStep(options: MemoryForModel): PrepareStepFunction<ToolSet> {
  checkMemoryOptions('make prepareStep', options)
  const log = new ChatLog({ ...options, mode: 'agent' })
  return async ({ messages, model, initialInstructions }) => {
    const said = messages.filter(({ role }) => role !== 'system')
    if (said.length > 0) await log.record(convert(said, { from: 'ai-sdk', to: 'daybook' }))
    const { wire } = await log.fitted(typeof model === 'string' ? model : model.modelId)
    const { instructions } = wire
    return {
      messages: wire.messages as ModelMessage[],
      ...(instructions === undefined ? {} : { instructions: joined(initialInstructions, instructions) }),
    }
  }
}

/** Those of the caller come first. Each step gets them from the start of the call, so nothing is added twice. */
function joined(given: Instructions | undefined, ours: string | readonly SystemModelMessage[]): Instructions {
  return [given ?? [], ours].flat().map((one) => (typeof one === 'string' ? { role: 'system', content: one } : one))
}
