// Talks with a tool that never ends: whoever started this kills it in the middle of the call.
import process from 'node:process'
import { chat } from '../../../src/cli/chat/chat.ts'
import type { TurnModelFunction } from '../../../src/api/turn.ts'
import { openMemory } from '../../../src/memory/open-memory.ts'
import type { Tool } from '../../../src/api/tool.ts'

const [, , file = ''] = process.argv
const { stdin, stdout, stderr } = process
const memory = await openMemory(file)
const scope = memory.scope('acme/ada')

const stuck: Tool = {
  name: 'stuck',
  description: 'Never ends.',
  inputSchema: { type: 'object', properties: {} },
  execute: () =>
    new Promise(() => {
      stdout.write('in the middle\n')
    }),
}

/** Calls the tool that never ends, whatever is said. */
const model: TurnModelFunction = ({ onText }) => {
  onText('I look. ')
  return { role: 'assistant', content: 'I look. ', toolCalls: [{ id: 'call-1', name: 'stuck', arguments: {} }] }
}

await chat({
  shell: { stdin, stdout, stderr, env: {}, argv: [], end: () => undefined },
  scope,
  session: scope.session('s'),
  chosen: { model, name: 'a model that calls', scripted: true },
  mode: 'both',
  budget: 8_000,
  json: false,
  tools: [stuck],
})
