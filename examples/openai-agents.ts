/**
 * The history of an agent of the OpenAI Agents SDK, kept in a file.
 *
 *   node examples/openai-agents.ts
 *
 * With the packages @openai/agents and zod, give the session to a run: `await run(agent, 'I am Ada.', { session })`. This program plays
 * the part of the runner, so that it needs neither a package nor a key.
 */
import process from 'node:process'
import { AgentSession } from '../src/adapters/openai-agents/index.ts'
import { openMemory } from '../src/index.ts'

await using memory = await openMemory(process.env['DAYBOOK_MEMORY'] ?? 'agent.db')
const scope = memory.scope('acme/ada')
const session = new AgentSession({ scope, session: 'support-42' })

await session.addItems([
  { type: 'message', role: 'user', content: 'Where is my order 7731?' },
  { type: 'function_call', callId: 'c1', name: 'track', status: 'completed', arguments: '{"order":7731}' },
  {
    type: 'function_call_result',
    callId: 'c1',
    name: 'track',
    status: 'completed',
    output: { type: 'text', text: 'in Lisbon' },
  },
])
console.log(`${(await session.getItems()).length} items for the next run`)

// The same conversation, as Daybook shows it to any other program.
for (const { role, parts } of await scope.session('support-42').history()) console.log(role, JSON.stringify(parts))
