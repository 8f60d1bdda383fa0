/**
 * A support bot: a tool that only looks, and a tool that pays and needs the approval of a person.
 *
 *   node examples/support-bot.ts
 *
 * Set DAYBOOK_BASE_URL and DAYBOOK_MODEL for a real model (see model.ts). The conversation is in support.db.
 */
import process from 'node:process'
import { type TurnModelFunction, type TurnTool, openMemory, runTurn } from '../src/index.ts'
import { realModel } from './model.ts'

const order = { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] }
const tools: readonly TurnTool[] = [
  {
    name: 'find_order',
    description: 'Finds an order.',
    inputSchema: order,
    execute: () => ({ state: 'lost', price: 40 }),
  },
  {
    name: 'refund',
    description: 'Refunds an order.',
    inputSchema: order,
    needsApproval: true,
    // The id is the same if the call is repeated after a crash: give it to your payment provider as the idempotency key.
    execute: (_, { id }) => `refunded, reference ${id}`,
  },
]

const call = (name: string): ReturnType<TurnModelFunction> => ({
  role: 'assistant',
  toolCalls: [{ id: `${name}-1`, name, arguments: { order: '7731' } }],
})
const lines = [call('find_order'), call('refund'), 'I have refunded your order.']
const script: TurnModelFunction = () => lines.shift() ?? 'Can I help you with anything else?'

await using memory = await openMemory(process.env['DAYBOOK_MEMORY'] ?? 'support.db')
const chat = memory.scope('acme/ada').session('support-42')
const model = realModel() ?? script
const context = { budget: 8_000, system: 'You help customers of Acme.', recall: true } as const

let result = await runTurn(chat, { model, tools, context, input: 'My order 7731 never arrived. I want my money back.' })
if (result.type === 'waiting') {
  console.log('waits for approval:', result.calls.map(({ name }) => name).join(', '))
  // Minutes or days later, in any process: without input, the turn resumes where the log ends.
  result = await runTurn(chat, { model, tools, context, approve: () => true })
}
console.log(result.type === 'replied' ? result.text : result.type)
