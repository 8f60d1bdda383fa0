import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { openSqliteStore } from '../../src/stores/sqlite/store.ts'
import { holdsAPageForASlowReader, wakesWhoHasSomethingToRead } from './many-watchers.ts'

it('[log-10] a watch that fails, is aborted or is never read leaves no timer behind', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'daybook-watch-'))
  const file = join(directory, 'm.db')
  const memory = await openMemory(file)
  const chat = memory.scope('a').session('s')
  await chat.append({ role: 'user', content: 'x' })
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  chat.watch()
  expect(timers()).toBe(before)
  const controller = new AbortController()
  const aborted = chat.watch({ signal: controller.signal }).next()
  expect(timers()).toBe(before + 1)
  controller.abort()
  expect(await aborted).toEqual({ done: true, value: undefined })
  expect(timers()).toBe(before)
  const database = new Database(file)
  database.exec(`UPDATE messages SET body = '{"parts":[]}'`)
  database.close()
  await expect(chat.watch({ after: 0 }).next()).rejects.toMatchObject({ code: 'store/corrupt' })
  expect(timers()).toBe(before)
  await memory.close()
  expect(() => chat.watch()).toThrow(expect.objectContaining({ code: 'store/closed' }) as Error)
  rmSync(directory, { recursive: true })
})

it('[log-10] a session that was forgotten and begun anew is followed from its new beginning', async () => {
  await using memory = await openMemory(':memory:')
  const scope = memory.scope('a')
  const chat = scope.session('s')
  await chat.append([
    { role: 'user', content: 'one' },
    { role: 'user', content: 'two' },
  ])
  const stop = new AbortController()
  const watch = chat.watch({ after: 0, signal: stop.signal })
  const seen = [(await watch.next()).value?.seq, (await watch.next()).value?.seq]
  await scope.forget({ session: 's' })
  const [again] = await chat.append({ role: 'user', content: 'again' })
  await chat.append({ role: 'user', content: 'and more' })
  await chat.append({ role: 'user', content: 'and more' })
  expect(seen).toEqual([1, 2])
  expect((await watch.next()).value?.id).toBe(again.id)
  expect((await watch.next()).value?.seq).toBe(2)
  stop.abort()
})

it('[log-10] a watch from the end follows a session that was begun anew before its first look', async () => {
  await using memory = await openMemory(':memory:')
  const scope = memory.scope('a')
  const chat = scope.session('s')
  for (const content of ['one', 'two', 'three']) await chat.append({ role: 'user', content })
  const stop = new AbortController()
  const watch = chat.watch({ signal: stop.signal })
  await scope.forget({ session: 's' })
  await chat.append({ role: 'user', content: 'again' })
  expect((await watch.next()).value).toMatchObject({ seq: 1, parts: [{ text: 'again' }] })
  stop.abort()
})

it('[log-10] of many watches only those look at the log whose session has moved', async () => {
  await wakesWhoHasSomethingToRead(await openSqliteStore(':memory:', Date.now))
})

it('[log-10] a slow reader holds a page of the log, however much is appended, and then reads all', async () => {
  await holdsAPageForASlowReader(await openSqliteStore(':memory:', Date.now))
})
