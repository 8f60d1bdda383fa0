/**
 * An agent with Anthropic's memory tool. Its files are in agent.db instead of on a disk.
 *
 *   npm install daybook @anthropic-ai/sdk
 *   ANTHROPIC_API_KEY=… node agent.mjs "Tea at five. Note it down."
 *   ANTHROPIC_API_KEY=… node agent.mjs "When do I have tea?"
 */
import Anthropic from '@anthropic-ai/sdk'
import { openMemory } from 'daybook'
import { memoryTool } from 'daybook/anthropic'

await using memory = await openMemory('agent.db')
const scope = memory.scope('acme/ada')

const reply = await new Anthropic().beta.messages.toolRunner({
  model: 'claude-opus-5',
  max_tokens: 1024,
  messages: [{ role: 'user', content: process.argv[2] ?? 'Tea at five. Note it down.' }],
  tools: [memoryTool(scope)],
})
for (const block of reply.content) if (block.type === 'text') console.log(block.text)

// The same files, as any other program reads them.
for (const { key, bytes } of await scope.records('memories').list()) console.log(`/memories/${key}: ${bytes} bytes`)
