import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import type { NewMessage } from '../../src/domain/new-message.ts'
import { tables } from '../../src/stores/sql/tables.ts'
import { fillPath } from '../../src/wire/segment.ts'
import { daybook, folder } from '../cli/harness.ts'
import { dump } from '../fault/golden/dump.ts'
import { checkedApp } from '../openapi/checked-app.ts'
import { operationNamed, operationNames } from './operation-named.ts'

const HOST = 'daybook.test'
const SCOPE = 'acme/ada'
const place = folder()

/** Every row but those of the search index and of counts that are made from the log, without when a key was last used. */
function rowsOf(file: string): readonly string[] {
  const derived = new Set(tables.flatMap(({ name, holds }) => (holds === 'derived' ? [name] : [])))
  return dump(file)
    .split('\n')
    .filter((line) => !derived.has(/^INSERT INTO (\w+)/.exec(line)?.[1] ?? ''))
    .map((line) => (line.startsWith('INSERT INTO access_keys') ? line.replaceAll(/\b\d{13}\b|NULL/g, '') : line))
}

/** More than the budget, so that a context has something to fold. */
function longTalk(): readonly NewMessage[] {
  return Array.from({ length: 80 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `Message ${index}. ${'And so on, about the plan. '.repeat(20)}`,
    id: `m${index}`,
  }))
}

it('[contexts-7] no GET, no key without `write` and no reading command changes a row', async () => {
  const file = join(place, `${crypto.randomUUID()}.db`)
  await using memory = await openMemory(file, { learn: false })
  const scope = memory.scope(SCOPE)
  const chat = scope.session('s', { description: 'Be kind.' })
  await chat.append(longTalk())
  await chat.context({ budget: 2_000 })
  const [fact] = await scope.remember({ subject: 'Ada', predicate: 'likes', object: 'tea' })
  await chat.state.set('colour', 'red')
  await chat.blocks.set('colour', 'red')
  await scope.blocks.set('colour', 'red')
  await scope.records('drafts').put('colour', 'red')
  await memory.settled()
  const [recorded] = await chat.contexts()
  const { token } = await memory.keys.create({ scope: null, can: ['read'] })
  const admin = await memory.keys.create({ scope: null, can: ['admin'] })
  const app = checkedApp(memory, { hosts: [HOST] })
  const before = rowsOf(file)
  const names = {
    scope: SCOPE,
    session: 's',
    id: fact?.id ?? '',
    fold: 'message-3',
    name: 'colour',
    key: 'colour',
    collection: 'drafts',
    context: recorded?.id ?? '',
  }
  let answered = 0
  for (const name of operationNames) {
    const { method, path, can } = operationNamed(name)
    if (method !== 'get' || name.endsWith('watch')) continue
    const query = name.startsWith('contexts.') ? '?budget=2000' : name === 'recall.recall' ? '?query=plan' : ''
    const key = can === 'read' ? token : admin.token
    const address = `http://${HOST}${fillPath(path, { job: 'j', proposal: 'p', message: 'm3', ...names })}${query}`
    const response = await app.fetch(new Request(address, { headers: { host: HOST, authorization: `Bearer ${key}` } }))
    await response.text()
    if (response.ok) answered += 1
  }
  expect(answered).toBeGreaterThan(20)
  const { status } = await app.fetch(
    new Request(`http://${HOST}/v1/scopes/acme%2Fada/sessions/s/context`, {
      method: 'POST',
      headers: { host: HOST, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ budget: 1_500 }),
    }),
  )
  expect(status).toBe(200)
  for (const words of [
    ['context', 's', '--budget', '1500'],
    ['show', 's'],
    ['sessions'],
    ['recall', 'plan'],
    ['facts'],
    ['stats'],
  ])
    expect((await daybook([...words, '--memory', file, '--scope', SCOPE])).status, words.join(' ')).toBe(0)
  await app.drain(1_000)
  expect(rowsOf(file)).toEqual(before)
})
