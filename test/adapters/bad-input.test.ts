import { type UIMessage, generateText, wrapLanguageModel } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { middleware, saveChat, withMemory } from '../../src/adapters/ai-sdk/index.ts'
import { memoryFiles } from '../../src/adapters/anthropic/index.ts'
import { AgentSession } from '../../src/adapters/openai-agents/index.ts'
import { DaybookMemoryStore, DaybookSnapshotStorage } from '../../src/adapters/strands/index.ts'
import type { Memory } from '../../src/api/memory.ts'
import type { Scope } from '../../src/api/scope.ts'
import { openMemory } from '../../src/memory/open-memory.ts'

let memory: Memory
let scope: Scope
beforeEach(async () => {
  memory = await openMemory(':memory:', { learn: false, messageBytesMax: 200_000 })
  scope = memory.scope('acme/ada')
})
afterEach(() => memory.close())

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never
const model = (): MockLanguageModelV4 =>
  new MockLanguageModelV4({
    doGenerate: {
      content: [{ type: 'text', text: 'Hello.' }],
      finishReason: { unified: 'stop', raw: undefined },
      usage,
      warnings: [],
    },
  })
/** Larger than a message may be here; by default that is 16 MiB. */
const large = 'x'.repeat(250_000)
const tooLarge = { code: 'input/too-large' }
const location = { sessionId: 's', scope: 'agent', scopeId: 'helper' } as const
const snapshot = (data: Record<string, string>) => ({
  scope: 'agent' as const,
  schemaVersion: '1.0',
  createdAt: '2026-01-01T00:00:00.000Z',
  data,
  appData: {},
})

describe('a result that answers no call', () => {
  it('[hosts-59] is stored, and the next context is valid', async () => {
    const session = new AgentSession({ scope, session: 'agents' })
    const item = {
      type: 'function_call_result',
      callId: 'c',
      name: 'f',
      status: 'completed',
      output: { type: 'text', text: 'r' },
    }
    await session.addItems([item])
    expect(await session.getItems()).toEqual([item])
    const store = new DaybookMemoryStore(scope, { session: 'strands' })
    await store.addMessages([
      { role: 'user', content: [{ toolResult: { toolUseId: 't', status: 'success', content: [{ text: 'r' }] } }] },
    ])
    for (const id of ['agents', 'strands']) {
      const chat = scope.session(id)
      await chat.append({ role: 'user', content: 'And now?' })
      const { messages } = (await chat.context({ budget: 4_000 })).as('anthropic') as {
        messages: { content: unknown }[]
      }
      expect(JSON.stringify(messages)).not.toContain('tool_result')
    }
  })

  it('[hosts-59] a call without its result, of a run that was killed, does not stop the next turn', async () => {
    await scope.session('s').append([
      { role: 'user', content: 'Look!' },
      { role: 'assistant', toolCalls: [{ id: 'c', name: 'look', arguments: {} }] },
    ])
    const inner = model()
    const wrapped = wrapLanguageModel({ model: inner, middleware: middleware({ scope, session: 's', mode: 'static' }) })
    await generateText({ model: wrapped, prompt: 'And?' })
    const prompt = JSON.stringify(inner.doGenerateCalls[0]?.prompt)
    const ids = (type: string): readonly string[] =>
      [...prompt.matchAll(new RegExp(`"type":"${type}","toolCallId":"([^"]+)"`, 'g'))].map(([, id = '']) => id)
    expect(ids('tool-result')).toEqual(ids('tool-call'))
  })
})

it('[hosts-59] an unknown part is kept as it is', async () => {
  const session = new AgentSession({ scope, session: 'agents' })
  const odd = { type: 'never_seen', payload: [1, null, { '': true }] }
  await session.addItems([odd])
  expect(await session.getItems()).toEqual([odd])
  await new DaybookMemoryStore(scope).addMessages([{ role: 'user', content: [{ neverSeen: { a: 1 } }] }])
  expect((await scope.session('strands').history())[0]?.parts).toMatchObject([
    { type: 'data', data: { neverSeen: { a: 1 } } },
  ])
  const parts = [
    { type: 'text', text: 'Hi' },
    { type: 'data-weather', data: { city: 'Lisbon' } },
  ] as const
  await saveChat(scope, { chatId: 'chat', messages: [{ id: 'm', role: 'user', parts: [...parts] } as UIMessage] })
  expect((await scope.session('chat').history())[0]?.parts.at(-1)).toMatchObject({ type: 'data' })
})

it('[hosts-59] an item over the limit is refused by its size and nothing is stored; a record may be larger', async () => {
  const session = new AgentSession({ scope, session: 'agents' })
  await expect(session.addItems([{ type: 'message', role: 'user', content: large }])).rejects.toMatchObject(tooLarge)
  expect(await session.getItems()).toEqual([])
  const store = new DaybookMemoryStore(scope)
  await expect(store.addMessages([{ role: 'user', content: [{ text: large }] }])).rejects.toMatchObject(tooLarge)
  await expect(store.add(large)).rejects.toMatchObject(tooLarge)
  const messages: UIMessage[] = [{ id: 'm', role: 'user', parts: [{ type: 'text', text: large }] }]
  await expect(saveChat(scope, { chatId: 'chat', messages })).rejects.toMatchObject(tooLarge)
  expect((await scope.sessions()).sessions).toEqual([])
  const storage = new DaybookSnapshotStorage(scope)
  await storage.saveSnapshot({ location, snapshotId: 'x', isLatest: true, snapshot: snapshot({ large }) })
  expect((await storage.loadSnapshot({ location }))?.data['large'] === large).toBe(true)
})

it('[hosts-59] a scope that is none is refused, and nobody sees what is in another scope', async () => {
  const refused = { code: 'input/invalid', message: expect.stringContaining("memory.scope('acme/ada')") as string }
  const wrong = 'acme/ada' as never
  for (const use of [
    () => new AgentSession({ scope: wrong, session: 's' }),
    () => new DaybookMemoryStore(wrong),
    () => new DaybookSnapshotStorage(wrong),
    () => middleware({ scope: wrong, session: 's' }),
    () => withMemory({} as never, { scope: wrong, session: 's' }),
  ])
    expect(use).toThrow(expect.objectContaining(refused))
  await new DaybookMemoryStore(scope).add('Ada has the order 7731.')
  await new DaybookSnapshotStorage(scope).saveSnapshot({
    location,
    snapshotId: 'x',
    isLatest: true,
    snapshot: snapshot({}),
  })
  await new AgentSession({ scope, session: 's' }).addItems([{ type: 'message', role: 'user', content: 'I am Ada.' }])
  const bob = memory.scope('acme/bob')
  expect(await new DaybookMemoryStore(bob).search('order 7731')).toEqual([])
  expect(await new DaybookSnapshotStorage(bob).loadSnapshot({ location })).toBe(null)
  expect(await new AgentSession({ scope: bob, session: 's' }).getItems()).toEqual([])
})

it('[hosts-59] two runs on one session lose nothing', async () => {
  const said = (content: string) => ({ type: 'message', role: 'user', content })
  const runs = [0, 1].map(() => new AgentSession({ scope, session: 's' }))
  await Promise.all(runs.flatMap((run, at) => [1, 2, 3].map((turn) => run.addItems([said(`${at}-${turn}`)]))))
  expect(await runs[0]?.getItems()).toHaveLength(6)
  const wrapped = () => wrapLanguageModel({ model: model(), middleware: middleware({ scope, session: 'turns' }) })
  await Promise.all(['one', 'two'].map((prompt) => generateText({ model: wrapped(), prompt })))
  const roles = (await scope.session('turns').history()).map(({ role }) => role)
  expect(roles.toSorted()).toEqual(['assistant', 'assistant', 'user', 'user'])
  const files = [0, 1].map(() => memoryFiles(scope))
  const path = '/memories/a'
  await files[0]?.create({ path, file_text: 'one two' })
  await Promise.all(
    ['one', 'two'].map((old_str, at) => files[at]?.str_replace({ path, old_str, new_str: old_str.toUpperCase() })),
  )
  expect(await files[0]?.view({ path })).toContain('ONE TWO')
})

it('[hosts-59] a record with a stale version is refused and stays as it was', async () => {
  const records = scope.records('memories')
  await memoryFiles(scope).create({ path: '/memories/a', file_text: 'one' })
  const read = await records.get('a')
  await records.put('a', new TextEncoder().encode('two'), { expect: read?.version ?? 0 })
  const stale = records.put('a', new TextEncoder().encode('three'), { expect: read?.version ?? 0 })
  await expect(stale).rejects.toMatchObject({ code: 'records/conflict' })
  expect(await memoryFiles(scope).view({ path: '/memories/a' })).toContain('two')
})

it('[hosts-62] blocks of a compaction go back to Anthropic as they came', async () => {
  const block = {
    type: 'compaction',
    content: 'Ada asked for order 7731.',
    encrypted_content: 'b3BhcXVl',
    extra: { kept: [1, null] },
  }
  const chat = scope.session('anthropic')
  await chat.append(
    [
      { role: 'user', content: 'Where is it?' },
      { role: 'assistant', content: [block, { type: 'text', text: 'In Lisbon.' }] },
      { role: 'user', content: 'Thanks.' },
    ],
    { from: 'anthropic' },
  )
  const { messages } = (await chat.context({ budget: 4_000 })).as('anthropic') as { messages: { content: unknown[] }[] }
  const blocks = messages.flatMap(({ content }) => content)
  expect(blocks).toContainEqual(block)
})
