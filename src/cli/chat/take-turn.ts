import { runTurn } from '../../agent/run-turn.ts'
import type { Context } from '../../api/contexts.ts'
import type { Scope } from '../../api/scope.ts'
import type { Session } from '../../api/session.ts'
import type { TurnEvent, TurnOptions } from '../../api/turn.ts'
import type { Message } from '../../domain/message.ts'
import type { LongTermOptions } from '../../api/long-term-memory.ts'
import { longTermMemory } from '../../tools/long-term-memory.ts'
import type { Tool } from '../../api/tool.ts'

export interface ChatTurn {
  readonly scope: Scope
  readonly session: Session
  readonly model: TurnOptions['model']
  readonly mode: NonNullable<LongTermOptions['mode']>
  /** Tools besides those of the memory. */
  readonly tools?: readonly Tool[]
  readonly budget: number
  readonly signal: AbortSignal
  readonly onText: (delta: string) => void
  readonly onEvent: (event: ChatEvent) => void
}

export type ChatEvent =
  | { readonly type: 'recalled'; readonly items: Context['recalled'] }
  | { readonly type: 'tool-start'; readonly name: string; readonly input: unknown }
  | { readonly type: 'tool-end'; readonly name: string; readonly output: string }

/** Lets the agent reply to what the log ends with, with the tools of the memory. */
export async function takeTurn(settings: ChatTurn): Promise<void> {
  const { scope, session, model, mode, tools = [], budget, signal } = settings
  await runTurn(session, {
    model,
    tools: [...longTermMemory(scope, { session: session.id, mode }).tools(), ...tools],
    context: { budget, reserve: Math.floor(budget / 4), recall: mode !== 'agent' },
    signal,
    onEvent: eventsFor(settings),
  })
}

/** What a person in front of a terminal wants to see of a turn. What was recalled is the same for every step: it is shown once. */
function eventsFor({ onText, onEvent }: ChatTurn): (event: TurnEvent) => void {
  let isFirst = true
  return (event) => {
    if (event.type === 'text') onText(event.delta)
    if (event.type === 'tool-start') onEvent({ type: 'tool-start', name: event.call.name, input: event.call.input })
    if (event.type === 'tool-end') {
      const output = typeof event.output === 'string' ? event.output : JSON.stringify(event.output)
      onEvent({ type: 'tool-end', name: event.call.name, output })
    }
    if (event.type !== 'context') return
    if (isFirst && event.context.recalled.length > 0) onEvent({ type: 'recalled', items: event.context.recalled })
    isFirst = false
  }
}

/** Whether the log ends in the middle of a turn: somebody asked, or a tool was called, and nobody replied. */
export function isUnanswered(last: Message | undefined): boolean {
  if (last === undefined || last.role === 'system') return false
  return (
    last.role !== 'assistant' ||
    last.incomplete === 'streaming' ||
    last.parts.some((part) => part.type === 'tool-call' && part.providerExecuted !== true)
  )
}
