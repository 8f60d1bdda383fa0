import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runTurn } from '../../src/agent/run-turn.ts'
import type { Memory } from '../../src/api/memory.ts'
import type { Session } from '../../src/api/session.ts'
import type { TurnEvent, TurnModelFunction, TurnReply, TurnTool } from '../../src/api/turn.ts'
import { lint } from '../../src/dialects/lint.ts'
import { textOf } from '../../src/domain/text-of.ts'
import { openMemory } from '../../src/memory/open-memory.ts'

let memory: Memory
let session: Session
beforeEach(async () => {
  memory = await openMemory(':memory:')
  session = memory.scope('acme/ada').session('s')
})
afterEach(() => memory.close())

const context = { budget: 8_000 }

const usage = {
  inputTokens: { total: 40, noCache: 40, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
}

/** Replies in order. */
function script(...replies: readonly TurnReply[]): () => TurnReply {
  let next = 0
  return () => replies[next++] ?? 'nothing left to say'
}

function calls(...names: readonly string[]): TurnReply {
  return { role: 'assistant', toolCalls: names.map((name, at) => ({ id: `${name}-${at}`, name, arguments: { at } })) }
}

function tool(name: string, execute: TurnTool['execute'], more: Partial<TurnTool> = {}): TurnTool {
  return { name, description: name, inputSchema: { type: 'object' }, execute, ...more }
}

async function log(): Promise<readonly string[]> {
  return (await session.history()).map(({ role, parts }) => `${role}: ${parts.map(({ type }) => type).join(' ')}`)
}

describe('runTurn', () => {
  it('[contexts-40] stores what was said, the reply before its tools run, and each result', async () => {
    const seen: (readonly string[])[] = []
    const look = tool('look', async () => {
      seen.push(await log())
      return { found: 3 }
    })
    const model = script(calls('look'), 'Three.')
    const result = await runTurn(session, { model, tools: [look], input: 'How many?', context })
    expect(result).toEqual({ type: 'replied', text: 'Three.', steps: 2 })
    expect(seen).toEqual([['user: text', 'assistant: tool-call']])
    expect(await log()).toEqual(['user: text', 'assistant: tool-call', 'tool: tool-result', 'assistant: text'])
  })

  it('[contexts-40] runs several calls at the same time, and gives errors to the model as results', async () => {
    let running = 0
    let most = 0
    const slow = tool('slow', async () => {
      most = Math.max(most, (running += 1))
      await new Promise((resolve) => setTimeout(resolve, 5))
      running -= 1
      return 'done'
    })
    const broken = tool('broken', () => {
      throw new Error('no such order')
    })
    const model = script(calls('slow', 'slow', 'broken', 'unknown'), 'Sorry.')
    await runTurn(session, { model, tools: [slow, broken], input: 'Go', context })
    expect(most).toBe(2)
    const results = (await session.history()).flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool-result' ? [[part.callId, part.outcome, part.output]] : [])),
    )
    expect(results).toHaveLength(4)
    expect(results).toContainEqual(['broken-2', 'error', { type: 'text', text: 'no such order' }])
    expect(results).toContainEqual([
      'unknown-3',
      'error',
      { type: 'text', text: 'There is no tool "unknown", expected one of: slow, broken' },
    ])
  })

  it('[contexts-41] ends after a tool that breaks the loop, and at the limit of steps', async () => {
    const finish = tool('finish', () => 'bye', { breaksLoop: true })
    const ended = await runTurn(session, { model: script(calls('finish')), tools: [finish], input: 'Stop', context })
    expect(ended).toMatchObject({ type: 'broken', calls: [{ name: 'finish' }], steps: 1 })
    const again = tool('again', () => 'more')
    const limited = await runTurn(session, {
      model: () => calls('again'),
      tools: [again],
      input: 'Loop',
      context,
      stepsMax: 3,
    })
    expect(limited).toEqual({ type: 'limit', steps: 3 })
  })

  it('[contexts-42] waits for an approval, goes on when it is given, and tells the model when it is denied', async () => {
    const ran: string[] = []
    const pay = tool('pay', (_input, { id }) => void ran.push(id), { needsApproval: true })
    const look = tool('look', () => 'seen')
    const tools = [pay, look]
    const waiting = await runTurn(session, { model: script(calls('pay', 'look')), tools, input: 'Pay', context })
    expect(waiting).toMatchObject({ type: 'waiting', calls: [{ id: 'pay-0', name: 'pay', input: { at: 0 } }] })
    expect(ran).toEqual([])
    const paid = await runTurn(session, { model: script('Paid.'), tools, context, approve: () => true })
    expect(paid).toEqual({ type: 'replied', text: 'Paid.', steps: 1 })
    expect(ran).toEqual(['pay-0'])
    const model = script(calls('pay'), 'As you wish.')
    await runTurn(session, { model, tools, input: 'Pay again', context, approve: async () => false })
    expect(ran).toEqual(['pay-0'])
    const denied = (await session.recent(2))[0]
    expect(denied?.parts[0]).toMatchObject({ type: 'tool-result', outcome: 'denied' })
  })

  it('[contexts-43] goes on without input where the log ends, and stores the same input once', async () => {
    await session.append([
      { role: 'user', content: 'Which?' },
      {
        role: 'assistant',
        toolCalls: ['a', 'b'].map((id) => ({ id, name: 'look', arguments: {} })),
      },
      { role: 'tool', toolCallId: 'a', content: 'one' },
    ])
    const ran: string[] = []
    const look = tool('look', (_input, { id }) => {
      ran.push(id)
      return 'two'
    })
    const options = { tools: [look], context, model: script('Both.') }
    expect(await runTurn(session, options)).toEqual({ type: 'replied', text: 'Both.', steps: 1 })
    expect(ran).toEqual(['b'])
    expect(await runTurn(session, options)).toEqual({ type: 'replied', text: 'Both.', steps: 0 })
    const once = { input: 'Once', operationId: 'request-1', context }
    await runTurn(session, { ...once, model: script('First.') })
    expect(await runTurn(session, { ...once, model: script('Second.') })).toMatchObject({ text: 'First.', steps: 0 })
    expect(await session.search('Once')).toHaveLength(1)
  })

  it('[contexts-76] waits for a reply that is being streamed, and takes the place of one whose process is gone', async () => {
    await session.append({ role: 'user', content: 'Which?' })
    const streamed = Promise.withResolvers<undefined>()
    const released = Promise.withResolvers<undefined>()
    // Another process runs the turn.
    const other = runTurn(memory.scope('acme/ada').session('s'), {
      context,
      model: async ({ onText }) => {
        onText('The ')
        while ((await session.recent(1))[0]?.incomplete !== 'streaming') await new Promise(setImmediate)
        streamed.resolve(undefined)
        await released.promise
        return 'The first.'
      },
    })
    await streamed.promise
    const seen: string[] = []
    const second = runTurn(session, {
      context,
      input: 'And then?',
      model: ({ context: { messages } }) => {
        seen.push(...messages.map(textOf))
        return 'The second.'
      },
    })
    const idle = runTurn(session, { context, model: script(), signal: AbortSignal.abort(new Error('enough')) })
    await expect(idle).rejects.toThrow('enough')
    while ((await session.count()) < 3) await new Promise(setImmediate)
    expect(seen).toEqual([])
    released.resolve(undefined)
    await Promise.all([other, second])
    expect(seen).toEqual(['Which?', 'The first.', 'And then?'])
    expect((await session.history()).map(textOf)).toEqual(['Which?', 'The first.', 'And then?', 'The second.'])
    // Nothing was stored of it for long.
    const at = '2026-01-01T00:00:00Z'
    await session.append({ role: 'user', content: 'Last?' })
    await session.keepPiece('gone', { from: 0, text: 'The th', message: { role: 'assistant', at } })
    expect(await runTurn(session, { context, model: script('The third.') })).toMatchObject({ text: 'The third.' })
    expect(await session.get('gone')).toMatchObject({ removed: true, incomplete: 'stopped' })
  })

  it('[contexts-78] offers a tool for what the context shows in part, and warns of a description that is not used', async () => {
    const read = tool('read', () => `${'a line of a log\n'.repeat(5_000)}the needle`)
    const offered: (readonly string[])[] = []
    const replies = [
      calls('read'),
      { role: 'assistant', toolCalls: [{ id: 'r', name: 'reopen', arguments: { fold: 'message-4', offset: 79_990 } }] },
      { role: 'assistant', toolCalls: [{ id: 'r2', name: 'reopen', arguments: { id: 'message-4', offset: 79_990 } }] },
      'Found.',
    ] as const
    const model: TurnModelFunction = ({ tools }) => {
      offered.push(tools.map(({ name }) => name))
      return replies[offered.length - 1] ?? ''
    }
    const described = (text: string): Session => memory.scope('acme/ada').session('s', { description: text })
    const first = await runTurn(described('Be kind.'), { model, tools: [read], input: 'Read it', context })
    expect(first).toMatchObject({ type: 'replied', text: 'Found.' })
    expect(offered).toEqual([['read'], ...Array.from({ length: 3 }, () => ['read', 'reopen'])])
    expect(JSON.stringify(await session.recent(4)).match(/the needle/g)).toHaveLength(2)
    const warnings: unknown[] = []
    const onEvent = (event: TurnEvent): void => void (event.type === 'warning' && warnings.push(event.warning.type))
    await runTurn(described('Be rude.'), { model: script('No.'), input: 'And?', context, onEvent })
    expect(warnings).toEqual(['other-description'])
  })

  it('[surface-92] reads recalled messages of other sessions in full, and quotes them by their trust', async () => {
    const page = `The harbour fee of the Gaivota is 4471. ${'It is paid in March. '.repeat(600)}The berth is 12.`
    await memory.scope('acme/ada').session('monday').append({ role: 'user', content: page })
    await memory.scope('acme/bob').session('tuesday').append({ role: 'user', content: 'The pin is 9.' })
    const ids = [
      { fold: 'monday#1' },
      { id: 'monday#1', offset: 8_000 },
      { fold: 'monday#9' },
      { fold: 'tuesday#1' },
      { fold: 's#1' },
      { fold: '#1' },
    ]
    const asked = ids.map((input, at) => ({ id: `r${at}`, name: 'reopen', arguments: input }))
    const shown: string[] = []
    const model: TurnModelFunction = ({ context: { messages }, tools }) => {
      shown.push(`${tools.map(({ name }) => name).join()} ${messages.map(textOf).join()}`)
      return shown.length === 1 ? { role: 'assistant', toolCalls: asked } : 'It is 12.'
    }
    const tools = [tool('look', () => '')]
    const input = 'What is the harbour fee of the Gaivota?'
    await runTurn(session, { model, tools, input, context: { ...context, recall: true } })
    expect(shown[0]).toMatch(/^look,reopen /)
    expect(shown[0]).toMatch(/monday\n#1 /)
    const output = new Map<string, string>()
    for (const { parts } of await session.byRole('tool'))
      for (const part of parts)
        if (part.type === 'tool-result') output.set(part.callId ?? '', JSON.stringify(part.output))
    expect(output.get('r0')).toContain('Trust 2, user:')
    expect(output.get('r0')).toMatch(/fee of the Gaivota is 4471.*Continues at offset 8000 of/)
    expect(output.get('r1')).toContain('The berth is 12.')
    expect(output.get('r2')).toContain(String.raw`There is no message 9 in session \"monday\".`)
    expect(output.get('r3')).toContain(String.raw`There is no message 1 in session \"tuesday\".`)
    for (const own of ['r4', 'r5']) expect(output.get(own)).toContain(input)
  })

  it('[contexts-43] an abort leaves a log that every provider accepts and that can go on', async () => {
    const stop = new AbortController()
    const slow = tool('slow', (_input, { signal }) => {
      stop.abort(new Error('enough'))
      signal.throwIfAborted()
    })
    const turn = runTurn(session, {
      model: script(calls('slow')),
      tools: [slow],
      input: 'Go',
      context,
      signal: stop.signal,
    })
    await expect(turn).rejects.toThrow('enough')
    expect(await log()).toEqual(['user: text', 'assistant: tool-call'])
    const { as } = await session.context(context)
    for (const dialect of ['openai', 'anthropic', 'gemini'] as const)
      expect(lint(as(dialect), dialect).filter(({ severity }) => severity === 'error')).toEqual([])
    const ok = tool('slow', () => 'fine')
    expect(await runTurn(session, { model: script('Done.'), tools: [ok], context })).toMatchObject({ text: 'Done.' })
  })

  it('[contexts-44] calls a model of the AI SDK, streams its text, and reports its tokens', async () => {
    const streams: LanguageModelV4StreamPart[][] = [
      [
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: 'I look. ' },
        { type: 'text-end', id: '1' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: '{"at":"home"}' },
        { type: 'finish', usage, finishReason: { unified: 'tool-calls', raw: undefined } },
      ],
      [
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: 'It is ' },
        { type: 'text-delta', id: '1', delta: 'here.' },
        { type: 'text-end', id: '1' },
        { type: 'finish', usage, finishReason: { unified: 'stop', raw: undefined } },
      ],
    ]
    const model = new MockLanguageModelV4({
      modelId: 'mock-1',
      doStream: async () => ({ stream: simulateReadableStream({ chunks: streams.shift() ?? [] }) }),
    })
    const inputs: unknown[] = []
    const look = tool('look', (input) => {
      inputs.push(input)
      return 'the key is on the table'
    })
    const events: TurnEvent[] = []
    const result = await runTurn(session, {
      model,
      tools: [look],
      input: 'Where is my key?',
      context: { budget: 8_000, system: 'Be brief.' },
      onEvent: (event) => events.push(event),
    })
    expect(result).toEqual({ type: 'replied', text: 'It is here.', steps: 2 })
    expect(inputs).toEqual([{ at: 'home' }])
    expect(events.flatMap((event) => (event.type === 'text' ? [event.delta] : []))).toEqual([
      'I look. ',
      'It is ',
      'here.',
    ])
    expect(await log()).toEqual(['user: text', 'assistant: text tool-call', 'tool: tool-result', 'assistant: text'])
    const { prompt, tools } = model.doStreamCalls[1] ?? { prompt: [] }
    expect(prompt[0]).toMatchObject({ role: 'system', content: 'Be brief.' })
    expect(JSON.stringify(prompt)).toContain('the key is on the table')
    expect(tools).toMatchObject([{ name: 'look', inputSchema: { type: 'object' } }])
  })

  // `first` deltas are read before the rest comes in one packet.
  it.each([[0], [1], [30]])(
    '[contexts-44] stores a reply once whose end comes in one packet, after %i deltas',
    async (first) => {
      const deltas = Array.from({ length: 60 }, (_, at) => `word${at} `)
      const chunks: LanguageModelV4StreamPart[] = [
        { type: 'text-start', id: '1' },
        ...deltas.map((delta) => ({ type: 'text-delta', id: '1', delta }) as const),
        { type: 'text-end', id: '1' },
        { type: 'finish', usage, finishReason: { unified: 'stop', raw: undefined } },
      ]
      const read = Promise.withResolvers<undefined>()
      if (first === 0) read.resolve(undefined)
      const model = new MockLanguageModelV4({
        doStream: async () => ({
          stream: new ReadableStream<LanguageModelV4StreamPart>({
            async start(controller) {
              for (const chunk of chunks.slice(0, first + 1)) controller.enqueue(chunk)
              await read.promise
              for (const chunk of chunks.slice(first + 1)) controller.enqueue(chunk)
              controller.close()
            },
          }),
        }),
      })
      const texts: string[] = []
      const result = await runTurn(session, {
        model,
        input: 'Hello',
        context,
        onEvent: (event) => {
          if (event.type === 'text' && texts.push(event.delta) === first) read.resolve(undefined)
        },
      })
      expect(result).toEqual({ type: 'replied', text: deltas.join(''), steps: 1 })
      expect(texts).toEqual(deltas)
      expect(model.doStreamCalls).toHaveLength(1)
      const history = await session.history()
      expect(history.map(({ role, incomplete }) => [role, incomplete])).toEqual([
        ['user', undefined],
        ['assistant', undefined],
      ])
    },
  )

  it('[contexts-44] an error of the provider is the error of the turn, and nothing half-written is stored', async () => {
    const model = new MockLanguageModelV4({
      doStream: async () => {
        throw new Error('overloaded')
      },
    })
    await expect(runTurn(session, { model, input: 'Hello', context })).rejects.toThrow('overloaded')
    expect(await log()).toEqual(['user: text'])
  })

  it.each([
    [{ model: 42 }, 'model is 42, expected a function, or a language model of the AI SDK'],
    [{ modell: script('x') }, 'did you mean "model"'],
    [
      { model: script('x'), context: undefined, input: 'x' },
      'context.budget is undefined, expected a number of tokens',
    ],
    [{ model: script('x'), context, stepsMax: 0 }, 'stepsMax is 0'],
    [{ model: script('x'), context, tools: [{ name: 'x' }] }, 'expected tools with name'],
    [{ model: script('x'), context: { budgt: 4 }, input: 'x' }, 'unknown option "budgt", did you mean "budget"'],
    [
      { model: script('x'), context: { model: 'mine' }, input: 'x' },
      'Daybook does not have the window of the model "mine"',
    ],
    [{ model: script('x'), context, tools: [tool('a', () => ''), tool('a', () => '')] }, 'each name once'],
    [{ model: script('x'), context, approve: true }, 'approve is true, expected a function'],
    [{ model: script('x'), system: 'Be kind.' }, 'unknown option "system", did you mean context: { system }?'],
    [
      { model: script('x'), tools: [{ name: 'a', description: 'a', execute: () => '' }] },
      'inputSchema is undefined, expected a JSON Schema',
    ],
  ])('[contexts-45] says what is wrong with %j, and stores nothing', async (options, message) => {
    await expect(runTurn(session, { context, input: 'x', ...options } as never)).rejects.toThrow(message)
    expect(await session.count()).toBe(0)
  })

  it.each([
    [{ model: () => 42, context, input: 'x' }, 'reply is 42, expected a text'],
    [{ model: () => ({ role: 'user', content: 'x' }), context, input: 'x' }, 'role is "user"'],
    [{ model: () => '', context, input: 'x' }, 'reply is "", expected some text'],
    [
      { model: () => ({ choices: [{ message: { role: 'assistant', content: 'x' } }] }), context, input: 'x' },
      'it is a reply of OpenAI, expected messages: return fromOpenAI(reply)',
    ],
  ])('[contexts-45] says what is wrong with the reply of %j', async (options, message) => {
    await expect(runTurn(session, options as never)).rejects.toThrow(message)
  })
})
