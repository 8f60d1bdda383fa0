import { spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

import { describe, expect, it, onTestFinished } from 'vitest'

import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { checkedApp } from '../openapi/checked-app.ts'
import { serve } from '../../src/server/serve.ts'
import { Child } from './harness/child.ts'
import { describeWithShim } from './harness/describe-with-shim.ts'
import { Folder } from './harness/folder.ts'
import { shimEnvironment } from './harness/shim.ts'
import { TinyDisk } from './harness/tiny-disk.ts'

const HOST = 'daybook.test'
const MEGABYTES = 3

interface Scene extends AsyncDisposable {
  /** What `/readyz` says, and its status. */
  ready(): Promise<readonly [number, string]>
  /** Until it says so: a try is made now and then, not with every question. */
  says(word: string): Promise<void>
  append(content: string): Promise<{ readonly status: number; readonly code: string | undefined }>
}

async function open(file: string): Promise<Scene> {
  const memory: Memory = await openMemory(file, { learn: false })
  const { token } = await memory.keys.create({ scope: null, can: ['admin'] })
  const app = checkedApp(memory, { hosts: [HOST] })
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    app.fetch(new Request(`http://${HOST}${path}`, { ...init, headers: { host: HOST, ...init.headers } }))
  const ready = async (): Promise<readonly [number, string]> => {
    const response = await ask('/readyz')
    return [response.status, ((await response.json()) as { status: string }).status]
  }
  return {
    ready,
    async says(word) {
      for (;;) {
        const [, said] = await ready()
        if (said === word) return
        await setTimeout(50)
      }
    },
    async append(content) {
      const response = await ask('/v1/scopes/acme/sessions/s/messages', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ messages: { role: 'user', content } }),
      })
      return { status: response.status, code: ((await response.json()) as { code?: string }).code }
    },
    async [Symbol.asyncDispose]() {
      await app.drain(1_000)
      await memory.close()
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

function tinyDisk(): TinyDisk | string {
  const folder = new Folder()
  const disk = TinyDisk.mount(folder, MEGABYTES)
  if (typeof disk !== 'string')
    onTestFinished(() => {
      disk[Symbol.dispose]()
      folder[Symbol.dispose]()
    })
  return disk
}

describe('[http-7] /readyz', () => {
  it('says full while the disk is, and is well again by itself when there is space', async ({ skip }) => {
    const disk = tinyDisk()
    if (typeof disk === 'string') return skip(disk)
    const ballast = join(disk.path, 'ballast')
    await using scene = await open(join(disk.path, 'log.db'))
    writeFileSync(ballast, Buffer.alloc(1_500_000))
    expect(await scene.ready()).toEqual([200, 'ready'])
    let answer = await scene.append('x'.repeat(50_000))
    while (answer.status === 201) answer = await scene.append('x'.repeat(50_000))
    expect(answer).toEqual({ status: 503, code: 'store/full' })
    expect(await scene.ready()).toEqual([503, 'full'])
    // Nobody writes: whoever shares out requests has taken this server off its list.
    await rm(ballast)
    await scene.says('ready')
    expect(await scene.append('x'.repeat(50_000))).toMatchObject({ status: 201 })
  })

  it(
    'says recovering while another holds the file for too long, and ready when it lets go',
    { timeout: 120_000 },
    async () => {
      using folder = new Folder()
      const file = folder.file('held.db')
      await using scene = await open(file)
      expect(await scene.append('first')).toMatchObject({ status: 201 })
      const { default: Database } = await import('better-sqlite3')
      const other = new Database(file)
      other.exec('BEGIN IMMEDIATE')
      expect(await scene.append('second')).toEqual({ status: 503, code: 'store/busy' })
      const asked = scene.ready()
      other.exec('ROLLBACK')
      other.close()
      await asked
      await scene.says('ready')
      expect(await scene.append('third')).toMatchObject({ status: 201 })
    },
  )

  it('says recovering from the first moment, while the memory is opened', async () => {
    const opening = Promise.withResolvers<Memory>()
    const port = await freePort()
    const serving = serve(opening.promise, { port })
    const url = `http://127.0.0.1:${port}`
    const first = async (): Promise<Response> => {
      for (;;) {
        try {
          return await fetch(`${url}/readyz`)
        } catch {
          await setTimeout(20) // it does not listen yet
        }
      }
    }
    const early = await first()
    expect([early.status, await early.json()]).toEqual([503, { status: 'recovering' }])
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    const refused = await fetch(`${url}/v1/keys`)
    expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'server/unavailable' }])
    await using memory = await openMemory(':memory:', { learn: false })
    opening.resolve(memory)
    const server = await serving
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ready' })
    await server.close()
  })

  it('a memory that cannot be opened is told to the caller, and nothing goes on listening', async () => {
    const port = await freePort()
    await expect(serve(Promise.reject(new Error('no memory')), { port })).rejects.toThrow('no memory')
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow('fetch failed')
  })
})

const NOBODY = 65_534
const SERVER = new URL('children/http-server.ts', import.meta.url)

/** Root passes every permission check, so the server has to be somebody else, who may read this repository and its Node. */
function nobodyCanRun(): boolean {
  if (process.getuid?.() !== 0) return false
  const read = `require('node:fs').readFileSync(${JSON.stringify(SERVER.pathname)})`
  return spawnSync(process.execPath, ['-e', read], { uid: NOBODY, gid: NOBODY }).status === 0
}

describeWithShim('[http-7] /readyz of a server whose disk fails', (library) => {
  it.skipIf(!nobodyCanRun())('says read-only when the file has to be opened anew and cannot be written', async () => {
    using folder = new Folder()
    const file = folder.file('served.db')
    chmodSync(folder.path, 0o777)
    const env = shimEnvironment(library, { match: 'served.db', fail: { at: 300, errno: 5, sticky: false } })
    const child = new Child(SERVER, [file, '0'], { env, uid: NOBODY })
    const listening = new Promise<{ url: string; link: string }>((resolve) => {
      child.onLine((line) => resolve(line as { url: string; link: string }))
    })
    await child.go()
    const { url, link } = await Promise.race([
      listening,
      child.ended.then(() => {
        throw new Error(child.errors)
      }),
    ])
    const append = async (): Promise<string> => {
      const response = await fetch(`${url}/v1/scopes/acme/sessions/s/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${link.split('#key=')[1]}`, 'content-type': 'application/json' },
        body: JSON.stringify({ messages: { role: 'user', content: 'x' } }),
      })
      return ((await response.json()) as { code?: string }).code ?? 'stored'
    }
    const ready = async (): Promise<string> =>
      ((await (await fetch(`${url}/readyz`)).json()) as { status: string }).status
    chmodSync(file, 0o444)
    // The handle that is open goes on, until the disk fails under it and the file is opened anew.
    const said = new Set<string>()
    for (let code = await append(); code !== 'store/read-only'; code = await append()) said.add(code)
    expect([...said]).toContain('stored')
    expect(await ready()).toBe('read-only')
    chmodSync(file, 0o644)
    while ((await ready()) !== 'ready') await setTimeout(50)
    expect(await append()).toBe('stored')
    await child.kill()
  })
})
