/**
 * An agent with one tool, in its own loop.
 *
 *   node examples/agent-loop.ts "When does my parcel 7731 arrive?"
 *
 * Without a model, a script plays its part. With DAYBOOK_BASE_URL (any OpenAI-compatible address), DAYBOOK_MODEL and, if the
 * address wants one, DAYBOOK_API_KEY, a real model replies. The conversation is in the file agent.db: run it again, or kill it
 * and run it again.
 */
import process from 'node:process'
import { type TurnModelFunction, type TurnTool, openMemory, runTurn } from '../src/index.ts'
import { realModel } from './model.ts'

const track: TurnTool = {
  name: 'track_parcel',
  description: 'Looks up where a parcel is.',
  inputSchema: { type: 'object', properties: { parcel: { type: 'string' } }, required: ['parcel'] },
  execute: (input) => ({ ...(input as object), place: 'Lisbon', arrives: 'tomorrow' }),
}

/** Calls the tool for the first number it finds, then says what the tool returned. */
const script: TurnModelFunction = ({ context }) => {
  const last = context.messages.at(-1)
  if (last?.role === 'tool') return `The tool says: ${JSON.stringify(last.parts[0])}`
  const parcel = /\d+/.exec(JSON.stringify(last?.parts))?.[0]
  if (parcel === undefined) return 'Which parcel do you mean?'
  const id = `call-${context.messages.length}`
  return { role: 'assistant', toolCalls: [{ id, name: 'track_parcel', arguments: { parcel } }] }
}

const { DAYBOOK_MEMORY: file = 'agent.db' } = process.env
await using memory = await openMemory(file)
const result = await runTurn(memory.scope('acme/ada').session('parcels'), {
  model: realModel() ?? script,
  tools: [track],
  input: process.argv[2] ?? 'When does my parcel 7731 arrive?',
  context: { budget: 8_000, system: 'You help customers of Acme.', recall: true },
  onEvent: (event) => {
    if (event.type === 'tool-start') console.log(`calls ${event.call.name} ${JSON.stringify(event.call.input)}`)
  },
})
console.log(result)
