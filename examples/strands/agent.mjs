/**
 * An agent of Strands that remembers, also from one session to the next.
 *
 *   npm install daybook @strands-agents/sdk
 *   node agent.mjs session-1 "My order is 7731."
 *   node agent.mjs session-2 "Which order is mine?"
 *
 * The model is that of Amazon Bedrock, with the credentials of your machine.
 */
import { Agent, SessionManager } from '@strands-agents/sdk'
import { openMemory } from 'daybook'
import { DaybookMemoryStore, DaybookSnapshotStorage } from 'daybook/strands'

const [, , sessionId = 'session-1', prompt = 'My order is 7731.'] = process.argv
await using memory = await openMemory('agent.db')
const scope = memory.scope('acme/ada')

const agent = new Agent({
  printer: false,
  sessionManager: new SessionManager({ sessionId, storage: { snapshot: new DaybookSnapshotStorage(scope) } }),
  // Finds what bears on each question and shows it to the model.
  memoryManager: { stores: [new DaybookMemoryStore(scope)], injection: true },
})
const { lastMessage } = await agent.invoke(prompt)
for (const block of lastMessage.content) if (block.type === 'textBlock') console.log(block.text)

// Stored now, not after some turns, so that the next session finds it.
await agent.memoryManager?.flush()
