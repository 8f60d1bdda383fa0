import type { TurnOptions, TurnTool } from '../api/turn.ts'
import { checkOptions } from '../domain/check-options.ts'
import { refuse } from '../domain/refuse.ts'

const ATTEMPT = 'run a turn'
const NAMES: readonly (keyof TurnOptions)[] = [
  'model',
  'input',
  'operationId',
  'tools',
  'context',
  'stepsMax',
  'approve',
  'onEvent',
  'signal',
]

/**
 * Checks the options of a turn. The messages and the options of contexts are checked where they are used.
 *
 * @throws {MemoryError} `input/invalid`
 */
export function checkTurn(options: TurnOptions): void {
  checkOptions(ATTEMPT, options, NAMES)
  const { model, tools = [], stepsMax = 1, approve, onEvent, context = {} } = options
  if (
    typeof model !== 'function' &&
    (typeof model !== 'object' || model === null || !('specificationVersion' in model))
  )
    refuse(ATTEMPT, 'model', model, 'a function, or a language model of the AI SDK (v2 to v4)')
  if (typeof context !== 'object' || context === null) refuse(ATTEMPT, 'context', context, 'an object')
  if (!Number.isSafeInteger(stepsMax) || stepsMax < 1) refuse(ATTEMPT, 'stepsMax', stepsMax, 'a whole number from 1')
  for (const [name, value] of Object.entries({ approve, onEvent }))
    if (value !== undefined && typeof value !== 'function') refuse(ATTEMPT, name, value, 'a function')
  if (!Array.isArray(tools)) refuse(ATTEMPT, 'tools', tools, 'a list of tools')
  const names = new Set<string>()
  for (const tool of tools as readonly TurnTool[]) {
    if (typeof tool?.name !== 'string' || typeof tool.execute !== 'function')
      refuse(ATTEMPT, 'tools', tool, 'tools with name, description, inputSchema and execute')
    if (names.has(tool.name)) refuse(ATTEMPT, 'tools', tool.name, 'each name once')
    names.add(tool.name)
  }
}
