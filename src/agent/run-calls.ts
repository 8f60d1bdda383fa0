import type { Session } from '../api/session.ts'
import type { TurnCall, TurnOutcome, TurnTool } from '../api/turn.ts'
import type { JSONValue } from '../domain/json.ts'
import { MemoryError } from '../domain/error.ts'
import { quote } from '../domain/refuse.ts'
import type { RunningTurn } from './running-turn.ts'

const DENIED = 'The user did not allow this call.'

/**
 * Runs calls at the same time and stores each result as soon as it is there. Returns the calls that wait for an approval.
 *
 * @throws what aborted the turn, or the error of the log if a result could not be stored.
 */
export async function runCalls(
  session: Session,
  options: RunningTurn,
  calls: readonly TurnCall[],
): Promise<readonly TurnCall[]> {
  const tools = new Map([options.reopen, ...(options.tools ?? [])].map((tool) => [tool.name, tool]))
  const running = calls.map(async (call) => {
    const tool = tools.get(call.name)
    const allowed = tool?.needsApproval === true ? await (options.approve?.(call) ?? 'later') : true
    if (allowed === 'later') return [call]
    options.signal.throwIfAborted()
    options.onEvent?.({ type: 'tool-start', call })
    const { output, outcome } = allowed
      ? await run(tool, call, options)
      : { output: DENIED, outcome: 'denied' as const }
    await session.append({
      role: 'tool',
      parts: [{ type: 'tool-result', callId: call.id, name: call.name, output, ...(outcome !== 'ok' && { outcome }) }],
    })
    options.onEvent?.({ type: 'tool-end', call, output, outcome })
    return []
  })
  // All are waited for, so that no tool is still running when the turn fails.
  const ended = await Promise.allSettled(running)
  for (const one of ended) if (one.status === 'rejected') throw one.reason
  return ended.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
}

interface Ran {
  readonly output: JSONValue
  readonly outcome: TurnOutcome
}

async function run(tool: TurnTool | undefined, call: TurnCall, { signal, tools = [] }: RunningTurn): Promise<Ran> {
  if (tool === undefined) {
    const names = tools.map(({ name }) => name).join(', ')
    return failed(`There is no tool ${quote(call.name)}, expected one of: ${names === '' ? 'none' : names}`)
  }
  if (typeof call.input === 'string') return failed('The arguments are not a JSON object. Call the tool again.')
  try {
    const output = await tool.execute(call.input, { id: call.id, signal })
    return { output: asJSON(output), outcome: 'ok' }
  } catch (error) {
    // An aborted call did not fail: it has no result, and runs again when the turn is resumed.
    signal.throwIfAborted()
    return failed(error instanceof Error ? error.message : String(error))
  }
}

function failed(output: string): Ran {
  return { output, outcome: 'error' }
}

/** What can be stored of a value that a tool returned. Tools that return nothing have an empty result. */
function asJSON(value: unknown): JSONValue {
  if (typeof value === 'string') return value
  const text = JSON.stringify(value)
  if (text === undefined && value !== undefined)
    throw new MemoryError('input/invalid', 'Cannot store the result: expected a text or a JSON value')
  return text === undefined ? '' : (JSON.parse(text) as JSONValue)
}
