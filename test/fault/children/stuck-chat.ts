// Talks with a tool that never ends: whoever started this kills it in the middle of the call.
import process from 'node:process'
import { chat } from '../../../src/cli/chat/chat.ts'
import { scriptedModel } from '../../../src/cli/chat/scripted-model.ts'
import { openMemory } from '../../../src/memory/open-memory.ts'
import type { Tool } from '../../../src/tools/tool.ts'

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
const model: ReturnType<typeof scriptedModel> = {
  ...scriptedModel(),
  doStream: async () => ({
    stream: ReadableStream.from([
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'I look. ' },
      { type: 'text-end', id: '1' },
      { type: 'tool-call', toolCallId: 'call-1', toolName: 'stuck', input: '{}' },
      { type: 'finish', finishReason: { unified: 'tool-calls' }, usage: { inputTokens: {}, outputTokens: {} } },
    ]) as never,
  }),
}

await chat({
  shell: { stdin, stdout, stderr, env: {}, end: () => undefined },
  scope,
  session: scope.session('s'),
  chosen: { model, name: 'a model that calls', scripted: true },
  mode: 'both',
  budget: 8_000,
  json: false,
  tools: [stuck],
})
