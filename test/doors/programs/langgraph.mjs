// The same operations on both stores. Theirs finds ['user10'] under ['user1'], which is left out here. What theirs
// returned changes when it is put again, so a batch either reads or writes.
import assert from 'node:assert/strict'
import { Annotation, START, StateGraph } from '@langchain/langgraph'
import { InMemoryStore } from '@langchain/langgraph-checkpoint'
import { DaybookSaver, DaybookStore } from 'daybook/langgraph'
import fc from 'fast-check'
import { close, memory, runs } from './opened.mjs'
const label = fc.constantFrom('user1', 'user10', 'notes', 'a b')
const namespace = fc.array(label, { minLength: 1, maxLength: 3 })
const key = fc.constantFrom('k1', 'k2', 'a/b', 'ü')
const value = fc.record({ n: fc.integer({ min: 0, max: 3 }), t: fc.constantFrom('x', 'y') })
const filter = fc.constantFrom(
  {},
  { n: 1 },
  { n: { $gt: 1 } },
  { t: { $in: ['x'] } },
  { n: { $ne: 2, $lte: 2 } },
  { t: { $nin: ['y'] } },
  { none: 1 },
)
const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ namespace, key, value: fc.option(value) }) },
  fc.record({ namespace, key }),
  fc.record({ namespacePrefix: namespace, filter, limit: fc.constant(100) }),
)
const shown = (result, given) => {
  if ('value' in given) return null
  if ('key' in given) return result === null ? null : [result.namespace, result.key, result.value]
  const inside = result.filter((item) => given.namespacePrefix.every((one, at) => item.namespace[at] === one))
  return inside.map((item) => JSON.stringify([item.namespace, item.key, item.value])).toSorted()
}
let [operations, run] = [0, 0]
await fc.assert(
  fc.asyncProperty(
    fc.array(fc.array(operation, { maxLength: 4 }), { minLength: 3, maxLength: 12, size: 'max' }),
    async (batches) => {
      const ours = new DaybookStore(memory.scope('a'), { collection: `run-${(run += 1)}` })
      const theirs = new InMemoryStore()
      for (const mixed of batches) {
        const writes = mixed.filter((one) => 'value' in one)
        const batch = writes.length > 0 ? writes : mixed
        const [mine, others] = [await ours.batch(structuredClone(batch)), await theirs.batch(structuredClone(batch))]
        for (const [at, given] of batch.entries())
          assert.deepEqual(shown(mine[at], given), shown(others[at], given), JSON.stringify(given))
        operations += batch.length
      }
    },
  ),
  { numRuns: runs },
)
const store = new DaybookStore(memory.scope('b'))
await store.put(['user1'], 'k', { a: 1 })
await store.put(['user10', 'x'], 'k', { a: 2 })
await store.put(['user1', 'y'], 'k', { a: 3 })
assert.deepEqual(
  (await store.search(['user1'])).map((item) => item.value.a),
  [1, 3],
)
assert.deepEqual(await store.listNamespaces({ prefix: ['user1'] }), [['user1'], ['user1', 'y']])
assert.deepEqual(await store.listNamespaces({ maxDepth: 1 }), [['user1'], ['user10']])
assert.deepEqual(await store.listNamespaces({ suffix: ['x'] }), [['user10', 'x']])
await store.put(['user1'], 'k', { a: 4 })
const item = await store.get(['user1'], 'k')
assert(item.createdAt <= item.updatedAt)
await assert.rejects(store.put([], 'k', {}), { name: 'InvalidNamespaceError' })

// A step costs the same at the end of a long thread as at its beginning: in calls, and in bytes that it adds.
const [scope, costs] = [memory.scope('growth'), []]
let calls = 0
const counted = {
  records: (name) =>
    new Proxy(scope.records(name), {
      get:
        (target, method) =>
        (...given) => {
          calls += 1
          return target[method](...given)
        },
    }),
}
const size = async () => {
  let [bytes, after] = [0, {}]
  for (;;) {
    const page = await scope.records('checkpoints').list({ limit: 1_000, ...after })
    bytes += page.reduce((sum, one) => sum + one.bytes, 0)
    if (page.length < 1_000) return bytes
    after = { after: page.at(-1).key }
  }
}
const State = Annotation.Root({ large: Annotation(), count: Annotation() })
const graph = new StateGraph(State)
  .addNode('add', ({ count }) => ({ count: (count % 9) + 1 }))
  .addEdge(START, 'add')
  .compile({ checkpointer: new DaybookSaver(counted) })
const thread = { configurable: { thread_id: 'long' } }
await graph.invoke({ large: 'x'.repeat(1_000_000), count: 1 }, thread)
for (let step = 0; step < 40; step++) {
  const [before, callsBefore] = [await size(), calls]
  await graph.invoke({ count: 1 }, thread)
  costs.push({ bytes: (await size()) - before, calls: calls - callsBefore })
}
const [early, late] = [costs[1], costs.at(-1)]
assert.equal(late.calls, early.calls)
assert(late.bytes < 1.1 * early.bytes && late.bytes < 20_000, JSON.stringify([early, late]))
console.log(`${operations} operations; a step of a long thread: ${late.calls} calls, ${late.bytes} bytes`)
await close()
