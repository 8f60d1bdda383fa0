import { beforeAll, describe, expect, it } from 'vitest'
import { type Project, makeProject } from './project.ts'

/** What people write with each SDK: what a context gives goes in, what comes back is appended. No casts. */
const programs: Readonly<Record<string, string>> = {
  openai: `
    import OpenAI from 'openai'
    const openai = new OpenAI({ apiKey: 'none' })
    export async function chat(): Promise<void> {
      const reply = await openai.chat.completions.create({ model: 'gpt-5', messages: context.as('openai') })
      await session.append(fromOpenAI(reply))
      const messages: OpenAI.ChatCompletionMessageParam[] = convert([], { from: 'daybook', to: 'openai' })
      await session.append(messages, { from: 'openai' })
    }`,
  'openai-responses': `
    import OpenAI from 'openai'
    const openai = new OpenAI({ apiKey: 'none' })
    export async function respond(): Promise<void> {
      const reply = await openai.responses.create({ model: 'gpt-5', input: context.as('openai-responses') })
      await session.append(fromOpenAIResponses(reply))
      const input: OpenAI.Responses.ResponseInput = convert([], { from: 'daybook', to: 'openai-responses' })
      await session.append(input, { from: 'openai-responses' })
    }`,
  anthropic: `
    import Anthropic from '@anthropic-ai/sdk'
    const anthropic = new Anthropic({ apiKey: 'none' })
    export async function message(): Promise<void> {
      const reply = await anthropic.messages.create({ model: 'claude-opus-5', max_tokens: 100, ...context.as('anthropic') })
      await session.append(fromAnthropic(reply))
      const messages: Anthropic.MessageParam[] = convert([], { from: 'daybook', to: 'anthropic' }).messages
      await session.append(messages, { from: 'anthropic' })
    }`,
  gemini: `
    import { type Content, GoogleGenAI } from '@google/genai'
    const google = new GoogleGenAI({ apiKey: 'none' })
    export async function generate(): Promise<void> {
      const { contents, ...config } = context.as('gemini')
      const reply = await google.models.generateContent({ model: 'gemini-2.5-flash', contents, config })
      await session.append(fromGemini(reply))
      const history: Content[] = contents
      await session.append(history, { from: 'gemini' })
    }`,
  'ai-sdk': `
    import { type LanguageModel, type ModelMessage, generateText } from 'ai'
    export async function answer(model: LanguageModel): Promise<void> {
      const reply = await generateText({ model, ...context.as('ai-sdk') })
      await session.append(fromAISDK(reply))
      const messages: ModelMessage[] = convert([], { from: 'daybook', to: 'ai-sdk' }).messages
      await session.append(messages, { from: 'ai-sdk' })
    }`,
  'ai-sdk-ui': `
    import { type UIMessage, convertToModelMessages } from 'ai'
    export async function show(shown: UIMessage[]): Promise<void> {
      await session.append(shown, { from: 'ai-sdk-ui' })
      const messages: UIMessage[] = context.as('ai-sdk-ui')
      await convertToModelMessages(messages)
    }`,
  langchain: `
    import { AIMessage, type BaseMessage, HumanMessage, mapStoredMessagesToChatMessages, ToolMessage } from '@langchain/core/messages'
    export async function chain(): Promise<void> {
      const messages: BaseMessage[] = mapStoredMessagesToChatMessages(context.as('langchain'))
      await session.append(messages, { from: 'langchain' })
      await session.append([new HumanMessage('Hi'), new AIMessage('Hello')], { from: 'langchain' })
    }`,
}

describe('the dialects', () => {
  let project: Project
  beforeAll(async () => {
    const sdks = ['openai', '@anthropic-ai/sdk', '@google/genai', 'ai', '@langchain/core']
    project = await makeProject([...sdks, 'typescript@7', '@types/node@24'])
    for (const [dialect, text] of Object.entries(programs)) {
      const from = /from[A-Z]\w+/.exec(text)?.[0]
      const names = ['convert', ...(from === undefined ? [] : [from])].filter((name) => text.includes(`${name}(`))
      project.write(
        `${dialect}.ts`,
        `import { ${[...names, 'type Session'].join(', ')} } from 'daybook'
         import type { Context } from 'daybook/types'
         declare const context: Context
         declare const session: Session
         ${text}`,
      )
    }
  })

  it.each(Object.keys(programs))(
    '[anywhere-14] %s compiles against its SDK in both directions, without a cast',
    async (dialect) => {
      const compilerOptions = { noEmit: true, strict: true, target: 'es2023', module: 'nodenext', skipLibCheck: true }
      project.write(
        'tsconfig.json',
        JSON.stringify({ compilerOptions: { ...compilerOptions, types: ['node'] }, files: [`${dialect}.ts`] }),
      )
      expect((await project.run(project.bin('tsc'), ['-p', '.'])).output).toBe('')
    },
  )

  it('[anywhere-14] messages of LangChain are appended and come back as messages of LangChain', async () => {
    project.write(
      'langchain.js',
      `
      import { AIMessage, HumanMessage, ToolMessage, mapStoredMessagesToChatMessages } from '@langchain/core/messages'
      import { openMemory } from 'daybook'
      const memory = await openMemory(':memory:')
      const session = memory.scope('a').session('s')
      const call = { id: 'c1', name: 'weather', args: { city: 'Oslo' }, type: 'tool_call' }
      await session.append([
        new HumanMessage('Rain in Oslo?'),
        new AIMessage({ content: '', tool_calls: [call] }),
        new ToolMessage({ content: 'yes', tool_call_id: 'c1' }),
      ], { from: 'langchain' })
      const context = await session.context({ budget: 2000 })
      const messages = mapStoredMessagesToChatMessages(context.as('langchain'))
      await memory.close()
      console.log(JSON.stringify(messages.map((message) => [message.constructor.name, message.text, message.tool_calls?.[0]?.args, message.tool_call_id])))`,
    )
    const { code, stdout, output } = await project.run(process.execPath, ['langchain.js'])
    expect(code, output).toBe(0)
    expect(JSON.parse(stdout)).toEqual([
      ['HumanMessage', 'Rain in Oslo?', null, null],
      ['AIMessage', '', { city: 'Oslo' }, null],
      ['ToolMessage', 'yes', null, 'c1'],
    ])
  })
})
