import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { LocalMemory } from '../../src/memory/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { openKeyFile } from '../../src/stores/sqlite/key-file.ts'
import { freshDatabase, withClient } from './database.ts'

const directory = mkdtempSync(join(tmpdir(), 'daybook-sealed-pg-'))
afterAll(() => rmSync(directory, { recursive: true }))

const canary = 'zugunruhe-canary-4711'

describe('encrypted content on PostgreSQL', () => {
  it('[keep-4] is read as it was written, stands in no table, and is unreadable once its key is gone', async () => {
    await using database = await freshDatabase()
    const content = randomBytes(32)
    const keys = join(directory, 'agent.keys')
    const open = () => openMemory(database.url, { postgres: database.postgres, encryption: { content, keys } })
    await expect(openMemory(database.url, { postgres: database.postgres, encryption: { content } })).rejects.toThrow(
      /encryption\.keys/,
    )
    const memory = await open()
    const scope = memory.scope('acme/ada')
    const chat = scope.session('s', { description: `about ${canary}` })
    const [first] = await chat.append(
      { id: 'm', role: 'user', content: `My code word is ${canary}` },
      { operationId: 'o' },
    )
    expect(
      await chat.append({ id: 'm', role: 'user', content: `My code word is ${canary}` }, { operationId: 'o' }),
    ).toEqual([first])
    await chat.append({
      role: 'user',
      content: [{ type: 'file', source: Buffer.from(`%PDF-1.4 ${canary}`), mediaType: 'application/pdf' }],
    })
    await chat.revise('m', { content: `My code word was ${canary}` })
    await chat.fork('f')
    await scope.session('f').append({ role: 'user', content: `And here ${canary}` })
    await chat.state.set('note', canary)
    await memory.settled()
    expect((await scope.recall(canary)).items).toEqual([])
    expect((await scope.session('f').history()).map(({ parts }) => parts[0])).toMatchObject([
      { text: `about ${canary}` },
      { text: `My code word was ${canary}` },
      { type: 'file' },
      { text: `And here ${canary}` },
    ])
    const shown = (await chat.history()).slice(-1)
    expect([...(await chat.blobs(shown)).values()].map(String)).toEqual([`%PDF-1.4 ${canary}`])
    expect(await memory.verify()).toMatchObject({ ok: true, damage: [] })
    expect(await tablesWith(database.admin, canary)).toEqual([])
    expect(await tablesWith(database.admin, 'acme/ada')).toContain('sessions')
    await memory.close()

    // As forgetting does it, with the rows still there, as a dump from before has them.
    const again = await open()
    const { stored } = LocalMemory.partsOf(again)
    expect(await stored.session('acme/ada', 's')).toMatchObject({ description: `about ${canary}` })
    await again.close()
    rmSync(keys)
    const old = await open()
    await expect(old.scope('acme/ada').session('s').history()).rejects.toMatchObject({
      code: 'encryption/key-destroyed',
    })
    expect(await old.verify()).toMatchObject({ ok: true, sealed: 4, damage: [] })
    await old.close()
  })

  it('[keep-4] gets another key when a message is forgotten, while others write, and a dump from before is unreadable', async () => {
    await using database = await freshDatabase()
    const content = randomBytes(32)
    const keys = join(directory, 'resealed.keys')
    const open = () =>
      openMemory(database.url, { learn: false, postgres: database.postgres, encryption: { content, keys } })
    const [memory, other] = [await open(), await open()]
    const chat = memory.scope('acme/ada').session('s', { description: `about ${canary}` })
    const file = { type: 'file', source: Buffer.from(`%PDF-1.4 ${canary}`), mediaType: 'application/pdf' } as const
    await chat.append([{ id: 'm', role: 'user', content: 'doomed' }], { operationId: 'o' })
    await chat.append([{ id: 'f', role: 'user', content: [file] }], { operationId: 'p' })
    await chat.revise('f', { tags: ['seen'] })
    await chat.fork('fork')
    await chat.append(
      Array.from({ length: 450 }, (_, number) => ({
        id: `n${number}`,
        role: 'user' as const,
        content: `words ${number}`,
      })),
    )
    const dumped = await withClient(database.admin, async (client) => {
      const found = await client.query<{ body: string }>(`SELECT body FROM daybook.messages WHERE body <> ''`)
      return found.rows.map(({ body }) => (JSON.parse(body) as { readonly key: string }).key)
    })
    const meanwhile = other.scope('acme/ada').session('s')
    const [receipt] = await Promise.all([
      memory.scope('acme/ada').forget({ message: 'm', session: 's' }),
      ...Array.from({ length: 20 }, (_, number) => meanwhile.append({ role: 'user', content: `meanwhile ${number}` })),
      other.scope('acme/ada').forget({ message: 'n0', session: 's' }),
    ])
    expect(receipt).toMatchObject({ messages: 1, keys: 2 })
    await memory.settled()
    await other.settled()
    for (const each of [memory, other]) {
      const history = await each.scope('acme/ada').session('s').history()
      // The description, the file, all words but the first, and what came meanwhile.
      expect(history.length).toBe(1 + 1 + 449 + 20)
      expect([...(await each.scope('acme/ada').session('s').blobs(history)).values()].map(String)).toEqual([
        `%PDF-1.4 ${canary}`,
      ])
      expect((await each.scope('acme/ada').session('fork').history()).length).toBe(2)
      expect(await each.verify()).toMatchObject({ ok: true, damage: [] })
    }
    expect((await meanwhile.append([{ id: 'f', role: 'user', content: [file] }], { operationId: 'p' }))[0]?.id).toBe(
      'f',
    )
    const raw = await openKeyFile(keys)
    for (const id of new Set(dumped)) expect(await raw.byId(id)).toBeUndefined()
    expect((await raw.ofScope('acme/ada')).length).toBe(2)
    await raw.close()
    await memory.close()
    await other.close()
  })
})

/** Tables that have these characters in one of their values. */
async function tablesWith(url: string, text: string): Promise<readonly string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'daybook'`,
    )
    const found: string[] = []
    const hex = Buffer.from(text).toString('hex')
    for (const { name } of rows) {
      const { rowCount } = await client.query(
        `SELECT 1 FROM daybook."${name}" AS t WHERE t::text LIKE $1 OR t::text LIKE $2 LIMIT 1`,
        [`%${text}%`, `%${hex}%`],
      )
      if ((rowCount ?? 0) > 0) found.push(name)
    }
    return found
  })
}
