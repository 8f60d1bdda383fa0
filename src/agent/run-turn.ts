import { defined } from '../domain/defined.ts'
import type { Session } from '../api/session.ts'
import type { TurnOptions, TurnResult } from '../api/turn.ts'
import { MemoryError } from '../domain/error.ts'
import type { Message } from '../domain/message.ts'
import type { NewMessage } from '../domain/new-message.ts'
import { budgetFor } from '../context/budget-for.ts'
import { checkCall } from '../surface/check-call.ts'
import { turnCall } from '../surface/turn.ts'
import { askModel } from './ask-model.ts'
import type { RunningTurn } from './running-turn.ts'
import { endOf } from './newest-calls.ts'
import { settledTurn } from './settled-turn.ts'
import { reopenTool } from '../tools/reopen-tool.ts'
import { runCalls } from './run-calls.ts'

const STEPS_MAX = 20

/**
 * Runs one turn of an agent: stores what the user said, builds the context, calls the model, stores its reply, runs the tools
 * it called and stores their results, until the model replies without calling a tool.
 *
 * Every step is stored before the next one begins. A turn that was killed resumes where it stopped when it is run again without
 * `input`: no tool runs again whose result was stored.
 *
 * @example
 * import { openMemory, runTurn } from 'daybook'
 * await using memory = await openMemory(':memory:')
 * const session = memory.scope('acme/ada').session('support-42')
 * const result = await runTurn(session, {
 *   model: ({ context }) => `You sent ${context.messages.length} message.`,
 *   input: 'My order 7731 is late, again.',
 *   context: { budget: 8_000 },
 * })
 * console.log(result)
 */
export async function runTurn(session: Session, given: TurnOptions): Promise<TurnResult> {
  checkPlaces(given)
  checkCall(turnCall, given)
  const { model, input, operationId, stepsMax = STEPS_MAX, signal = new AbortController().signal } = given
  const context = { ...(typeof model === 'function' ? {} : { model: model.modelId }), ...given.context }
  // Before anything is stored: without a budget there is no context, and the turn cannot be run.
  budgetFor(context, { attempt: turnCall.attempt, option: 'context.budget' })
  const reopen = reopenTool(session.id, (id) => (id === session.id ? session : session.sibling(id)))
  const options: RunningTurn = { ...given, context, signal, reopen }
  if (input !== undefined) await store(session, options, asMessages(input), operationId)
  for (let steps = 0; ;) {
    const ended = await finishCalls(session, options, steps)
    if (ended !== undefined) return ended
    if (steps === stepsMax) return { type: 'limit', steps }
    signal.throwIfAborted()
    const stored: Message[] = []
    await askModel(session, options, (messages) => {
      stored.push(...messages)
      options.onEvent?.({ type: 'stored', messages })
    })
    steps += 1
    // What somebody else asked meanwhile is for their own turn.
    const reply = endOf(stored)
    if (reply.type === 'replied') return { ...reply, steps }
  }
}

/** Runs the calls that have no result yet. Returns how the turn ended, or nothing if the model has to be called. */
async function finishCalls(session: Session, options: RunningTurn, steps: number): Promise<TurnResult | undefined> {
  const newest = await settledTurn(session, options.signal)
  if (newest.type === 'replied') return { type: 'replied', text: newest.text, steps }
  // A reply that a crash or a stop cut off: the model is called again, and the log keeps what came.
  if (newest.type === 'cut') await session.remove(newest.id)
  if (newest.type === 'asked' || newest.type === 'cut') return undefined
  const waiting = await runCalls(session, options, newest.open)
  if (waiting.length > 0) return { type: 'waiting', calls: waiting, steps }
  const breaking = new Set(options.tools?.flatMap(({ name, breaksLoop }) => (breaksLoop === true ? [name] : [])))
  const calls = newest.calls.filter(({ name }) => breaking.has(name))
  return calls.length > 0 ? { type: 'broken', calls, steps } : undefined
}

async function store(
  session: Session,
  { onEvent }: RunningTurn,
  messages: readonly NewMessage[],
  operationId?: string,
): Promise<void> {
  const stored = await session.append(messages, defined({ operationId }))
  onEvent?.({ type: 'stored', messages: stored })
  for (const warning of stored.warnings) onEvent?.({ type: 'warning', warning })
}

/** What belongs to the context is given with it. */
function checkPlaces(given: object | undefined): void {
  for (const name of ['system', 'budget', 'policy', 'recall', 'reserve', 'pins', 'blocks'])
    if (given !== undefined && name in given)
      throw new MemoryError(
        'input/invalid',
        `Cannot ${turnCall.attempt}: unknown option "${name}", did you mean context: { ${name} }?`,
        { option: name, meant: `context.${name}` },
      )
}

function asMessages(input: NonNullable<TurnOptions['input']>): readonly NewMessage[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  return Array.isArray(input) ? input : [input as NewMessage]
}
