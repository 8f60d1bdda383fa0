import {
  type LanguageModel,
  ToolLoopAgent,
  type ToolLoopAgentSettings,
  type ToolSet,
  gateway,
  wrapLanguageModel,
} from 'ai'
import { defined } from '../../domain/defined.ts'
import { refuse } from '../../domain/refuse.ts'
import { type MemoryForModel, checkMemoryOptions } from './memory-options.ts'
import { middleware } from './middleware.ts'
import { tools } from './tools.ts'

/** The settings of an agent, as far as they are used here. */
type Settings = ToolLoopAgentSettings<never, ToolSet>
type Wrapped = Parameters<typeof wrapLanguageModel>[0]['model']
type Call = Parameters<NonNullable<Settings['prepareCall']>>[0]

/**
 * Gives an agent a memory: the same agent, whose model stores and remembers, with the tools of the memory. Make one for each
 * conversation: it costs nothing.
 *
 * @example
 * import { openMemory } from 'daybook'
 * import { withMemory } from 'daybook/ai-sdk'
 * import { ToolLoopAgent } from 'ai'
 * import { MockLanguageModelV4 } from 'ai/test'
 * await using memory = await openMemory(':memory:')
 * const agent = new ToolLoopAgent({ model: new MockLanguageModelV4() })
 * const remembering = withMemory(agent, { scope: memory.scope('acme/ada'), session: 'support-42' })
 * console.log(remembering.version)
 */
export function rememberingAgent<Agent extends object>(agent: Agent, options: MemoryForModel): Agent {
  checkMemoryOptions('give an agent a memory', options)
  // The class keeps them, but does not publish them.
  const { settings } = agent as { readonly settings?: Settings }
  if (settings === undefined || !('model' in settings))
    refuse('give an agent a memory', 'agent', agent, 'a ToolLoopAgent of the package ai')
  const { scope, session, mode, recallBudget, allowDestroy } = options
  const given = { session, ...defined({ recallBudget, allowDestroy }) }
  const own: ToolSet = mode === 'static' ? {} : tools(scope, given)
  const remember = middleware(options)
  const prepareCall = async (call: Call): Promise<Call> => {
    const prepared = ((await settings.prepareCall?.(call)) ?? call) as Call
    return { ...prepared, model: wrapLanguageModel({ model: modelOf(prepared.model), middleware: remember }) }
  }
  const made = { ...settings, tools: { ...own, ...settings.tools }, prepareCall } as Settings
  return new ToolLoopAgent(made) as unknown as Agent
}

/** A name stands for a model of the default provider. */
function modelOf(model: LanguageModel): Wrapped {
  if (typeof model !== 'string') return model as Wrapped
  return (globalThis.AI_SDK_DEFAULT_PROVIDER ?? gateway).languageModel(model) as Wrapped
}
