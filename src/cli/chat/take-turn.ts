import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { ModelMessage, ToolSet } from 'ai'
import type { Message } from '../../domain/message.ts'
import type { Context } from '../../api/contexts.ts'
import type { Scope } from '../../api/scope.ts'
import type { Session } from '../../api/session.ts'
import { LongTermMemory, type LongTermOptions } from '../../tools/long-term-memory.ts'
import type { Tool } from '../../tools/tool.ts'
import { assistantMessage } from './assistant-message.ts'
import { loadAgentLoop } from './load-agent-loop.ts'
import { type ProviderUsage, recordingModel } from './recording-model.ts'

const STEPS_MAX = 20

export interface TurnOptions {
  readonly scope: Scope
  readonly session: Session
  readonly model: LanguageModelV4
  readonly mode: NonNullable<LongTermOptions['mode']>
  /** Tools besides those of the memory. */
  readonly tools?: readonly Tool[]
  readonly budget: number
  readonly signal: AbortSignal
  readonly onText: (delta: string) => void
  readonly onEvent: (event: TurnEvent) => void
}

export type TurnEvent =
  | { readonly type: 'recalled'; readonly items: Context['recalled'] }
  | { readonly type: 'tool-start'; readonly name: string; readonly input: unknown }
  | { readonly type: 'tool-end'; readonly name: string; readonly output: string }

/**
 * Lets the agent answer what the log ends with. Everything is in the log before it is acted upon: the answer of the model
 * before its tools run, each result before the model sees it. Every request is built from the log, so a turn that was killed
 * anywhere goes on from there.
 */
export async function takeTurn(terms: TurnOptions): Promise<void> {
  const { ToolLoopAgent, dynamicTool, jsonSchema, isStepCount } = await loadAgentLoop()
  const { session, signal, onText } = terms
  const wrapped = recordingModel(terms.model, {
    onText,
    record: async (content, usage) => {
      await session.append(assistantMessage(content))
      await reportUsage(terms, usage)
    },
  })
  const tools: ToolSet = Object.fromEntries(
    toolsOf(terms).map((tool) => [
      tool.name,
      dynamicTool({
        description: tool.description,
        inputSchema: jsonSchema(tool.inputSchema as Parameters<typeof jsonSchema>[0]),
        execute: (input, { toolCallId }) => runTool(terms, tool, toolCallId, input),
      }),
    ]),
  )
  const request = requestMaker(terms)
  const agent = new ToolLoopAgent({
    model: wrapped,
    tools,
    stopWhen: isStepCount(STEPS_MAX),
    prepareStep: async () => request(),
    // Calls of tools that do not exist, or with an input that cannot be read, never run: that is their result.
    onStepEnd: async ({ content }) => {
      for (const part of content)
        if (part.type === 'tool-error') await recordFailure(session, part.toolCallId, part.toolName, part.error)
    },
  })
  // The first request is made by prepareStep, too: what stands here is never sent.
  await agent.generate({ messages: [{ role: 'user', content: '-' }], abortSignal: signal })
}

/** What the model is handed for a step: from the log, within the budget, valid whatever happened before. */
function requestMaker({ session, mode, budget, model, onEvent }: TurnOptions): () => Promise<{
  messages: ModelMessage[]
  instructions?: string
}> {
  let told = false
  return async () => {
    const context = await session.context({
      budget,
      reserve: Math.floor(budget / 4),
      model: model.modelId,
      recall: mode !== 'agent',
    })
    if (!told && context.recalled.length > 0) onEvent({ type: 'recalled', items: context.recalled })
    told = true
    const { messages, instructions } = context.as('ai-sdk') as { messages: ModelMessage[]; instructions?: string }
    return { messages, ...(instructions === undefined ? {} : { instructions }) }
  }
}

function toolsOf({ scope, session, mode, tools = [] }: TurnOptions): readonly Tool[] {
  return [...new LongTermMemory(scope, { session: session.id, mode }).tools(), ...tools]
}

async function runTool({ session, onEvent }: TurnOptions, tool: Tool, callId: string, input: unknown): Promise<string> {
  onEvent({ type: 'tool-start', name: tool.name, input })
  const output = await tool.execute(input)
  await session.append({ role: 'tool', parts: [{ type: 'tool-result', callId, name: tool.name, output }] })
  onEvent({ type: 'tool-end', name: tool.name, output })
  return output
}

async function recordFailure(session: Session, callId: string, name: string, error: unknown): Promise<void> {
  const output = error instanceof Error ? error.message : String(error)
  await session.append({ role: 'tool', parts: [{ type: 'tool-result', callId, name, output, outcome: 'error' }] })
}

/** Real counts make later estimates better; nothing depends on them. */
async function reportUsage({ session, model }: TurnOptions, { inputTokens }: ProviderUsage): Promise<void> {
  const { total } = inputTokens
  if (total !== undefined && total > 0)
    await session.usage({ model: model.modelId, inputTokens: total }).catch(() => undefined) // a help for later, and only that
}

/** Whether the log ends in the middle of a turn: somebody asked, or a tool was called, and nobody answered. */
export function isUnanswered(last: Message | undefined): boolean {
  if (last === undefined || last.role === 'system') return false
  return (
    last.role !== 'assistant' || last.parts.some((part) => part.type === 'tool-call' && part.providerExecuted !== true)
  )
}
