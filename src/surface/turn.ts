import type { TurnOptions, TurnTool } from '../api/turn.ts'
import { refuse } from '../domain/refuse.ts'
import { aListOf, withRule } from '../shape/combine.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { Shape } from '../shape/shape.ts'
import { aCallback, aCount, anId, anInstance, checkedBy, unchecked } from '../shape/values.ts'
import { contextOptions } from './contexts.ts'
import type { CheckedCall } from './operation.ts'

const WANTED = 'a function, or a language model of the AI SDK (v2 to v4)'

const aModel: Shape<TurnOptions['model']> = checkedBy({ kind: 'local' }, WANTED, (attempt, path, given) => {
  if (typeof given === 'function') return
  if (typeof given !== 'object' || given === null || !('specificationVersion' in given))
    refuse(attempt, path, given, WANTED)
})

/** An object of the user's own class may have more than this. */
const aTool: Shape<TurnTool> = checkedBy(
  { kind: 'local' },
  'tools with name, description, inputSchema and execute',
  (attempt, path, given) => {
    const { name, execute, inputSchema } = (given ?? {}) as Partial<TurnTool>
    if (typeof name !== 'string' || typeof execute !== 'function') refuse(attempt, path, given, aTool.wanted)
    // A schema of Zod or another library is an object too, and no model could read it.
    if (typeof inputSchema !== 'object' || inputSchema === null || '~standard' in inputSchema)
      refuse(attempt, `${path}.inputSchema`, inputSchema, 'a JSON Schema, for example from z.toJSONSchema(schema)')
  },
)

const tools: Shape<readonly TurnTool[]> = withRule(aListOf(aTool), (attempt, path, given) => {
  const names = given.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) refuse(attempt, path, twice, 'each name once')
})

/** `runTurn(session, options)`, without the session. The loop runs here, so there is no request for it. */
export const turnCall: CheckedCall = {
  attempt: 'run a turn',
  options: anObject<TurnOptions>('TurnOptions', {
    model: mustHave(aModel, 'The model: an AI SDK model, or a function that calls any other'),
    // `append` checks it before it stores anything.
    input: mayHave(unchecked('what the user said'), 'What the user said'),
    operationId: mayHave(anId, 'Store the input only once under this id, however often the turn is repeated with it'),
    tools: mayHave(tools, 'The tools that the model may call', 'none'),
    context: mayHave(
      contextOptions,
      'How each context is built: budget, system text, policy, recall',
      'the window of the model, if it is known',
    ),
    stepsMax: mayHave(aCount, 'How often the model may be called', '20'),
    approve: mayHave(aCallback(), 'Decides about calls of tools that need approval', "'later' for each call"),
    onEvent: mayHave(aCallback(), 'Is called with each event of the turn'),
    signal: mayHave(anInstance(AbortSignal, 'an AbortSignal'), 'Stops the turn'),
  }),
}
