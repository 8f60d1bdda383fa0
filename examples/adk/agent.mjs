/**
 * An agent of Google's ADK that remembers, also from one session to the next.
 *
 *   npm install daybook @google/adk
 *   GEMINI_API_KEY=… node agent.mjs "My order is 7731."
 *   GEMINI_API_KEY=… node agent.mjs "Which order is mine?"
 *
 * Each run is a new session. What earlier ones said comes from memory.
 */
import { LlmAgent, PRELOAD_MEMORY, Runner } from '@google/adk'
import { openMemory } from 'daybook'
import { DaybookMemoryService, DaybookSessionService } from 'daybook/adk'

await using memory = await openMemory('agent.db')
const sessionService = new DaybookSessionService(memory)
const memoryService = new DaybookMemoryService(memory)

const agent = new LlmAgent({ name: 'helper', model: 'gemini-3-pro', tools: [PRELOAD_MEMORY] })
const runner = new Runner({ appName: 'shop', agent, sessionService, memoryService })

const userId = 'ada'
const { id: sessionId } = await sessionService.createSession({ appName: 'shop', userId })
const newMessage = { role: 'user', parts: [{ text: process.argv[2] ?? 'My order is 7731.' }] }
for await (const { content } of runner.runAsync({ userId, sessionId, newMessage }))
  for (const { text } of content?.parts ?? []) if (text !== undefined) console.log(text)
