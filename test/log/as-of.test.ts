import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'

it('[log-1] an earlier moment of a log with a missing row is refused, not shortened', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'daybook-as-of-'))
  const file = join(directory, 'm.db')
  let now = Date.parse('2026-11-15T12:00:00Z')
  const memory = await openMemory(file, { clock: { now: () => (now += 1_000) } })
  const chat = memory.scope('a').session('s')
  const said = await chat.append(
    Array.from({ length: 7 }, (_, index) => ({ role: 'user' as const, content: `message ${index}` })),
  )
  for (const content of ['message 8', 'message 9']) await chat.append({ role: 'user', content })
  const then = said.at(-1)?.at ?? ''
  // The rows that a search of the log by halves looks at first.
  const database = new Database(file)
  database.exec('DELETE FROM messages WHERE seq IN (4, 5)')
  database.close()
  await expect(chat.history()).rejects.toMatchObject({ code: 'store/corrupt', details: { seq: 4 } })
  await expect(chat.recent(9)).rejects.toMatchObject({ code: 'store/corrupt', details: { seq: 5 } })
  const corrupt = { code: 'store/corrupt', details: { seq: 5 } }
  for (const asOf of [{ version: 8 }, then, new Date(then)]) {
    await expect(chat.history({ asOf })).rejects.toMatchObject(corrupt)
    await expect(chat.recent(2, { asOf })).rejects.toMatchObject(corrupt)
    await expect(chat.count({ asOf })).rejects.toMatchObject(corrupt)
    await expect(chat.fork('f', { at: asOf })).rejects.toMatchObject({ code: 'store/corrupt' })
  }
  await memory.close()
  rmSync(directory, { recursive: true })
})

it('[msg-8] a day that no calendar has is refused, not taken for another', async () => {
  await using memory = await openMemory(':memory:')
  const chat = memory.scope('a').session('s')
  await chat.append({ role: 'user', content: 'x', at: '2028-02-29T23:59:59.5+14:00' })
  expect((await chat.recent(1))[0]?.at).toBe('2028-02-29T09:59:59.500Z')
  for (const at of ['2026-02-29', '2026-02-31T00:00:00Z', '2026-04-31T12:00:00+02:00', '2026-13-01', '2026-00-10']) {
    await expect(chat.append({ role: 'user', content: 'x', at })).rejects.toMatchObject({ code: 'input/invalid' })
    await expect(chat.history({ asOf: at })).rejects.toMatchObject({ code: 'input/invalid' })
  }
  expect(await chat.count()).toBe(1)
})

it('[log-1] a moment after an amendment and a later message has both', async () => {
  let now = Date.parse('2026-11-15T12:00:00Z')
  await using memory = await openMemory(':memory:', { clock: { now: () => now } })
  const chat = memory.scope('a').session('s')
  await chat.append({ role: 'user', content: 'first', id: 'a' })
  now += 1_000
  await chat.revise('a', { content: 'first, revised' })
  now += 1_000
  await chat.append({ role: 'user', content: 'second', id: 'b' })
  const then = new Date(now)
  now += 1_000
  await chat.remove('a')
  const texts = (await chat.recent(9, { asOf: then })).map(({ parts }) => parts[0])
  expect(texts).toMatchObject([{ text: 'first, revised' }, { text: 'second' }])
  expect(await chat.count({ asOf: then })).toBe(2)
  expect(await chat.count()).toBe(1)
})
