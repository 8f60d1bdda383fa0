import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, streamText } from 'ai'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { type Proxy, proxy } from '../../src/server/proxy/proxy.ts'

/** A provider on loopback: plays back replies and keeps the requests that it was sent. */
interface Provider {
  readonly url: string
  readonly requests: { readonly path: string; readonly body: Record<string, unknown>; readonly key: unknown }[]
  /** If it `breaks`, the connection is lost before the end. */
  reply: { status: number; type: string; pieces: readonly string[]; breaks?: boolean }
  /** A reply is sent when this is settled. */
  until?: Promise<void>
  close(): void
}

async function provide(): Promise<Provider> {
  const requests: Provider['requests'] = []
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    const key = request.headers.authorization ?? request.headers['x-api-key']
    requests.push({
      path: request.url ?? '',
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
      key,
    })
    const { status, type, pieces, breaks = false } = provider.reply
    await provider.until
    response.writeHead(status, { 'content-type': type, 'x-request-id': 'r1' })
    for (const piece of pieces) {
      response.write(piece)
      await new Promise(setImmediate)
    }
    if (breaks) setTimeout(() => response.destroy(), 20)
    else response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const reply = { status: 200, type: 'application/json', pieces: ['{}'] }
  const provider: Provider = { url: `http://127.0.0.1:${port}`, requests, reply, close: () => server.close() }
  return provider
}

let memory: Memory
let provider: Provider
let between: Proxy
beforeEach(async () => {
  memory = await openMemory(':memory:', { learn: false })
  provider = await provide()
  between = await proxy(memory.scope('acme/ada'), {
    port: 0,
    openai: provider.url,
    anthropic: provider.url,
    budget: 600,
  })
})
afterEach(async () => {
  await between.close()
  provider.close()
  await memory.close()
})

const json = (value: object): Provider['reply'] => ({
  status: 200,
  type: 'application/json',
  pieces: [JSON.stringify(value)],
})
const events = (...all: readonly (object | string)[]): Provider['reply'] => ({
  status: 200,
  type: 'text/event-stream',
  pieces: all.flatMap((one) => {
    const data = typeof one === 'string' ? one : JSON.stringify(one)
    const name = typeof one === 'object' && 'type' in one ? `event: ${String(one.type)}\n` : ''
    return [`${name}data: ${data.slice(0, 7)}`, `${data.slice(7)}\n\n`]
  }),
})
const chunk = (delta: object, finish: string | null = null): object => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'gpt-5',
  choices: [{ index: 0, delta, finish_reason: finish }],
})

async function said(session: string): Promise<readonly string[]> {
  const messages = await memory.scope('acme/ada').session(session).recent(100)
  return messages.map(
    ({ role, parts }) => `${role}: ${parts.map((part) => (part.type === 'text' ? part.text : part.type)).join('|')}`,
  )
}

function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${between.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer k', ...headers },
    body: JSON.stringify(body),
  })
}

it('[hosts-63] logs a conversation with OpenAI once, streamed or not, and passes streams on byte for byte', async () => {
  provider.reply = json({
    choices: [
      { index: 0, message: { role: 'assistant', content: 'Hello Ada.', refusal: null }, finish_reason: 'stop' },
    ],
  })
  const first = { role: 'user', content: 'I am Ada.' }
  const reply = await post('/v1/chat/completions', { model: 'gpt-5', messages: [first] }, { 'x-daybook-session': 's' })
  expect([reply.status, reply.headers.get('x-request-id'), await reply.text()]).toEqual([
    200,
    'r1',
    provider.reply.pieces.join(''),
  ])
  provider.reply = events(
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'I will ' }),
    chunk({ content: 'look.' }),
    chunk({ tool_calls: [{ index: 0, id: 't', type: 'function', function: { name: 'look', arguments: '{"a"' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }),
    chunk({}, 'tool_calls'),
    '[DONE]',
  )
  const messages = [first, { role: 'assistant', content: 'Hello Ada.' }, { role: 'user', content: 'Look!' }]
  const streamed = await post(
    '/v1/chat/completions',
    { model: 'gpt-5', stream: true, messages },
    { 'x-daybook-session': 's' },
  )
  expect(await streamed.text()).toBe(provider.reply.pieces.join(''))
  expect(await said('s')).toEqual([
    'user: I am Ada.',
    'assistant: Hello Ada.',
    'user: Look!',
    'assistant: I will look.|tool-call',
  ])
  expect(await memory.scope('acme/ada').session('s').history()).toHaveLength(4)
  expect(provider.requests[1]?.body).toEqual({ model: 'gpt-5', stream: true, messages })
  expect(provider.requests[1]?.key).toBe('Bearer k')
})

it('[hosts-63] logs a conversation with Anthropic, with its blocks as they came', async () => {
  provider.reply = events(
    {
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'claude',
        content: [],
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'x' } },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hello Ada.' } },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  )
  const anthropic = createAnthropic({
    baseURL: `${between.url}/v1`,
    apiKey: 'k',
    headers: { 'x-daybook-session': 'a' },
  })
  const result = streamText({ model: anthropic('claude-opus-5'), prompt: 'I am Ada.', maxRetries: 0 })
  expect(await result.text).toBe('Hello Ada.')
  const [, stored] = await memory.scope('acme/ada').session('a').history()
  expect(stored?.parts).toMatchObject([
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'Hello Ada.' },
  ])
  expect(provider.requests[0]).toMatchObject({ path: '/v1/messages', key: 'k' })
})

it('[hosts-63] fits a conversation that is too long, keeps it whole in the log, and knows it by its beginning', async () => {
  provider.reply = json({
    id: 'c',
    created: 1,
    model: 'gpt-5',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  })
  const openai = createOpenAI({ baseURL: `${between.url}/v1`, apiKey: 'k' })
  const messages = Array.from({ length: 60 }, (_, index) => ({
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: `Message ${index}: ${'tea and cake '.repeat(6)}`,
  }))
  const ask = (count: number) =>
    generateText({
      model: openai.chat('gpt-5'),
      messages: [...messages.slice(0, count), { role: 'user', content: 'Well?' }],
      maxRetries: 0,
    })
  await ask(2)
  await ask(60)
  const { sessions } = await memory.scope('acme/ada').sessions()
  expect(sessions.map(({ id }) => id.startsWith('proxy-'))).toEqual([true])
  const sent = provider.requests[1]?.body['messages'] as { content: string }[]
  expect(sent.length).toBeLessThan(61)
  expect(JSON.stringify(sent.at(-1))).toContain('Well?')
  expect(
    await memory
      .scope('acme/ada')
      .session(sessions[0]?.id ?? '')
      .count(),
  ).toBe(62)
})

it('[hosts-63] errors of the provider come as they are, and what is no conversation passes through', async () => {
  provider.reply = { status: 429, type: 'application/json', pieces: ['{"error":{"message":"slow down"}}'] }
  const body = { model: 'gpt-5', messages: [{ role: 'user', content: 'Hi' }] }
  const refused = await post('/v1/chat/completions', body, { 'x-daybook-session': 'e' })
  expect([refused.status, await refused.text()]).toEqual([429, '{"error":{"message":"slow down"}}'])
  expect(await said('e')).toEqual(['user: Hi'])
  await post('/v1/chat/completions', body, { 'x-daybook-session': 'e' })
  expect(await said('e')).toEqual(['user: Hi'])
  provider.reply = json({ data: [] })
  expect(await (await fetch(`${between.url}/v1/models?limit=1`)).text()).toBe('{"data":[]}')
  expect(provider.requests.at(-1)?.path).toBe('/v1/models?limit=1')
  await post('/v1/chat/completions', { model: 'gpt-5', messages: 'none' })
  expect(provider.requests.at(-1)?.body).toEqual({ model: 'gpt-5', messages: 'none' })
  expect((await post('/v1/chat/completions', body, { origin: 'https://example.org' })).status).toBe(403)
  provider.close()
  await between.close()
  between = await proxy(memory.scope('acme/ada'), { port: 0, openai: 'http://127.0.0.1:1' })
  const gone = await post('/v1/chat/completions', body)
  expect([gone.status, await gone.text()]).toEqual([502, expect.stringContaining('Cannot reach the provider')])
})

it('[hosts-63] conversations at the same time that begin alike are not mixed, neither in requests nor in the log', async () => {
  provider.reply = json({ choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' } }] })
  const conversation = (who: string): object[] => [
    { role: 'user', content: 'Hi' },
    ...Array.from({ length: 12 }, (_, index) => ({
      role: index % 2 === 0 ? 'assistant' : 'user',
      content: `${who} ${index}: ${'tea and cake '.repeat(30)}`,
    })),
  ]
  const people = ['Ada', 'Bob', 'Cleo']
  const send = async (who: string): Promise<string> => {
    const body = { model: 'gpt-5', messages: conversation(who) }
    return (await post('/v1/chat/completions', body, { authorization: who })).text()
  }
  await Promise.all(people.map(send))
  expect(provider.requests.map(({ key }) => key).toSorted()).toEqual(people)
  const named = (text: string): readonly string[] => people.filter((who) => text.includes(`${who} `))
  for (const { body, key } of provider.requests) expect(named(JSON.stringify(body['messages']))).toEqual([key])
  const { sessions } = await memory.scope('acme/ada').sessions()
  const log = await said(sessions[0]?.id ?? '')
  expect(named(log.join(' '))).toHaveLength(1)
  expect(log.filter((text) => text === 'assistant: Yes.')).toHaveLength(1)
})

it('[hosts-63] keys go only to the provider that they are for, and an address may end with the version', async () => {
  const other = await provide()
  await between.close()
  between = await proxy(memory.scope('acme/ada'), { port: 0, openai: `${provider.url}/v1/`, anthropic: other.url })
  await post('/v1/threads/t/messages', { role: 'user', content: 'Hi' })
  await post('/v1/chat/completions', { model: 'gpt-5', messages: [{ role: 'user', content: 'Hi' }] })
  await post('/models', {})
  expect(provider.requests.map(({ path }) => path)).toEqual([
    '/v1/threads/t/messages',
    '/v1/chat/completions',
    '/v1/models',
  ])
  expect(other.requests).toEqual([])
  await post('/v1/messages', { model: 'claude-opus-5', messages: [{ role: 'user', content: 'Hi' }] })
  expect(other.requests.map(({ path }) => path)).toEqual(['/v1/messages'])
  other.close()
})

it('[hosts-63] stores a reply that was cut in the middle of a call, and the first one of several', async () => {
  const call = { type: 'tool_use', id: 't', name: 'look', input: {} }
  provider.reply = events(
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'I will look.' } },
    { type: 'content_block_start', index: 1, content_block: call },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"for": "te' } },
    { type: 'message_delta', delta: { stop_reason: 'max_tokens' } },
  )
  const messages = [{ role: 'user', content: 'Look!' }]
  await (await post('/v1/messages', { model: 'claude', stream: true, messages }, { 'x-daybook-session': 'cut' })).text()
  const [, cut] = await memory.scope('acme/ada').session('cut').history()
  expect(cut?.parts).toMatchObject([
    { type: 'text', text: 'I will look.' },
    { type: 'tool-call', arguments: '{"for": "te' },
  ])
  const piece = (index: number, content: string): object => ({ choices: [{ index, delta: { content } }] })
  provider.reply = events(piece(0, 'First '), piece(1, 'Second '), piece(1, 'two.'), piece(0, 'one.'), '[DONE]')
  const body = { model: 'gpt-5', stream: true, n: 2, messages }
  await (await post('/v1/chat/completions', body, { 'x-daybook-session': 'several' })).text()
  expect(await said('several')).toEqual(['user: Look!', 'assistant: First one.'])
})

it('[hosts-63] stores what came of a reply whose connection broke, and the client sees that it broke', async () => {
  const messages = [{ role: 'user', content: 'Go on.' }]
  provider.reply = {
    ...events(chunk({ role: 'assistant', content: 'I was ' }), chunk({ content: 'cut' })),
    breaks: true,
  }
  const reply = await post(
    '/v1/chat/completions',
    { model: 'gpt-5', stream: true, messages },
    { 'x-daybook-session': 's' },
  )
  await expect(reply.text()).rejects.toThrow('terminated')
  await expect.poll(() => said('s')).toEqual(['user: Go on.', 'assistant: I was cut'])
  // Half of a JSON document is no reply.
  provider.reply = { status: 200, type: 'application/json', pieces: ['{"choices": [{"mess'], breaks: true }
  const half = await post('/v1/chat/completions', { model: 'gpt-5', messages }, { 'x-daybook-session': 'half' })
  await expect(half.text()).rejects.toThrow('terminated')
  expect(await said('half')).toEqual(['user: Go on.'])
})

it('[hosts-63] stores the whole reply when the client goes away', async () => {
  let go = (): void => undefined
  provider.until = new Promise<void>((resolve) => (go = resolve))
  provider.reply = events(
    chunk({ role: 'assistant', content: 'Nobody ' }),
    chunk({ content: 'listens.' }, 'stop'),
    '[DONE]',
  )
  const gone = new AbortController()
  const request = fetch(`${between.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-daybook-session': 'gone' },
    body: JSON.stringify({ model: 'gpt-5', stream: true, messages: [{ role: 'user', content: 'Tell me.' }] }),
    signal: gone.signal,
  })
  await expect.poll(() => provider.requests.length).toBe(1)
  gone.abort()
  await expect(request).rejects.toThrow('aborted')
  go()
  await expect.poll(() => said('gone')).toEqual(['user: Tell me.', 'assistant: Nobody listens.'])
})

describe('the Responses API', () => {
  const message = (text: string, id: string): object => ({
    id,
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
  })
  const reasoning = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'b3BhcXVl' }
  const response = (id: string, ...output: readonly object[]): object => ({
    id,
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: 'gpt-5',
    output,
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  })
  const named = { 'x-daybook-session': 's' }
  const ask = async (body: object, headers: Record<string, string> = {}): Promise<string> =>
    (await post('/v1/responses', { model: 'gpt-5', ...body }, headers)).text()

  it('[hosts-63] logs a conversation once, however its replies are sent back, and passes streams on byte for byte', async () => {
    provider.reply = json(response('resp_1', reasoning, message('Hello Ada.', 'msg_1')))
    expect(await ask({ instructions: 'Be kind.', input: 'I am Ada.' }, named)).toBe(provider.reply.pieces.join(''))
    const call = { id: 'fc_1', type: 'function_call', call_id: 'c1', name: 'look', arguments: '{"a":1}' }
    provider.reply = events(
      { type: 'response.created', response: { ...response('resp_2'), status: 'in_progress' } },
      { type: 'response.output_item.done', output_index: 0, item: call },
      { type: 'response.completed', response: response('resp_2', call) },
    )
    const first = { role: 'user', content: 'I am Ada.' }
    const look = { role: 'user', content: [{ type: 'input_text', text: 'Look!' }] }
    const body = { instructions: 'Be kind.', stream: true }
    const references = [
      { type: 'item_reference', id: 'rs_1' },
      { type: 'item_reference', id: 'msg_1' },
    ]
    for (const sentBack of [
      [reasoning, message('Hello Ada.', 'msg_1')],
      [{ role: 'assistant', content: 'Hello Ada.' }],
      references,
    ]) {
      const input = [first, ...sentBack, look]
      expect(await ask({ ...body, input }, named)).toBe(provider.reply.pieces.join(''))
      expect(provider.requests.at(-1)?.body).toEqual({ model: 'gpt-5', ...body, input })
    }
    expect(await said('s')).toEqual([
      'system: Be kind.',
      'user: I am Ada.',
      'assistant: reasoning|Hello Ada.',
      'user: Look!',
      'assistant: tool-call',
    ])
    const history = await memory.scope('acme/ada').session('s').history()
    expect(history.filter(({ role }) => role === 'user')).toHaveLength(2)
  })

  it('[hosts-63] finds the session of a response that a request names, and follows the last try', async () => {
    const turn = async (id: string, text: string, body: object): Promise<void> => {
      provider.reply = json(response(id, message(text, `msg_${id}`)))
      await ask(body)
    }
    await turn('resp_1', 'Hello Ada.', { input: 'I am Ada.' })
    await turn('resp_2', 'Ada.', { input: 'Who am I?', previous_response_id: 'resp_1' })
    const { sessions } = await memory.scope('acme/ada').sessions()
    const [id = ''] = sessions.map((session) => session.id)
    expect(sessions).toHaveLength(1)
    const all = ['user: I am Ada.', 'assistant: Hello Ada.', 'user: Who am I?', 'assistant: Ada.']
    expect(await said(id)).toEqual(all)
    // A request that failed and is sent again stores nothing twice.
    provider.reply = { status: 500, type: 'application/json', pieces: ['{}'] }
    for (let tries = 0; tries < 2; tries++) await ask({ input: 'And now?', previous_response_id: 'resp_2' })
    expect(await said(id)).toEqual([...all, 'user: And now?'])
    await turn('resp_3', 'Somebody.', { input: 'Who am I, again?', previous_response_id: 'resp_1' })
    expect(await said(id)).toEqual([...all.slice(0, 2), 'user: Who am I, again?', 'assistant: Somebody.'])
    for (const [number, input] of ['Hi', 'Bye'].entries())
      await turn(`resp_c${number}`, `${input}!`, { input, conversation: { id: 'conv_1' } })
    expect(await said('proxy-conv_1')).toEqual(['user: Hi', 'assistant: Hi!', 'user: Bye', 'assistant: Bye!'])
  })

  it('[hosts-73] keeps nothing about the responses of a session that was forgotten', async () => {
    const scope = memory.scope('acme/ada')
    const kept = async (): Promise<readonly string[]> => (await scope.records('proxy').list()).map(({ key }) => key)
    for (const [id, session] of [
      ['resp_1', 'of-ada'],
      ['resp_2', 'of-ada'],
      ['resp_3', 'of-bob'],
    ] as const) {
      provider.reply = json(response(id, message('Hello.', `msg_${id}`)))
      await ask({ input: `Hi ${id}` }, { 'x-daybook-session': session })
    }
    expect(await kept()).toEqual(['resp_1', 'resp_2', 'resp_3'])
    await scope.forget({ session: 'of-ada' })
    // A request that names one of them finds that its session is gone.
    provider.reply = { status: 500, type: 'application/json', pieces: ['{}'] }
    await ask({ input: 'And now?', previous_response_id: 'resp_1' })
    expect(await said('of-ada')).toEqual([])
    expect(await kept()).toEqual(['resp_2', 'resp_3'])
    // All others go with the next start.
    await (await proxy(scope, { port: 0 })).close()
    expect(await kept()).toEqual(['resp_3'])
  })

  it.each([
    ['previous_response_id', { previous_response_id: 'resp_0' }, []],
    ['conversation', { conversation: 'conv_1' }, ['A', 'B']],
  ] as const)('[hosts-63] keeps requests of one %s that overlap apart', async (_, place, both) => {
    provider.reply = json(response('resp_0', message('Hello.', 'msg_0')))
    await ask({ input: 'Hi' }, named)
    const begin = async (name: string): Promise<() => Promise<readonly string[]>> => {
      const { promise, resolve } = Promise.withResolvers<void>()
      provider.reply = json(response(`resp_${name}`, message(`Reply ${name}`, `msg_${name}`)))
      provider.until = promise
      const count = provider.requests.length
      const reply = ask({ input: `Question ${name}`, ...place }, named)
      while (provider.requests.length === count) await new Promise(setImmediate)
      return async () => {
        resolve()
        await reply
        return (await said('s')).slice(2)
      }
    }
    const turn = (name: string): string[] => [`user: Question ${name}`, `assistant: Reply ${name}`]
    const [endA, endB] = [await begin('A'), await begin('B')]
    const [afterA, afterB] = [await endA(), await endB()]
    expect(afterA.slice(-2)).toEqual(turn('A'))
    // What names the same response are two branches, and the window has the last one. A conversation has both.
    expect(afterB).toEqual(both.length === 0 ? turn('B') : both.flatMap(turn))
  })

  it('[hosts-63] works with the AI SDK, fits what is too long, and stores a stream that was cut', async () => {
    provider.reply = json(response('resp_1', message('Yes.', 'msg_1')))
    const openai = createOpenAI({ baseURL: `${between.url}/v1`, apiKey: 'k' })
    const messages = Array.from({ length: 41 }, (_, index) => ({
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: `Message ${index}: ${'tea and cake '.repeat(6)}`,
    }))
    const { text } = await generateText({ model: openai('gpt-5'), instructions: 'Be kind.', messages, maxRetries: 0 })
    expect(text).toBe('Yes.')
    const sent = provider.requests[0]?.body['input'] as readonly object[]
    expect(sent.length).toBeLessThan(41)
    expect(JSON.stringify(sent)).toContain('Be kind.')
    expect(JSON.stringify(sent.at(-1))).toContain('Message 40')
    provider.reply = events(
      { type: 'response.created', response: response('resp_9') },
      { type: 'response.output_text.delta', output_index: 0, delta: 'I was ' },
      { type: 'response.output_text.delta', output_index: 0, delta: 'cut' },
    )
    await ask({ input: 'Go on.', stream: true }, { 'x-daybook-session': 'cut' })
    expect(await said('cut')).toEqual(['user: Go on.', 'assistant: I was cut'])
  })
})
