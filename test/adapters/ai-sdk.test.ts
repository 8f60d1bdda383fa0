import type { LanguageModelV4Content, LanguageModelV4GenerateResult, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import {
  type ModelMessage,
  ToolLoopAgent,
  type ToolSet,
  type UIMessage,
  convertToModelMessages,
  generateText,
  isStepCount,
  jsonSchema,
  streamText,
  tool,
  validateUIMessages,
  wrapLanguageModel,
} from 'ai'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadChat, middleware, prepareStep, saveChat, tools, withMemory } from '../../src/adapters/ai-sdk/index.ts'
import type { MemoryForModel } from '../../src/adapters/ai-sdk/index.ts'
import { promptMessages } from '../../src/adapters/ai-sdk/prompt-messages.ts'
import type { Memory } from '../../src/api/memory.ts'
import type { Scope } from '../../src/api/scope.ts'
import { convert } from '../../src/dialects/convert.ts'
import type { Message } from '../../src/domain/message.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { times } from '../tier.ts'

let memory: Memory
let scope: Scope
beforeEach(async () => {
  memory = await openMemory(':memory:')
  scope = memory.scope('acme/ada')
})
afterEach(() => memory.close())

const usage = {
  inputTokens: { total: 5, noCache: 5, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
}

type Reply = readonly LanguageModelV4Content[]
const text = (said: string): Reply => [{ type: 'text', text: said }]
const calls = (...ids: readonly string[]): Reply =>
  ids.map((id) => ({ type: 'tool-call', toolCallId: id, toolName: 'look', input: '{"at":1}' }))

function finishOf(reply: Reply): LanguageModelV4GenerateResult['finishReason'] {
  const unified = reply.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop'
  return { unified, raw: undefined }
}

function chunks(reply: Reply): LanguageModelV4StreamPart[] {
  const parts = reply.flatMap((part, index): LanguageModelV4StreamPart[] => {
    if (part.type !== 'text') return [part as LanguageModelV4StreamPart]
    const id = String(index)
    const deltas = (part.text.match(/.{1,3}/gsu) ?? []).map((delta) => ({ type: 'text-delta' as const, id, delta }))
    return [{ type: 'text-start', id }, ...deltas, { type: 'text-end', id }]
  })
  return [{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', usage, finishReason: finishOf(reply) }]
}

/** Replies in order, streamed or not. */
function script(...replies: readonly Reply[]): MockLanguageModelV4 {
  let next = 0
  const reply = (): Reply => replies[next++] ?? text('nothing left to say')
  return new MockLanguageModelV4({
    modelId: 'scripted',
    doGenerate: () => {
      const content = reply()
      return Promise.resolve({ content: [...content], finishReason: finishOf(content), usage, warnings: [] })
    },
    doStream: () =>
      Promise.resolve({
        stream: simulateReadableStream({ chunks: chunks(reply()), initialDelayInMs: null, chunkDelayInMs: null }),
      }),
  })
}

function remembering(model: MockLanguageModelV4, more: Partial<MemoryForModel> = {}) {
  return wrapLanguageModel({ model, middleware: middleware({ scope, session: 's', ...more }) })
}

async function log(): Promise<readonly string[]> {
  const live = await scope.session('s').history()
  return live.map(
    ({ role, parts }) => `${role}: ${parts.map((part) => ('text' in part ? part.text : part.type)).join(' ')}`,
  )
}

/** A tool that keeps what was in the log when it ran. */
function looking(): { readonly tools: ToolSet; readonly seen: (readonly string[])[] } {
  const seen: (readonly string[])[] = []
  const look = tool({
    description: 'Looks.',
    inputSchema: jsonSchema<object>({ type: 'object' }),
    execute: async () => {
      seen.push(await log())
      return 'found'
    },
  })
  return { tools: { look }, seen }
}

const stopWhen = isStepCount(5)

describe('the middleware', () => {
  it('[hosts-3] remembers a conversation of which the program gives only what is new', async () => {
    const model = script(text('Hello Ada.'), text('You are Ada.'))
    const remember = remembering(model)
    await generateText({ model: remember, instructions: 'Be kind.', prompt: 'I am Ada.' })
    await generateText({ model: remembering(model), instructions: 'Be kind.', prompt: 'Who am I?' })
    expect(await log()).toEqual([
      'user: I am Ada.',
      'assistant: Hello Ada.',
      'user: Who am I?',
      'assistant: You are Ada.',
    ])
    const prompt = model.doGenerateCalls[1]?.prompt ?? []
    expect(prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
  })

  it.each(['generate', 'stream'])(
    '[hosts-4] stores each reply before its tools run, and each result (%s)',
    async (how) => {
      await scope.session('s').append([
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello' },
      ])
      const model = script([...text('Wait.'), ...calls('c1', 'c2')], calls('c3'), text('Done.'))
      const { tools: own, seen } = looking()
      const terms = { model: remembering(model), tools: own, prompt: 'Look!', stopWhen }
      if (how === 'generate') await generateText(terms)
      else await streamText(terms).consumeStream()
      expect(seen).toHaveLength(3)
      for (const at of seen.slice(0, 2)) expect(at.at(-1)).toBe('assistant: Wait. tool-call tool-call')
      expect(await log()).toEqual([
        'user: Hi',
        'assistant: Hello',
        'user: Look!',
        'assistant: Wait. tool-call tool-call',
        'tool: tool-result tool-result',
        'assistant: tool-call',
        'tool: tool-result',
        'assistant: Done.',
      ])
      // All steps of the turn had the history before it.
      const asked = how === 'generate' ? model.doGenerateCalls : model.doStreamCalls
      expect(asked.map(({ prompt }) => prompt[0]?.content)).toEqual(
        Array.from({ length: 3 }, () => [{ type: 'text', text: 'Hi' }]),
      )
    },
  )

  it('[hosts-3] fits the first turn of a conversation into the budget too, and leaves the next one to a host that keeps it', async () => {
    const model = script(calls('c1'), text('One is lost.'), text('In Hamburg.'))
    const remember = remembering(model, { context: { budget: 6_000 } })
    const look = tool({
      description: 'Looks.',
      inputSchema: jsonSchema<object>({ type: 'object' }),
      execute: () => 'order 7731 was delivered\n'.repeat(2_400),
    })
    const asked: ModelMessage = { role: 'user', content: 'List my orders.' }
    const first = await generateText({ model: remember, messages: [asked], tools: { look }, stopWhen })
    expect(JSON.stringify(model.doGenerateCalls[1]?.prompt).length).toBeLessThan(30_000)
    const messages: ModelMessage[] = [asked, ...first.responseMessages, { role: 'user', content: 'Where is it?' }]
    await generateText({ model: remember, messages })
    expect(JSON.stringify(model.doGenerateCalls[2]?.prompt).length).toBeGreaterThan(60_000)
    expect(await log()).toHaveLength(6)
  })

  it('[hosts-5] recalls once a turn, and never stores what it recalled', async () => {
    await scope.session('earlier').append({ role: 'user', content: 'My favourite colour is teal.' })
    await memory.settled()
    let recalls = 0
    const counting = new Proxy(scope, {
      get: (target, name, receiver) => {
        if (name === 'recall') recalls += 1
        const value: unknown = Reflect.get(target, name, receiver)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const model = script(calls('c1'), calls('c2'), text('Teal.'))
    const { tools: own } = looking()
    const remember = remembering(model, { scope: counting })
    await generateText({ model: remember, tools: own, prompt: 'What is my favourite colour?', stopWhen })
    expect(recalls).toBe(1)
    for (const { prompt } of model.doGenerateCalls) expect(JSON.stringify(prompt)).toContain('teal')
    expect(JSON.stringify(await log())).not.toContain('long_term_memory')
    const quiet = script(text('No idea.'))
    await generateText({
      model: remembering(quiet, { mode: 'agent', session: 't' }),
      prompt: 'What is my favourite colour?',
    })
    expect(JSON.stringify(quiet.doGenerateCalls)).not.toContain('teal')
  })

  it('[hosts-64] the recorded context is the request as it was sent: instructions, conversation and what was recalled', async () => {
    await scope.session('earlier').append({ role: 'user', content: 'My favourite colour is teal.' })
    await memory.settled()
    const model = script(text('Hello.'), calls('c1'), text('Teal.'))
    const { tools: own } = looking()
    const remember = remembering(model)
    const instructions = 'You help Ada.'
    await generateText({ model: remember, instructions, prompt: 'Hi' })
    await generateText({ model: remember, instructions, tools: own, prompt: 'What is my favourite colour?', stopWhen })
    const session = scope.session('s')
    const recorded = (await session.contexts()).toReversed()
    const sent = model.doGenerateCalls.map(({ prompt }) => prompt)
    expect(recorded).toHaveLength(sent.length)
    for (const [index, { id }] of recorded.entries()) {
      const { messages, agrees } = await session.contextAt(id)
      expect(agrees).toBe(true)
      expect(promptMessages(convert(messages, { from: 'daybook', to: 'ai-sdk' }))).toEqual(sent[index])
      expect(JSON.stringify(sent[index])).toMatch(index === 0 ? /You help Ada\..*Hi/ : /You help Ada\..*teal/)
    }
    const marked = {
      role: 'system' as const,
      content: instructions,
      providerOptions: { anthropic: { cacheControl: {} } },
    }
    await generateText({ model: remember, instructions: [marked], prompt: 'Bye' })
    expect(model.doGenerateCalls.at(-1)?.prompt[0]).toMatchObject(marked)
  })

  it('[hosts-6] a reader that goes away loses nothing, and a reply that is stopped is kept as far as it came', async () => {
    const whole = 'A long reply that nobody reads to its end.'
    const gone = streamText({ model: remembering(script(text(whole))), prompt: 'Go on' })
    const reader = gone.textStream.getReader()
    await reader.read()
    await reader.cancel()
    await expect.poll(log).toEqual(['user: Go on', `assistant: ${whole}`])
    const stop = new AbortController()
    const model = new MockLanguageModelV4({
      doStream: ({ abortSignal }) =>
        Promise.resolve({
          stream: new ReadableStream<LanguageModelV4StreamPart>({
            start: (controller) => {
              for (const part of chunks(text('Half')).slice(0, 3)) controller.enqueue(part)
              abortSignal?.addEventListener('abort', () => controller.error(abortSignal.reason))
            },
          }),
        }),
    })
    const cut = streamText({ model: remembering(model, { session: 'cut' }), prompt: 'Go', abortSignal: stop.signal })
    for await (const _ of cut.textStream) stop.abort()
    const session = scope.session('cut')
    await expect.poll(() => session.count()).toBe(2)
    expect(await session.recent(1)).toMatchObject([{ parts: [{ text: 'Hal' }], metadata: { interrupted: true } }])
  })

  it('[hosts-7] a request that is repeated stores nothing twice', async () => {
    let tries = 0
    const model = new MockLanguageModelV4({
      doGenerate: () => {
        if (++tries < 3) throw Object.assign(new Error('busy'), { name: 'AI_APICallError', isRetryable: true })
        return Promise.resolve({ content: [...text('Hi.')], finishReason: finishOf([]), usage, warnings: [] })
      },
    })
    for (let attempt = 0; attempt < 3; attempt++)
      await generateText({ model: remembering(model), prompt: 'Hello?', maxRetries: 0 }).catch(() => undefined)
    expect(await log()).toEqual(['user: Hello?', 'assistant: Hi.'])
  })

  it('[hosts-3] refuses options that are wrong, and says what to give', () => {
    expect(() => middleware({ scope: 'acme/ada', session: 's' } as never)).toThrow(/memory\.scope\('acme\/ada'\)/)
    expect(() => middleware({ scope, session: 's', mode: 'dynamic' } as never)).toThrow(/static, agent, both/)
    expect(() => middleware({ scope } as never)).toThrow(/session/)
    expect(() => withMemory({}, { scope, session: 's' })).toThrow(/ToolLoopAgent/)
  })
})

describe('an agent with memory', () => {
  it.each(['static', 'agent', 'both'] as const)('[hosts-8] remembers in mode %s', async (mode) => {
    const model = script(text('Noted.'), text('Ada.'))
    const agent = new ToolLoopAgent({ model, instructions: 'Be kind.', tools: looking().tools })
    await withMemory(agent, { scope, session: 's', mode }).generate({ prompt: 'I am Ada.' })
    const streamed = await withMemory(agent, { scope, session: 's', mode }).stream({ prompt: 'Who am I?' })
    expect(await streamed.text).toBe('Ada.')
    expect(await log()).toEqual(['user: I am Ada.', 'assistant: Noted.', 'user: Who am I?', 'assistant: Ada.'])
    const offered = model.doGenerateCalls[0]?.tools?.map(({ name }) => name) ?? []
    expect(offered.includes('retrieve_from_memory')).toBe(mode !== 'static')
    expect(offered).not.toContain('forget')
    expect(offered).toContain('look')
    expect(JSON.stringify(model.doStreamCalls[0]?.prompt)).toContain('I am Ada.')
  })

  it('[hosts-8] uses its tools: what it records in one conversation it finds in another', async () => {
    const record: Reply = [
      {
        type: 'tool-call',
        toolCallId: 'r1',
        toolName: 'record_to_memory',
        input: JSON.stringify({ thinking: 'useful', content: ['Ada likes tea'] }),
      },
    ]
    const agent = new ToolLoopAgent({ model: script(record, text('I will remember.')) })
    await withMemory(agent, { scope, session: 's', mode: 'agent' }).generate({ prompt: 'I like tea.' })
    expect((await scope.facts()).map((fact) => fact.text)).toContain('Ada likes tea')
    const own = ['record_to_memory', 'retrieve_from_memory', 'retract', 'list_facts']
    expect(Object.keys(tools(scope))).toEqual(own)
    expect(Object.keys(tools(scope, { allowDestroy: true })).toSorted()).toEqual([...own, 'forget'].toSorted())
    expect(() => tools(scope, { allowDestroy: 'yes' as never })).toThrow('expected true or false')
    expect(Object.keys(tools(scope, { session: 's' }))).toContain('search_history')
  })
})

describe('prepareStep', () => {
  it('[hosts-9] fits a long conversation into the window, and the middleware stores it once', async () => {
    const history: ModelMessage[] = Array.from({ length: 60 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `Message ${index}. ${'And so on, and so forth. '.repeat(20)}`,
    }))
    const model = script(calls('c1'), text('Done.'))
    const options = { scope, session: 's', context: { budget: 3_000 } }
    const { tools: own } = looking()
    await generateText({
      model: remembering(model, options),
      prepareStep: prepareStep(options),
      tools: own,
      messages: [...history, { role: 'user', content: 'And now?' }],
      stopWhen,
    })
    expect(await scope.session('s').history()).toHaveLength(64)
    for (const { prompt } of model.doGenerateCalls) {
      expect(JSON.stringify(prompt).length).toBeLessThan(20_000)
      expect(JSON.stringify(prompt)).toContain('And now?')
    }
  })
})

describe('chats', () => {
  it('[hosts-10] a chat is loaded as the user interface saved it', async () => {
    const messages: UIMessage[] = [
      { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Weather?' }] },
      {
        id: 'm1',
        role: 'assistant',
        metadata: { model: 'x' },
        parts: [
          { type: 'step-start' },
          { type: 'tool-look', toolCallId: 'c', state: 'output-available', input: {}, output: { rain: true } },
          { type: 'step-start' },
          { type: 'text', text: 'Rain.', state: 'done' },
        ],
      },
    ]
    expect(await loadChat(scope, 's')).toEqual([])
    await saveChat(scope, { chatId: 's', messages })
    expect(await loadChat(scope, 's')).toEqual(messages)
    expect(await saveChat(scope, { chatId: 's', messages })).toMatchObject({ appended: [], revised: [], removed: [] })
    const [first] = messages
    const edited = { ...first, parts: [{ type: 'text', text: 'Weather today?' }] } as UIMessage
    await saveChat(scope, { chatId: 's', message: edited })
    expect(await loadChat(scope, 's')).toEqual([edited, messages[1]])
  })

  it('[hosts-10] what the middleware stored is loaded, and saving the chat stores nothing twice', async () => {
    const { tools: own } = looking()
    const asked: UIMessage = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Look!' }] }
    const model = script([...text('Wait.'), ...calls('c1')], text('Done.'), text('Again.'))
    const turn = async (messages: UIMessage[]): Promise<UIMessage[]> => {
      const result = streamText({
        model: remembering(model),
        tools: own,
        messages: await convertToModelMessages(messages),
        stopWhen,
      })
      const ended = new Promise<UIMessage[]>((resolve) => {
        const stream = result.toUIMessageStream({
          originalMessages: messages,
          generateMessageId: () => `m${messages.length}`,
          onEnd: ({ messages: all }) => resolve(all),
        })
        void stream.pipeTo(new WritableStream())
      })
      return ended
    }
    const first = await turn([asked])
    await validateUIMessages({ messages: await loadChat(scope, 's') })
    await saveChat(scope, { chatId: 's', messages: first })
    expect(await scope.session('s').history()).toHaveLength(4)
    expect((await loadChat(scope, 's')).map(({ id }) => id)).toEqual(['u1', 'm1'])
    const second = await turn([...first, { id: 'u2', role: 'user', parts: [{ type: 'text', text: 'And?' }] }])
    await saveChat(scope, { chatId: 's', messages: second })
    expect(await saveChat(scope, { chatId: 's', messages: second })).toMatchObject({ appended: [], removed: [] })
    expect(await log()).toHaveLength(6)
    expect((await loadChat(scope, 's')).map(({ id }) => id)).toEqual(['u1', 'm1', 'u2', 'm3'])
  })
})

const turn = fc.record({
  asks: fc.string({ minLength: 1, maxLength: 10 }).filter((said) => said.trim() !== ''),
  steps: fc.array(fc.nat({ max: 3 }), { maxLength: 3 }),
  streamed: fc.boolean(),
  fails: fc.boolean(),
  fromHost: fc.boolean(),
})

it('[hosts-4] after random turns the log has what the host saw, each message once', async () => {
  let runs = 0
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 5 }), async (turns) => {
      const session = `p${++runs}`
      const seen: ModelMessage[] = []
      let serial = 0
      for (const { asks, steps, streamed, fails, fromHost } of turns) {
        const replies = [...steps.map((count) => (count === 0 ? text('Hm.') : calls(...ids(count)))), text('So.')]
        const model = script(...replies)
        const asked: ModelMessage = { role: 'user', content: `${++serial} ${asks}` }
        const options = { model: remembering(model, { session, mode: 'agent' }), tools: looking().tools, stopWhen }
        const broken = new MockLanguageModelV4({ doGenerate: () => Promise.reject(new Error('down')) })
        const messages = fromHost ? [...seen, asked] : [asked]
        if (fails)
          await expect(
            generateText({
              ...options,
              model: remembering(broken, { session, mode: 'agent' }),
              messages,
              maxRetries: 0,
            }),
          ).rejects.toThrow('down')
        const result = streamed ? streamText({ ...options, messages }) : await generateText({ ...options, messages })
        if (streamed) await (result as { consumeStream(): PromiseLike<void> }).consumeStream()
        seen.push(asked, ...(await result.responseMessages))
      }
      const stored = (await memory.scope('acme/ada').session(session).history()) as readonly Message[]
      const expected = convert(seen, { from: 'ai-sdk', to: 'daybook' })
      expect(stored.map(({ role, parts }) => ({ role, parts }))).toEqual(
        expected.map(({ role, parts }) => ({ role, parts })),
      )
    }),
    { numRuns: times({ daily: 10, nightly: 2_000 }) },
  )

  function ids(count: number): readonly string[] {
    return Array.from({ length: count }, () => `call-${++runs}-${Math.trunc(performance.now() * 1_000)}`)
  }
})
