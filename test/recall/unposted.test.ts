import { expect, it } from 'vitest'
import { LocalMemory } from '../../src/memory/memory.ts'
import { openMemoryWith } from '../../src/memory/open-memory-with.ts'
import { openSqliteStore } from '../../src/stores/sqlite/store.ts'

it('[recall-6] a scope is unposted after every change of what it holds, and of no other', async () => {
  const store = await openSqliteStore(':memory:', Date.now)
  await using memory = await openMemoryWith(store, { learn: false })
  // Nothing is posted in the background here, however long a change takes.
  Object.assign(LocalMemory.partsOf(memory).posting, { soon: () => undefined })
  const ada = memory.scope('acme/ada')
  const chat = ada.session('s')
  const scopes = ['acme/ada', 'acme']
  const unposted = (): Promise<readonly string[]> => store.recall.unposted(scopes)
  expect(await unposted()).toEqual(scopes)
  await ada.recall('anything', { fresh: true })
  expect(await unposted()).toEqual([])
  const changes: readonly (() => Promise<unknown>)[] = [
    () => chat.append({ id: 'm', role: 'user', content: 'late, again' }),
    () => chat.append({ id: 'n', role: 'user', content: 'and again' }),
    () => chat.revise('m', { content: 'in time' }),
    () => chat.remove('n'),
    () => chat.fork('f'),
    () => ada.remember({ subject: 'Ada', predicate: 'likes', object: 'tea' }),
    () => ada.remember({ subject: 'Ada', predicate: 'lives in', object: 'Rome' }),
    () => ada.remember({ subject: 'Ada', predicate: 'lives in', object: 'Paris' }),
    async () => ada.retract((await ada.facts({ predicate: 'likes' }))[0]?.id ?? ''),
    () => ada.forget({ subject: 'Ada' }),
    () => chat.clear(),
  ]
  for (const change of changes) {
    await change()
    expect([String(change), await unposted()]).toEqual([String(change), ['acme/ada']])
    await ada.recall('anything', { fresh: true })
    expect([String(change), await unposted()]).toEqual([String(change), []])
  }
  await memory.scope('acme').remember({ subject: 'Bob', predicate: 'likes', object: 'tea' })
  expect(await unposted()).toEqual(['acme'])
})
