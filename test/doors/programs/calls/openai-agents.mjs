import { MemorySession } from '@openai/agents-core'
import { AgentSession } from 'daybook/openai-agents'

async function call(session, number) {
  const items = [
    { type: 'message', role: 'user', content: `question ${number}` },
    { type: 'function_call', callId: `c${number}`, name: 'look', status: 'completed', arguments: '{}' },
  ]
  await session.applyHistoryTransaction({ operationId: `o${number}`, transaction: { type: 'append_items', items } })
}

export function open(memory) {
  const session = new AgentSession({ scope: memory.scope('a'), session: 's' })
  return { call: (number) => call(session, number), read: () => session.getItems() }
}

export async function expected(calls) {
  const session = new MemorySession()
  for (let number = 0; number < calls; number++) await call(session, number)
  return session.getItems()
}
