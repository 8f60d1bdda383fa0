import { deepStrictEqual } from 'node:assert/strict'
import { AIMessage, ToolMessage } from '@langchain/core/messages'
import { Annotation, START, StateGraph } from '@langchain/langgraph'
import { emptyCheckpoint } from '@langchain/langgraph-checkpoint'
import { DaybookSaver, DaybookStore } from 'daybook/langgraph'

const config = { configurable: { thread_id: 't', checkpoint_ns: '' } }
const metadata = { source: 'loop', step: 1, parents: {} }

export function open(memory, path) {
  const scope = memory.scope(path)
  const [saver, store] = [new DaybookSaver(scope), new DaybookStore(scope)]
  const put = (value, given = config) => {
    const channel_versions = { said: saver.getNextVersion(undefined) }
    const checkpoint = { ...emptyCheckpoint(), channel_values: { said: value }, channel_versions }
    return saver.put(given, checkpoint, metadata, channel_versions)
  }
  const stored = async (value) => {
    await put(value)
    deepStrictEqual((await saver.getTuple(config)).checkpoint.channel_values.said, value)
    return 'stored'
  }
  /** Replies to what was said, on a thread. */
  const graph = () => {
    const add = { reducer: (a, b) => [...a, ...b], default: () => [] }
    return new StateGraph(Annotation.Root({ said: Annotation(add) }))
      .addNode('reply', ({ said }) => ({ said: [`reply to ${said.at(-1)}`] }))
      .addEdge(START, 'reply')
      .compile({ checkpointer: new DaybookSaver(scope) })
  }
  const thread = { configurable: { thread_id: 'g' } }
  return {
    unpaired: () => stored([new ToolMessage({ content: 'r', tool_call_id: 'c' }), new AIMessage('Hm.')]),
    unknown: () => stored({ type: 'never_seen', payload: [1, null, { a: true }] }),
    async large() {
      await stored(new Uint8Array(20_000_000).fill(7))
      // An item is JSON, of at most 4 MiB.
      const [refused] = await Promise.allSettled([store.put(['notes'], 'k', { text: 'x'.repeat(20_000_000) })])
      deepStrictEqual([refused.reason?.code, await store.get(['notes'], 'k')], ['input/too-large', null])
      return 'stored'
    },
    async scope() {
      deepStrictEqual(
        (await Promise.allSettled([(async () => new DaybookStore(path))()]))[0].reason.code,
        'input/invalid',
      )
      return new DaybookSaver(path)
    },
    // Two runs that go on from the same checkpoint: each keeps what it said.
    async runs() {
      await graph().invoke({ said: ['hello'] }, thread)
      const before = (await graph().getState(thread)).config
      const runs = await Promise.all(['one', 'two'].map((one) => graph().invoke({ said: [one] }, before)))
      deepStrictEqual(
        runs.map(({ said }) => said.slice(2)),
        [
          ['one', 'reply to one'],
          ['two', 'reply to two'],
        ],
      )
      const ends = []
      for await (const { checkpoint } of new DaybookSaver(scope).list(thread))
        ends.push(checkpoint.channel_values.said ?? [])
      for (const one of ['one', 'two'])
        deepStrictEqual(
          ends.filter((said) => said.at(-1) === `reply to ${one}`),
          [['hello', 'reply to hello', one, `reply to ${one}`]],
        )
      return 'both stored'
    },
    // A fork of an earlier checkpoint leaves the later ones as they were.
    async stale() {
      await graph().invoke({ said: ['hello'] }, thread)
      const first = (await graph().getState(thread)).config
      await graph().invoke({ said: ['later'] }, thread)
      const last = await graph().getState(thread)
      const forked = await graph().updateState(first, { said: ['instead'] })
      deepStrictEqual((await graph().getState(forked)).values.said, ['hello', 'reply to hello', 'instead'])
      await graph().invoke({ said: ['again'] }, first)
      deepStrictEqual((await graph().getState(last.config)).values, last.values)
      return 'both stored'
    },
    async again() {
      const kept = await put('Hi')
      for (let times = 0; times < 2; times++) await saver.putWrites(kept, [['said', 'one']], 'task')
      deepStrictEqual((await saver.getTuple(kept)).pendingWrites, [['task', 'said', 'one']])
      return 'stored once'
    },
    async read() {
      const found = await store.search([])
      for await (const one of saver.list({ configurable: {} })) found.push(one)
      return found
    },
  }
}
