/**
 * An agent of the AI SDK that remembers, also from one conversation to the next.
 *
 *   node examples/ai-sdk.ts "My name is Ada."
 *   node examples/ai-sdk.ts "What is my name?"
 *   node examples/ai-sdk.ts "What is my name?" another-session
 *
 * Without a key, a script plays the part of the model. With OPENAI_API_KEY, a real model replies. The conversations are in the file
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

/** Says what it was given: how many messages, the first of them, and what was recalled from other conversations. */
const script = new MockLanguageModelV4({
  doGenerate: ({ prompt }) => {
    const texts = prompt.flatMap(({ role, content }) =>
      role === 'user' || role === 'assistant' ? content.flatMap((part) => (part.type === 'text' ? part.text : [])) : [],
    )
    const said = texts.filter((text) => !text.startsWith('<long_term_memory'))
    const recalled = texts
      .filter((text) => text.startsWith('<long_term_memory'))
      .flatMap((text) => text.match(/".+"$/gm) ?? [])
    const text = `I see ${said.length} messages. The first is "${said[0]}". I remember: ${recalled.join(' ') || 'nothing'}.`
    const finishReason = { unified: 'stop' as const, raw: undefined }
    return Promise.resolve({ content: [{ type: 'text', text }], finishReason, usage, warnings: [] })
  },
})

const { OPENAI_API_KEY: apiKey, DAYBOOK_MEMORY: file = 'agent.db' } = process.env
const agent = new ToolLoopAgent({
  model: apiKey === undefined || apiKey === '' ? script : createOpenAI({ apiKey })('gpt-5-mini'),
  instructions: 'You help customers of Acme.',
})

const [, , prompt = 'My name is Ada.', session = 'support-42'] = process.argv
await using memory = await openMemory(file)
const remembering = withMemory(agent, { scope: memory.scope('acme/ada'), session })
const { text } = await remembering.generate({ prompt })
console.log(text)

// A program that goes on need not wait: this one ends before what was said can be found.
await memory.settled()
