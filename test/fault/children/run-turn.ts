// Runs one turn of an agent and kills itself somewhere in the middle of it.
import { appendFileSync } from 'node:fs'
import process from 'node:process'
import { runTurn } from '../../../src/agent/run-turn.ts'
import type { TurnTool } from '../../../src/api/turn.ts'
import { openMemory } from '../../../src/memory/open-memory.ts'

const [, , file = '', effects = '', where = ''] = process.argv
const STEPS = 4
const { point, ms } = JSON.parse(where) as { readonly point?: number; readonly ms?: number }

let points = 0
/** A place where the process may end. */
function pass(): void {
  if (points++ === point) process.kill(process.pid, 'SIGKILL')
}

const memory = await openMemory(file, { learn: false })
const session = memory.scope('acme/ada').session('s')

const act: TurnTool = {
  name: 'act',
  description: 'Does something that can be seen from outside.',
  inputSchema: { type: 'object' },
  async execute(_input, { id }) {
    pass()
    appendFileSync(effects, `${id}\n`)
    pass()
    await new Promise((resolve) => setTimeout(resolve, 1))
    return `did ${id}`
  },
}

if (ms !== undefined) setTimeout(() => process.kill(process.pid, 'SIGKILL'), ms)
const result = await runTurn(session, {
  input: 'Do it all.',
  operationId: 'the-turn',
  tools: [act],
  context: { budget: 4_000 },
  onEvent: pass,
  model: async ({ context, onText }) => {
    pass()
    const done = context.messages.filter(({ role }) => role === 'assistant').length
    await new Promise((resolve) => setTimeout(resolve, 1))
    if (done === STEPS) {
      // Long enough that a part of the reply is stored before the rest comes.
      for (const delta of ['All ', 'is ', 'done.']) {
        onText(delta)
        pass()
        await new Promise((resolve) => setTimeout(resolve, 110))
      }
      return 'All is done.'
    }
    return {
      role: 'assistant',
      toolCalls: ['a', 'b'].map((name) => ({ id: `${done}-${name}`, name: 'act', arguments: { done } })),
    }
  },
})
await memory.close()
process.stdout.write(`${JSON.stringify(result)}\n`)
