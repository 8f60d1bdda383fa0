import type { Memory } from '../../../src/api/memory.ts'

const SCOPE = 'acme/ada'

/** What every golden file holds: a little of everything. */
export async function fillGolden(memory: Memory): Promise<void> {
  const chat = memory.scope(SCOPE).session('golden', { description: 'You are terse.' })
  await chat.append([
    {
      role: 'user',
      id: 'question',
      content: 'What is the weather in Malmö? 🌦',
      metadata: { important: true },
      tags: ['weather'],
    },
    { role: 'assistant', id: 'call', toolCalls: [{ id: 'call-1', name: 'weather', arguments: { city: 'Malmö' } }] },
    { role: 'tool', id: 'result', toolCallId: 'call-1', content: 'rain' },
    { role: 'assistant', id: 'answer', content: 'Rain.' },
  ])
  await chat.append(
    { role: 'user', id: 'image', content: 'And this?', images: [Buffer.from('pixels')] },
    { operationId: 'operation' },
  )
  await chat.revise('answer', { content: 'Rain, all day.' })
  await chat.remove('image')
  const branch = await chat.fork('branch', { at: 3 })
  await branch.append({ role: 'user', id: 'branched', content: 'Never mind.' })
  await branch.clear()
  await branch.append({ role: 'user', id: 'last', content: 'Hello again.' })
}

/** What reading a golden file gives, in every version to come. */
export async function readGolden(memory: Memory): Promise<unknown> {
  const scope = memory.scope(SCOPE)
  const chat = scope.session('golden')
  const history = await chat.history()
  return {
    history: history.map(({ id, seq, role, revision, removed, at }) => ({ id, seq, role, revision, removed, at })),
    texts: history.map((message) => message.parts.map((part) => ('text' in part ? part.text : part.type)).join('|')),
    first: await chat
      .history({ asOf: { version: 5 } })
      .then((messages) => messages.find(({ id }) => id === 'answer')?.parts),
    metadata: (await chat.get('question'))?.metadata,
    branch: (await scope.session('branch').history()).map(({ id, seq, removed }) => ({ id, seq, removed })),
    window: (await scope.session('branch').window()).map(({ id }) => id),
    blobs: [...(await chat.blobs(history)).values()].map((bytes) => Buffer.from(bytes).toString()),
  }
}
