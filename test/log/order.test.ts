import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { texts } from '../contract/subject.ts'

const directory = mkdtempSync(join(tmpdir(), 'daybook-order-'))
afterAll(() => rmSync(directory, { recursive: true }))

describe('calls that are not awaited', () => {
  it('[show-2] are stored in the order they were made, whatever each takes to prepare', async () => {
    await using memory = await openMemory(':memory:')
    const chat = memory.scope('a').session('s')
    const long = 'word '.repeat(300_000)
    const calls = [
      chat.append({ role: 'user', content: long }),
      chat.append({ role: 'user', content: 'second' }),
      chat.clear(),
      chat.append({ role: 'user', content: 'third' }),
    ]
    await Promise.all(calls)
    expect((await chat.history()).map((message) => message.tokens > 1_000)).toEqual([true, false, false])
    expect(texts(await chat.window())).toEqual(['third'])
  })

  it('[show-2] keep what was passed, also options and a session with a description', async () => {
    await using memory = await openMemory(':memory:')
    const chat = memory.scope('a').session('s', { description: 'You are terse.' })
    const message = { role: 'user' as const, content: 'said' }
    const options = { operationId: 'op-0' }
    const appended = Array.from({ length: 3 }, (_, index) => {
      options.operationId = `op-${index}`
      const promise = chat.append(message, options)
      message.content = 'changed'
      return promise
    })
    message.content = 'changed again'
    const stored = await Promise.all(appended)
    expect(stored.map((answer) => texts(answer)[0])).toEqual(['said', 'changed', 'changed'])
    expect(await chat.count()).toBe(4)
  })

  it('a failed one holds nobody up', async () => {
    await using memory = await openMemory(':memory:')
    const chat = memory.scope('a').session('s')
    const [bad, good] = await Promise.allSettled([
      chat.append({ role: 'user', content: '' }),
      chat.append({ role: 'user', content: 'x' }),
    ])
    expect([bad.status, good.status]).toEqual(['rejected', 'fulfilled'])
  })
})

describe('verify', () => {
  it('[log-8] is right about a session that is appended to while it reads', async () => {
    await using memory = await openMemory(join(directory, 'busy.db'))
    const chat = memory.scope('a').session('s')
    for (let batch = 0; batch < 3; batch++)
      await chat.append(Array.from({ length: 700 }, (_, index) => ({ role: 'user' as const, content: String(index) })))
    let running = true
    const writer = (async () => {
      while (running) {
        const [stored] = await chat.append({ role: 'user', content: 'more' })
        await chat.revise(stored?.id ?? '', { content: 'revised' })
      }
    })()
    for (let round = 0; round < 3; round++) expect(await memory.verify()).toMatchObject({ ok: true, damage: [] })
    running = false
    await writer
  })

  it('[log-8] checks the blobs of revisions, and damaged bytes are not given back', async () => {
    const file = join(directory, 'blobs.db')
    const memory = await openMemory(file)
    const chat = memory.scope('a').session('s')
    const [stored] = await chat.append({ role: 'user', content: 'x' })
    const revised = await chat.revise(stored?.id ?? '', { images: [new Uint8Array([1, 2, 3])] })
    await memory.close()
    const database = new Database(file)
    database.prepare('UPDATE blobs SET bytes = ?').run(Buffer.from([9, 9, 9]))
    database.close()
    await using reopened = await openMemory(file)
    expect((await reopened.verify()).damage).toMatchObject([{ scope: 'a', session: 's', seq: 1, what: 'blob' }])
    await expect(reopened.scope('a').session('s').blobs([revised])).rejects.toMatchObject({ code: 'store/corrupt' })
  })

  it('[log-8] reports damage of any type instead of failing over it', async () => {
    const file = join(directory, 'types.db')
    const memory = await openMemory(file)
    await memory
      .scope('a')
      .session('s')
      .append([
        { role: 'user', content: 'x' },
        { role: 'user', content: 'y' },
      ])
    await memory.scope('a').session('t').append({ role: 'user', content: 'z' })
    await memory.close()
    const damages = [
      "UPDATE messages SET digest = 'text' WHERE session = 1 AND seq = 1",
      'UPDATE messages SET salt = 7 WHERE session = 1 AND seq = 2',
      "UPDATE sessions SET description = 'not json' WHERE name = 't'",
      "UPDATE sessions SET head = 'text' WHERE name = 's'",
      'UPDATE messages SET tokens = 1 WHERE session = 2',
    ]
    for (const damage of damages) {
      const copy = new Database(file)
      copy.exec('BEGIN')
      copy.exec(damage)
      copy.exec('COMMIT')
      copy.close()
      await using reopened = await openMemory(file)
      const report = await reopened.verify()
      expect(report.ok, damage).toBe(false)
    }
    await using reopened = await openMemory(file)
    await expect(reopened.scope('a').session('s').history()).rejects.toMatchObject({ code: 'store/corrupt' })
    expect((await reopened.scope('a').sessions()).sessions).toHaveLength(2)
  })

  it('[log-8] notices rows whose session is gone', async () => {
    const file = join(directory, 'strays.db')
    const memory = await openMemory(file)
    await memory.scope('a').session('s').append({ role: 'user', content: 'x' })
    await memory.close()
    const database = new Database(file)
    database.pragma('foreign_keys = OFF')
    database.exec('DELETE FROM sessions')
    database.close()
    await using reopened = await openMemory(file)
    expect((await reopened.verify()).file).toEqual(['a row of messages names a row of sessions that is missing'])
  })
})
