import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { connectMemory } from '../../src/client/connect-memory.ts'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { serve } from '../../src/server/serve.ts'
import { fill, fresh, textOf } from '../archive/scene.ts'
import { openScene } from './scene.ts'

const folder = mkdtempSync(join(tmpdir(), 'daybook-server-archive-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function behindServer(memory: Memory): Promise<{ client: Memory } & AsyncDisposable> {
  const { token } = await memory.keys.create({ scope: null, can: ['admin'] })
  const server = await serve(memory, { port: 0, backups: folder })
  const client = connectMemory(server.url, { key: token })
  return {
    client,
    async [Symbol.asyncDispose]() {
      await client.close()
      await server.close()
    },
  }
}

describe('[arc-1] [keep-5] over HTTP', () => {
  it('an archive goes out of one server and into another, to the byte', async () => {
    await using from = await fresh()
    await fill(from)
    await using to = await fresh()
    await using one = await behindServer(from)
    await using two = await behindServer(to)
    const imported = await two.client.import(one.client.export())
    expect(await textOf(to.export())).toBe(await textOf(from.export()))
    expect(imported.stored).toBe(imported.records)
    expect((await two.client.import(one.client.export())).stored).toBe(0)
    const [mine, theirs] = [from, one.client].map((memory) => memory.scope('acme/ada').export({ session: 'twig' }))
    expect(mine && theirs && (await textOf(mine)) === (await textOf(theirs))).toBe(true)
  })

  it('errors are those of the library', async () => {
    await using memory = await fresh()
    await using server = await behindServer(memory)
    const { client } = server
    await expect(textOf(client.scope('a').export({ session: 'none' }))).rejects.toMatchObject({ code: 'log/not-found' })
    await expect(client.import(['nonsense\n'])).rejects.toMatchObject({ code: 'archive/damaged', details: { line: 1 } })
    await expect(client.import(7 as never)).rejects.toMatchObject({ code: 'input/invalid' })
    await using other = await fresh()
    await fill(other)
    await expect(client.import(other.export(), { scope: 'zeta' })).rejects.toMatchObject({ code: 'archive/damaged' })
    await memory.scope('acme/ada').session('support').append({ role: 'user', content: 'mine' })
    await expect(client.import(other.export())).rejects.toMatchObject({ code: 'archive/conflict' })
    async function* failing(): AsyncGenerator<string> {
      yield 'x'
      throw new Error('the disk of the sender')
    }
    await expect(client.import(failing())).rejects.toThrow('the disk of the sender')
  })

  it('a backup is written on the side of the server, into its directory and nowhere else', async () => {
    await using memory = await openMemory(join(folder, 'served.db'), { learn: false })
    await memory.scope('a').session('s').append({ role: 'user', content: 'kept' })
    await using server = await behindServer(memory)
    expect(await server.client.backup('monday.db')).toMatchObject({ file: 'monday.db', messages: 1 })
    await expect(server.client.backup('monday.db')).rejects.toMatchObject({ code: 'store/exists' })
    for (const name of ['../up.db', '/etc/x', 'a/b', '', '.hidden', 'x\0'])
      await expect(server.client.backup(name)).rejects.toMatchObject({ code: 'input/invalid' })
    expect(readdirSync(folder).filter((name) => !name.startsWith('served'))).toEqual(['monday.db'])
  })

  it('is for keys that may: reading to export, an admin to import and to back up', async () => {
    await using scene = await openScene()
    const { token } = await scene.key('acme', ['read', 'write'])
    expect((await scene.ask('/v1/scopes/acme%2Fada/archive', { token })).status).toBe(200)
    expect((await scene.ask('/v1/scopes/acme%2Fada/archive', { token, method: 'POST' })).status).toBe(403)
    expect((await scene.ask('/v1/archive', { token })).status).toBe(404)
    expect((await scene.ask('/v1/backup', { body: { file: 'x.db' } })).status).toBe(422)
  })
})
