import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { MemoryError } from '../../src/domain/error.ts'
import type { Memory } from '../../src/api/memory.ts'
import { openMemoryWith } from '../../src/memory/open-memory-with.ts'
import type { Session } from '../../src/api/session.ts'
import type { Store } from '../../src/ports/store.ts'
import { openSqliteStore } from '../../src/stores/sqlite/store.ts'

const content = randomBytes(32)
let directory: string
let file: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'daybook-beside-'))
  file = join(directory, 'a.db')
})
afterEach(() => rmSync(directory, { recursive: true }))

const open = (store: string | Store<'stored'>): Promise<Memory> =>
  openMemoryWith(store, { learn: false, encryption: { content, keys: `${file}.keys` } })

async function talk(memory: Memory, name: string): Promise<Session> {
  const chat = memory.scope('acme').session(name)
  for (let turn = 0; turn < 4; turn++)
    await chat.append({ id: `${name}${turn}`, role: 'user', content: `${name} said ${turn}` })
  return chat
}

it('[keep-4] [forget-1] a damaged session keeps its own key, and nobody else theirs', async () => {
  const before = await open(file)
  for (const name of ['damaged', 'sound']) await talk(before, name)
  await before.close()
  const raw = new Database(file)
  raw.prepare(`UPDATE messages SET body = replace(body, '"data":"', '"data":"AAAA') WHERE id = 'damaged3'`).run()
  raw.close()
  await using memory = await open(file)
  const scope = memory.scope('acme')
  expect(await scope.forget({ message: 'damaged0' })).toMatchObject({ keys: 0, pending: ['keys', 'pages'] })
  expect(await scope.forget({ message: 'sound0' })).toMatchObject({ keys: 1, pending: [] })
  expect(await scope.forget({ session: 'damaged' })).toMatchObject({ pending: [] })
  expect(await memory.verify()).toMatchObject({ ok: true })
})

it('[keep-4] a write whose outcome is unknown is not carried out again because its session has another key', async () => {
  const inner = await openSqliteStore(file, Date.now)
  let meanwhile = async (): Promise<void> => undefined
  let isLost = false
  const store: Store<'stored'> = {
    ...inner,
    log: {
      ...inner.log,
      change: async (change) => {
        const answer = await inner.log.change(change)
        if (!isLost) return answer
        isLost = false
        throw new MemoryError('store/unknown', 'Cannot tell: the answer to the commit was lost', {})
      },
    },
    erasure: {
      ...inner.erasure,
      scrub: async (ids) => {
        await meanwhile()
        return inner.erasure.scrub(ids)
      },
    },
  }
  await using memory = await open(store)
  const chat = await talk(memory, 's')
  const outcomes: unknown[] = []
  meanwhile = async () => {
    meanwhile = async () => undefined
    for (const write of [() => chat.append({ role: 'user', content: 'once' }), () => chat.clear()]) {
      isLost = true
      outcomes.push(await write().catch((error: unknown) => (error as MemoryError).code))
    }
  }
  await memory.scope('acme').forget({ message: 's0' })
  expect(outcomes).toEqual(['store/unknown', 'store/unknown'])
  const texts = (await chat.history()).flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')))
  expect(texts.filter((text) => text === 'once')).toHaveLength(1)
  const { key, version } = (await inner.log.session('acme', 's')) ?? { key: 0, version: 0 }
  const made = await inner.log.amendments({
    of: 'session',
    scope: 'acme',
    key,
    afterVersion: 0,
    throughVersion: version,
    limit: 99,
  })
  expect(made.map(({ kind }) => kind)).toEqual(['forget', 'clear-keeping-system'])
})

it('[keep-4] a copy that is behind is read where it cannot be, and as a whole', async () => {
  const inner = await openSqliteStore(file, Date.now)
  let behind = inner
  const log: Store<'stored'>['log'] = {
    ...inner.log,
    session: (...args) => behind.log.session(...args),
    sessions: (...args) => behind.log.sessions(...args),
    messages: (...args) => behind.log.messages(...args),
    message: (...args) => behind.log.message(...args),
    amendments: (...args) => behind.log.amendments(...args),
    reached: (...args) => behind.log.reached(...args),
  }
  await using memory = await open({ ...inner, stale: { ...inner.stale, log } })
  const scope = memory.scope('acme')
  const chat = await talk(memory, 's')
  const raw = new Database(file)
  raw.exec(`VACUUM INTO '${join(directory, 'copy.db')}'`)
  raw.close()
  behind = await openSqliteStore(join(directory, 'copy.db'), Date.now)
  const seqs = async (after?: number): Promise<readonly number[]> =>
    (await chat.history({ stale: true, ...(after === undefined ? {} : { after }) })).map(({ seq }) => seq)
  expect(await seqs()).toEqual([1, 2, 3, 4])
  await scope.forget({ message: 's0' })
  await chat.append({ role: 'user', content: 'later' })
  expect(await seqs()).toEqual([2, 3, 4, 5])
  expect(await seqs(3)).toEqual([4, 5])
  await scope.forget({ session: 's' })
  await chat.append({ role: 'user', content: 'anew' })
  expect(await seqs()).toEqual([1])
  await behind.close()
})

it('[keep-4] what a session shows is sealed again without a look at the keys of others', async () => {
  const inner = await openSqliteStore(file, Date.now)
  let asked = 0
  await using memory = await open({
    ...inner,
    log: {
      ...inner.log,
      blobs: (scope, hashes) => {
        asked += hashes.length
        return inner.log.blobs(scope, hashes)
      },
    },
  })
  const moved = async (): Promise<number> => {
    const chat = await talk(memory, `s${asked}-`)
    await chat.append({
      role: 'user',
      content: [{ type: 'file', source: randomBytes(99), mediaType: 'application/pdf' }],
    })
    asked = 0
    const [first] = await chat.history({ limit: 1 })
    await memory.scope('acme').forget({ message: first?.id ?? '', session: chat.id })
    return asked
  }
  const alone = await moved()
  for (let other = 0; other < 12; other++) await talk(memory, `other${other}-`)
  expect(await moved()).toBe(alone)
})
