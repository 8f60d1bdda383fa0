import type { Instructions, ModelMessage, PrepareStepFunction, SystemModelMessage, ToolSet } from 'ai'
import { convert } from '../../dialects/convert.ts'
import { ChatLog } from './chat-log.ts'
import { type MemoryForModel, checkMemoryOptions } from './memory-options.ts'
import { withOwnSystem } from './with-own-system.ts'

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
    // Each step gets the instructions from the start of the call, so nothing is added twice.
    const system = systemMessages(initialInstructions)
    const { instructions, messages: fitted } = await log.fitted(typeof model === 'string' ? model : model.modelId, {
      system,
    })
    return {
      messages: fitted as ModelMessage[],
      ...(instructions === undefined ? {} : { instructions: withOwnSystem(systemMessages(instructions), system) }),
    }
  }
}

function systemMessages(
  instructions: Instructions | readonly SystemModelMessage[] | undefined,
): readonly SystemModelMessage[] {
  return [instructions ?? []].flat().map((one) => (typeof one === 'string' ? { role: 'system', content: one } : one))
}
