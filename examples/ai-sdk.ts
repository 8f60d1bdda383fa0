/**
 * An agent of the AI SDK that remembers.
 *
 *   node examples/ai-sdk.ts "My name is Ada."
 *   node examples/ai-sdk.ts "What is my name?"
 *
 * Without a key, a script plays the part of the model. With OPENAI_API_KEY, a real model replies. The conversation is in the file
 * agent.db.
 */
import process from 'node:process'
import { createOpenAI } from '@ai-sdk/openai'
import { ToolLoopAgent } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { withMemory } from '../src/adapters/ai-sdk/index.ts'
import { openMemory } from '../src/index.ts'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

/** Says how many messages it was given, and the first of them. */
const script = new MockLanguageModelV4({
  doGenerate: ({ prompt }) => {
    const said = prompt.filter(({ role }) => role === 'user' || role === 'assistant')
    const text = `I see ${said.length} messages. The first is ${JSON.stringify(said[0]?.content)}.`
    const finishReason = { unified: 'stop' as const, raw: undefined }
    return Promise.resolve({ content: [{ type: 'text', text }], finishReason, usage, warnings: [] })
  },
})

const { OPENAI_API_KEY: apiKey, DAYBOOK_MEMORY: file = 'agent.db' } = process.env
const agent = new ToolLoopAgent({
  model: apiKey === undefined || apiKey === '' ? script : createOpenAI({ apiKey })('gpt-5-mini'),
  instructions: 'You help customers of Acme.',
})

await using memory = await openMemory(file)
const remembering = withMemory(agent, { scope: memory.scope('acme/ada'), session: 'support-42' })
const { text } = await remembering.generate({ prompt: process.argv[2] ?? 'My name is Ada.' })
console.log(text)
