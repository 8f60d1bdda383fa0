import { expect, it } from 'vitest'
import { generateText, wrapLanguageModel } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { storeEvent } from '../../src/adapters/adk/store-event.ts'
import { middleware } from '../../src/adapters/ai-sdk/index.ts'
import { readTranscriptId } from '../../src/adapters/claude-agent/transcript-id.ts'
import { DaybookMemoryStore } from '../../src/adapters/strands/index.ts'
import { openMemory } from '../../src/memory/open-memory.ts'

it('Strands: a batch is stored without what was forgotten, and may be long', async () => {
  await using memory = await openMemory(':memory:', { learn: false })
  const scope = memory.scope('acme/ada')
  const store = new DaybookMemoryStore(scope)
  const say = (n: number) => ({ role: 'user' as const, content: [{ text: `Note ${n}` }], trackingId: `m${n}` })
  await store.addMessages([say(0)])
  await scope.forget({ message: 'm0', session: 'strands' })
  await store.addMessages(Array.from({ length: 1_001 }, (_, n) => say(n + 1)))
  await store.addMessages([say(0), say(1), say(2_000)])
  const ids = (await scope.session('strands').recent(2)).map(({ id }) => id)
  expect(ids).toEqual(['m1001', 'm2000'])
})

it('ADK: an event that is stored again with other content leaves no message of the earlier one in the window', async () => {
  await using memory = await openMemory(':memory:', { learn: false })
  const session = memory.scope('acme/ada').session('s')
  const event = (text: string) => ({
    id: 'e1',
    timestamp: 0,
    author: 'user',
    content: {
      role: 'user',
      parts: [{ functionResponse: { id: 'c', name: 'f', response: { text } } }, { text }],
    },
  })
  await storeEvent(session, event('first') as never)
  await storeEvent(session, event('second') as never)
  expect(await session.get('e1#1')).toBeDefined()
  expect(JSON.stringify(await session.recent(10))).not.toContain('first')
})

it('Claude Agent: an id that is not encoded is not a transcript', () => {
  expect(readTranscriptId('shop/50%')).toBeUndefined()
  expect(readTranscriptId('shop/50%25')).toEqual({ projectKey: 'shop', sessionId: '50%' })
})

it('AI SDK: recalled text takes at most a quarter of a small budget', async () => {
  await using memory = await openMemory(':memory:', { learn: false })
  const scope = memory.scope('acme/ada')
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never
  const model = new MockLanguageModelV4({
    doGenerate: {
      content: [{ type: 'text', text: 'Hello.' }],
      finishReason: { unified: 'stop', raw: undefined },
      usage,
      warnings: [],
    },
  })
  const remember = middleware({ scope, session: 's', context: { budget: 600 } })
  for (const prompt of ['I am Ada.', 'Who am I?'])
    await generateText({ model: wrapLanguageModel({ model, middleware: remember }), prompt })
  expect(JSON.stringify(model.doGenerateCalls[1]?.prompt)).toContain('I am Ada.')
})
