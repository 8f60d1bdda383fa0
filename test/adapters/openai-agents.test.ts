import { expect, it } from 'vitest'
import { AgentSession } from '../../src/adapters/openai-agents/index.ts'
import { openMemory } from '../../src/memory/open-memory.ts'

const said = (content: string): { type: string; role: string; content: string } => ({
  type: 'message',
  role: 'user',
  content,
})

it('[hosts-13] items come back as they were, in their order, also bytes', async () => {
  await using memory = await openMemory(':memory:')
  const session = new AgentSession({ scope: memory.scope('a'), session: 's' })
  const items = [
    said('one'),
    said(''),
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'two' },
        { type: 'input_image', image: 'https://x.org/i' },
      ],
    },
    { type: 'function_call', callId: 'c', name: 'f', status: 'completed', arguments: '{' },
    {
      type: 'function_call_result',
      callId: 'c',
      name: 'f',
      status: 'completed',
      output: { type: 'image', image: { data: new Uint8Array([1, 2]) } },
    },
    { type: 'reasoning', content: [], providerData: { a: 1 } },
  ]
  await session.addItems(items)
  expect(await session.getItems()).toEqual(items)
  expect(await session.getItems(2)).toEqual(items.slice(-2))
  expect(await session.popItem()).toEqual(items.at(-1))
})

it('[hosts-14] an operation of the runner is made once, and refused if the history ends otherwise', async () => {
  await using memory = await openMemory(':memory:')
  const session = new AgentSession({ scope: memory.scope('a'), session: 's' })
  await session.addItems([said('a'), said('b')])
  const transaction = { type: 'replace_suffix' as const, expectedSuffix: [said('b')], replacement: [said('c')] }
  for (let retry = 0; retry < 2; retry++) await session.applyHistoryTransaction({ operationId: 'o', transaction })
  expect(await session.getItems()).toEqual([said('a'), said('c')])
  await expect(
    session.applyHistoryTransaction({ operationId: 'o', transaction: { ...transaction, expectedSuffix: [] } }),
  ).rejects.toMatchObject({ code: 'log/id-conflict' })
  await expect(session.applyHistoryTransaction({ operationId: 'p', transaction })).rejects.toMatchObject({
    code: 'log/conflict',
  })
  await session.clearSession()
  await session.applyHistoryTransaction({ operationId: 'o', transaction: { type: 'append_items', items: [said('d')] } })
  expect(await session.getItems()).toEqual([said('d')])
})

it('[hosts-13] the scope may depend on the run, and wrong options are named', async () => {
  await using memory = await openMemory(':memory:')
  const session = new AgentSession({
    scope: (run) =>
      memory.scope(`acme/${(run as { context: { user: string } } | undefined)?.context.user ?? 'nobody'}`),
    session: 's',
  })
  await session.addItems([said('hello')], { context: { user: 'ada' } })
  expect(await memory.scope('acme/ada').session('s').count()).toBe(1)
  expect(await session.getItems()).toEqual([])
  expect(() => new AgentSession({ scope: 'acme', session: 's' } as never)).toThrow(/memory\.scope/)
  expect(() => new AgentSession({ scope: memory.scope('a') } as never)).toThrow(/session/)
})
