import { deepStrictEqual } from 'node:assert/strict'
import { DaybookMemoryStore, DaybookSnapshotStorage } from 'daybook/strands'

const location = { sessionId: 's', scope: 'agent', scopeId: 'helper' }
const snapshot = (data) => ({ scope: 'agent', schemaVersion: '1.0', createdAt: 'then', data, appData: {} })
const message = (...content) => ({ role: 'user', content })

export function open(memory, path) {
  const scope = memory.scope(path)
  const [store, storage] = [new DaybookMemoryStore(scope), new DaybookSnapshotStorage(scope)]
  const history = () => scope.session('strands').history()
  const latest = () => storage.loadSnapshot({ location })
  const save = (data) => storage.saveSnapshot({ location, snapshotId: 'x', isLatest: true, snapshot: snapshot(data) })
  const stored = async (block, text) => {
    await store.addMessages([message(block)])
    deepStrictEqual(JSON.stringify((await history())[0].parts).includes(text), true)
    return 'stored'
  }
  return {
    unpaired: () =>
      stored({ toolResult: { toolUseId: 't', status: 'success', content: [{ text: 'from afar' }] } }, 'from afar'),
    unknown: () => stored({ neverSeen: { a: 'from afar' } }, 'from afar'),
    async large() {
      const text = 'x'.repeat(20_000_000)
      // A snapshot is a record, which may be larger than a message.
      await save({ text })
      deepStrictEqual((await latest()).data.text.length, text.length)
      return stored({ text }, text).finally(async () => deepStrictEqual(await history(), []))
    },
    async scope() {
      deepStrictEqual(
        (await Promise.allSettled([(async () => new DaybookSnapshotStorage(path))()]))[0].reason.code,
        'input/invalid',
      )
      return new DaybookMemoryStore(path)
    },
    async runs() {
      const both = [store, new DaybookMemoryStore(scope)]
      await Promise.all(both.flatMap((one, run) => [1, 2, 3].map((turn) => one.add(`note ${run}-${turn}`))))
      deepStrictEqual((await history()).length, 6)
      return 'both stored'
    },
    async again() {
      for (let times = 0; times < 2; times++) {
        await store.add('Ada likes tea.')
        await store.addMessages([{ ...message({ text: 'Hi' }), trackingId: 't' }])
        await save({ number: 1 })
      }
      deepStrictEqual([(await history()).length, (await latest()).data], [2, { number: 1 }])
      return 'stored once'
    },
    read: async () => [
      ...(await history()),
      ...(await store.search('note')),
      ...[await latest()].filter((one) => one !== null),
    ],
  }
}
