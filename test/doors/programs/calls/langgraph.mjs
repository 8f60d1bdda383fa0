import { InMemoryStore, MemorySaver, emptyCheckpoint } from '@langchain/langgraph-checkpoint'
import { DaybookSaver, DaybookStore } from 'daybook/langgraph'

const place = { thread_id: 't', checkpoint_ns: '' }
const idOf = (number) => `1f000000-0000-6000-8000-${String(number).padStart(12, '0')}`

async function call({ saver, store }, number) {
  const parent = number === 0 ? {} : { checkpoint_id: idOf(number - 1) }
  const channel_versions = { said: number + 1 }
  const checkpoint = {
    ...emptyCheckpoint(),
    id: idOf(number),
    ts: 'then',
    channel_values: { said: `value ${number}` },
    channel_versions,
  }
  const metadata = { source: 'loop', step: number, parents: {} }
  const config = await saver.put({ configurable: { ...place, ...parent } }, checkpoint, metadata, channel_versions)
  await saver.putWrites(config, [['said', `write ${number}`]], 'task')
  await store.put(['notes'], `k${number}`, { number })
}

async function read({ saver, store }) {
  const checkpoints = []
  for await (const one of saver.list({ configurable: { thread_id: 't' } })) checkpoints.push(one)
  const items = await store.search(['notes'], { limit: 1_000 })
  const shown = items.map(({ key, value }) => ({ key, value })).toSorted((a, b) => a.value.number - b.value.number)
  return { checkpoints, items: shown }
}

export function open(memory) {
  const scope = memory.scope('a')
  const ours = { saver: new DaybookSaver(scope), store: new DaybookStore(scope) }
  return { call: (number) => call(ours, number), read: () => read(ours) }
}

export async function expected(calls) {
  const theirs = { saver: new MemorySaver(), store: new InMemoryStore() }
  for (let number = 0; number < calls; number++) await call(theirs, number)
  return read(theirs)
}
