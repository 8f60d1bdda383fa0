import { DaybookMemoryStore, DaybookSnapshotStorage } from 'daybook/strands'

const location = { sessionId: 's', scope: 'agent', scopeId: 'helper' }
const snapshotOf = (number) => ({
  scope: 'agent',
  schemaVersion: '1.0',
  createdAt: 'then',
  data: { number },
  appData: {},
})
const idOf = (number) => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`

/** Conversations, notes and snapshots, as an agent stores them after each turn. */
export function open(memory) {
  const scope = memory.scope('a')
  const [store, storage] = [new DaybookMemoryStore(scope), new DaybookSnapshotStorage(scope)]
  return {
    async call(number) {
      await store.addMessages([{ role: 'user', content: [{ text: `question ${number}` }], trackingId: `t${number}` }])
      await store.add(`note ${number}`)
      const given = { location, snapshotId: idOf(number), snapshot: snapshotOf(number) }
      for (const isLatest of [false, true]) await storage.saveSnapshot({ ...given, isLatest })
    },
    read: async () => ({
      said: (await scope.session('strands').history()).map(({ parts: [{ text }] }) => text),
      latest: await storage.loadSnapshot({ location }),
      ids: await storage.listSnapshotIds({ location }),
    }),
  }
}

export function expected(calls) {
  const numbers = Array.from({ length: calls }, (_, number) => number)
  return {
    said: numbers.flatMap((number) => [`question ${number}`, `note ${number}`]),
    latest: snapshotOf(calls - 1),
    ids: numbers.map(idOf),
  }
}
