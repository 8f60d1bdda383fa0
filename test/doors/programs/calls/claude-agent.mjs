import { InMemorySessionStore } from '@anthropic-ai/claude-agent-sdk'
import { DaybookSessionStore } from 'daybook/claude-agent'

const key = { projectKey: 'shop', sessionId: 's' }

function call(store, number) {
  return store.append(key, [
    { type: 'user', uuid: `u${number}`, message: { role: 'user', content: `question ${number}` } },
    { type: 'custom-title', customTitle: `title ${number}` },
    {
      type: 'assistant',
      uuid: `a${number}`,
      message: { role: 'assistant', content: [{ type: 'text', text: 'reply' }] },
    },
  ])
}

async function read(store) {
  const summaries = await store.listSessionSummaries('shop')
  return { entries: await store.load(key), summaries: summaries.map(({ data }) => data) }
}

export function open(memory) {
  const store = new DaybookSessionStore(memory.scope('a'))
  return { call: (number) => call(store, number), read: () => read(store) }
}

export async function expected(calls) {
  const store = new InMemorySessionStore()
  for (let number = 0; number < calls; number++) await call(store, number)
  return read(store)
}
