import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { chooseModel } from '../../src/cli/chat/choose-model.ts'
import { needed } from '../../src/cli/chat/needed.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { daybook, folder } from './harness.ts'

const place = folder()
let files = 0

function fresh(): readonly string[] {
  files += 1
  return ['--memory', join(place, `${files}.db`), '--scope', 'acme/ada']
}

interface Turn {
  readonly user: string | null
  readonly reply: string
  readonly events: readonly {
    readonly type: string
    readonly name?: string
    readonly items?: readonly { text: string }[]
  }[]
}

async function turns(words: readonly string[], input: string): Promise<readonly Turn[]> {
  const { status, stdout } = await daybook(['chat', '--create', ...words, '--json'], input)
  expect(status).toBe(0)
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Turn)
}

describe('[cli-3] chat without a key', () => {
  it('says in every reply that it is scripted, and only replies come out of the pipe', async () => {
    const { status, stdout, stderr } = await daybook(['chat', '--create', ...fresh(), 's'], 'Hello there\n\nGood day\n')
    expect(status).toBe(0)
    const replies = stdout.trimEnd().split('\n')
    expect(replies).toHaveLength(2)
    for (const reply of replies) expect(reply).toMatch(/^\[scripted, no language model\] You said: /)
    expect(stderr).toContain('with a script instead of a language model')
  })

  it('shows memory at work: records when told to, looks up when asked, across conversations', async () => {
    const at = fresh()
    const [told] = await turns([...at, 'one'], 'remember that Ada likes tea\n')
    expect(told?.events.map(({ type, name }) => [type, name])).toEqual([
      ['tool-start', 'record_to_memory'],
      ['tool-end', 'record_to_memory'],
    ])
    const [asked] = await turns([...at, 'two'], 'What does Ada like?\n')
    expect(asked?.events.map(({ type }) => type)).toEqual(['recalled', 'tool-start', 'tool-end'])
    expect(asked?.reply).toContain('Ada likes tea')
  })

  it.each([
    ['static', ['recalled']],
    ['agent', ['tool-start', 'tool-end']],
    ['both', ['recalled', 'tool-start', 'tool-end']],
  ])('mode %s: %j', async (mode, expected) => {
    const at = fresh()
    await daybook(['remember', '--create', ...at, '--subject', 'Ada', '--predicate', 'likes', '--object', 'tea'])
    const [turn] = await turns([...at, 's', '--mode', mode], 'What does Ada like?\n')
    expect(turn?.events.map(({ type }) => type)).toEqual(expected)
    expect(turn?.reply).toContain('tea')
  })

  it('folds when the window grows past its budget, says so, and goes on', async () => {
    const at = fresh()
    const lines = Array.from(
      { length: 12 },
      (_, index) => `Line ${index}: ${'the parcel went to Lisbon and came back. '.repeat(12)}`,
    )
    const { status, stderr, stdout } = await daybook(
      ['chat', '--create', ...at, 's', '--budget', '1500', '--mode', 'agent'],
      `${lines.join('\n')}\n/undo\n`,
    )
    expect(status).toBe(0)
    expect(stdout.trimEnd().split('\n')).toHaveLength(12)
    expect(stderr).toMatch(/· folded: [\d,]+ tokens became [\d,]+/)
    expect(stderr).toMatch(/Undid compaction \d+/)
  })
})

describe('[cli-3] the provider is chosen by the environment', () => {
  it.each([
    [{ OPENAI_API_KEY: 'k' }, 'openai', 'gpt-5-mini'],
    [{ ANTHROPIC_API_KEY: 'k' }, 'anthropic', 'claude-haiku-4-5'],
    [{ GOOGLE_GENERATIVE_AI_API_KEY: 'k' }, 'google', 'gemini-2.5-flash'],
    [
      { DAYBOOK_BASE_URL: 'http://127.0.0.1:1/v1', DAYBOOK_MODEL: 'llama3.2', OPENAI_API_KEY: 'k' },
      'openai.chat',
      'llama3.2',
    ],
  ])('%j', async (env, provider, modelId) => {
    const { model } = await chooseModel(env as Record<string, string>)
    expect(model).toMatchObject({ provider: expect.stringMatching(`^${provider}`) as string, modelId })
  })

  it('an empty key is no key: a script replies', async () => {
    expect(await chooseModel({ OPENAI_API_KEY: ' ' })).toMatchObject({ scripted: true })
  })

  it('an address wants the name of a model', async () => {
    await expect(chooseModel({ DAYBOOK_BASE_URL: 'http://127.0.0.1:1/v1' })).rejects.toThrow('expected --model <name>')
  })

  it('a package that is missing is named', async () => {
    const missing = needed('@ai-sdk/openai', () => import('no-such-package' as string))
    await expect(missing).rejects.toThrow('expected: npm install ai @ai-sdk/openai')
  })
})

interface Request {
  readonly authorization: string | undefined
  readonly messages: readonly { role: string; content?: unknown; tool_call_id?: string }[]
  readonly tools?: readonly { function: { name: string } }[]
}

/** An OpenAI-compatible server that answers with what it is told, in order, and keeps what it was asked. */
async function fakeProvider(deltas: readonly unknown[]): Promise<{ server: Server; url: string; requests: Request[] }> {
  const requests: Request[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Omit<Request, 'authorization'>
      requests.push({ ...body, authorization: request.headers.authorization })
      const delta = deltas[requests.length - 1]
      response.writeHead(delta === undefined ? 400 : 200, { 'content-type': 'text/event-stream' })
      const event = (choice: unknown): string =>
        `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'fake', choices: [choice] })}\n\n`
      response.write(event({ index: 0, delta, finish_reason: null }))
      response.write(event({ index: 0, delta: {}, finish_reason: 'stop' }))
      response.end('data: [DONE]\n\n')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests }
}

describe('[cli-3] chat at an OpenAI-compatible address', () => {
  let running: Server | undefined
  afterEach(() => running?.close())

  it('[contexts-82] runs the loop of the agent over the log: call, result, answer', async () => {
    const at = fresh()
    await daybook(['remember', '--create', ...at, '--subject', 'Ada', '--predicate', 'likes', '--object', 'tea'])
    const call = {
      index: 0,
      id: 'c1',
      type: 'function',
      function: { name: 'retrieve_from_memory', arguments: '{"keywords":["Ada","tea"]}' },
    }
    const fake = await fakeProvider([
      { role: 'assistant', tool_calls: [call] },
      { role: 'assistant', content: 'Ada likes tea, I looked.' },
    ])
    running = fake.server
    const env = { DAYBOOK_BASE_URL: fake.url, OPENAI_API_KEY: 'sk-not-for-others' }
    const { status, stdout } = await daybook(
      ['chat', ...at, 's', '--model', 'fake', '--mode', 'agent'],
      'What does she like?\n',
      env,
    )
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'Ada likes tea, I looked.\n' })

    const [first, second] = fake.requests
    expect(first?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
    expect(first?.tools?.map(({ function: { name } }) => name)).toContain('record_to_memory')
    expect(second?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
    expect(second?.messages.at(-1)).toMatchObject({ tool_call_id: 'c1' })
    expect(JSON.stringify(second?.messages.at(-1))).toContain('Ada likes tea')
    expect(fake.requests.some(({ authorization }) => authorization?.includes('sk-not-for-others'))).toBe(false)

    await using memory = await openMemory(at[1] ?? '', { learn: false })
    const log = await memory.scope('acme/ada').session('s').history()
    expect(log.map(({ role, parts }) => [role, parts[0]?.type])).toEqual([
      ['system', 'text'],
      ['user', 'text'],
      ['assistant', 'tool-call'],
      ['tool', 'tool-result'],
      ['assistant', 'text'],
    ])
  })

  it('tells the model of a tool that does not exist, and the log too', async () => {
    const at = fresh()
    const call = { index: 0, id: 'c1', type: 'function', function: { name: 'no_such_tool', arguments: '{}' } }
    const fake = await fakeProvider([
      { role: 'assistant', tool_calls: [call] },
      { role: 'assistant', content: 'I see.' },
    ])
    running = fake.server
    const env = { DAYBOOK_BASE_URL: fake.url }
    const { stdout } = await daybook(['chat', '--create', ...at, 's', '--model', 'fake'], 'Use it\n', env)
    expect(stdout).toBe('I see.\n')
    expect(JSON.stringify(fake.requests[1]?.messages.at(-1))).toContain('no_such_tool')
    await using memory = await openMemory(at[1] ?? '', { learn: false })
    const [result] = await memory.scope('acme/ada').session('s').history({ role: 'tool' })
    expect(result?.parts).toMatchObject([{ type: 'tool-result', callId: 'c1', outcome: 'error' }])
  })

  it('[contexts-1] goes on after a message that is larger than the budget', async () => {
    const at = fresh()
    const long = 'A very long story about parcels. '.repeat(400)
    expect(await daybook(['chat', '--create', ...at, 's', '--budget', '1000'], `${long}\n`)).toMatchObject({
      status: 0,
    })
    const again = await daybook(['chat', ...at, 's', '--budget', '1000', '--mode', 'agent'], 'Hello\n')
    expect(again.status).toBe(0)
    expect(again.stdout).toContain('You said: “Hello”')
  })

  it('keeps what was said when the provider fails, and answers it the next time', async () => {
    const at = fresh()
    const broken = await fakeProvider([])
    running = broken.server
    const failed = await daybook(['chat', '--create', ...at, 's', '--model', 'fake'], 'Are you there?\n', {
      DAYBOOK_BASE_URL: broken.url,
    })
    expect(failed).toMatchObject({ status: 1, stdout: '' })
    expect(failed.stderr).toContain('Cannot get a reply from fake at')
    broken.server.close()
    const working = await fakeProvider([{ role: 'assistant', content: 'Yes.' }])
    running = working.server
    const again = await daybook(['chat', ...at, 's', '--model', 'fake'], '', { DAYBOOK_BASE_URL: working.url })
    expect(again).toMatchObject({ status: 0, stdout: 'Yes.\n' })
    expect(again.stderr).toContain('your last message has no reply yet')
    expect(working.requests).toHaveLength(1)
  })
})
