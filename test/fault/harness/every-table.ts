import { openMemory } from '../../../src/memory/open-memory.ts'
import { openMemoryWith } from '../../../src/memory/open-memory-with.ts'
import { chainActions } from '../../../src/access/audit.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/store.ts'
import { tables } from '../../../src/stores/sql/tables.ts'
import { fill } from '../../archive/scene.ts'

/** Columns that verify does not check: how something is used, when it was derived, and work that is under way. */
export const uncheckedColumns: ReadonlySet<string> = new Set(
  tables.flatMap(({ name, unchecked = [] }) => unchecked.map((column) => `${name}.${column}`)),
)

/** Makes a memory that has rows in every table. */
export async function fillEveryTable(file: string): Promise<void> {
  const store = await openSqliteStore(file, Date.now)
  const memory = await openMemoryWith({ ...store, close: async () => undefined }, { embedder: tiny })
  await fill(memory)
  const ada = memory.scope('acme/ada')
  await ada.session('counted').append(
    [
      { role: 'user', name: 'Ada', content: 'What is the weather?' },
      { role: 'assistant', content: [{ type: 'tool-call', id: 'c1', name: 'weather', arguments: { city: 'Rome' } }] },
      { role: 'tool', content: [{ type: 'tool-result', callId: 'c1', output: 'sunny' }] },
    ],
    { operationId: 'asked' },
  )
  await ada.session('counted').document()
  await ada.session('gone').append({ role: 'user', content: 'Forget the whole of this.' })
  await ada.forget({ session: 'gone' })
  await ada.retention.set({ days: 30 })
  await memory.keys.create({ name: 'helper', scope: 'acme', can: ['read'] })
  await store.access.keepAnswer({ name: 'n', request: 'r', status: 200, body: '{}', at: 1 }, 0)
  await memory.settled()
  await memory.close()
  await store.access.addAudit((last) =>
    chainActions(last, [{ at: 1, keyId: 'k', action: 'append', scope: 'acme', status: 200, ids: '[]', digest: 'd' }]),
  )
  await store.erasure.begin({ id: 'e', scope: 'acme', stage: 'pages', body: '{}', at: 1 })
  await store.close()
}

/** Changes what can be changed in such a memory: facts, entities, names, state, keys and settings. */
export async function changeEveryTable(file: string): Promise<void> {
  await using memory = await openMemory(file)
  const ada = memory.scope('acme/ada')
  for (const { id, scope } of await ada.facts()) if (scope === 'acme/ada') await ada.retract(id, 'not any more')
  await ada.predicate('lives in', { single: false })
  await ada.remember([
    { subject: 'Byron', predicate: 'lives in', object: { entity: 'London' } },
    { subject: 'Lord Byron', predicate: 'wrote', object: 'letters' },
  ])
  await ada.apply((await ada.propose({ merge: ['Ada', 'Byron'] })).id)
  await ada.session('long').state.set('mood', 'glad')
  await ada.retention.set({ days: 60 })
  for (const { id } of await memory.keys.list()) await memory.keys.revoke(id)
  await memory.settled()
}

async function tiny(texts: readonly string[]): Promise<number[][]> {
  return texts.map((text) => [text.length, text.charCodeAt(0) || 1, 3, 4])
}
