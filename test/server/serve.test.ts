import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { get } from 'node:https'
import { type Socket, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { connectMemory } from '../../src/client/connect-memory.ts'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { textOf } from '../archive/scene.ts'
import { type ServeOptions, type Server, serve } from '../../src/server/serve.ts'

interface Served extends AsyncDisposable {
  readonly memory: Memory
  readonly server: Server
  readonly token: string
}

async function start(options: ServeOptions = {}): Promise<Served> {
  const memory = await openMemory(':memory:', { learn: false })
  const { token } = await memory.keys.create({ scope: null, can: ['admin'] })
  const server = await serve(memory, { port: 0, ...options })
  return {
    memory,
    server,
    token,
    async [Symbol.asyncDispose]() {
      await server.close()
      await memory.close()
    },
  }
}

/** What a socket gets for some bytes, until it is closed. */
function converse(url: string, sent: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.write(sent))
    socket.on('data', (data: Buffer) => (answer += data.toString()))
    socket.on('error', () => resolve(answer))
    socket.on('close', () => resolve(answer))
  })
}

describe('[http-5] the first start', () => {
  it('makes an admin key in a file that only its owner can read, and a link; later starts read it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'daybook-serve-'))
    try {
      const keyFile = join(folder, 'memory.db.key')
      await using memory = await openMemory(join(folder, 'memory.db'), { learn: false })
      const first = await serve(memory, { port: 0, keyFile })
      const token = readFileSync(keyFile, 'utf8').trim()
      expect(statSync(keyFile).mode & 0o777).toBe(0o600)
      expect(first.link).toBe(`${first.url}/#key=${token}`)
      await openMemory(first.url, { key: token }).then((client) =>
        client.scope('a').session('s').append({ role: 'user', content: 'x' }),
      )
      await first.close()
      const second = await serve(memory, { port: 0, keyFile })
      expect(second.link).toBe(`${second.url}/#key=${token}`)
      await second.close()
      expect((await memory.keys.list()).map(({ scope, can }) => ({ scope, can }))).toEqual([
        { scope: null, can: ['read', 'write', 'propose', 'instruct', 'admin'] },
      ])
      rmSync(keyFile)
      const third = await serve(memory, { port: 0, keyFile })
      expect(third.link).toBeUndefined()
      await third.close()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('[http-6] addresses', () => {
  it('[surface-22] a log that is no function is refused before the server listens', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    await expect(serve(memory, { port: 0, log: false } as unknown as ServeOptions)).rejects.toMatchObject({
      code: 'input/invalid',
      message: expect.stringContaining('expected a function') as string,
    })
  })

  it('others than loopback need TLS or somebody in front', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    for (const host of ['0.0.0.0', '::', '192.168.0.1', 'example.com'])
      await expect(serve(memory, { host, port: 0 })).rejects.toMatchObject({ code: 'input/invalid' })
    const server = await serve(memory, { host: '0.0.0.0', port: 0, behindProxy: true, hosts: ['memory.example'] })
    const { port } = new URL(server.url)
    const reply = await converse(
      `http://127.0.0.1:${port}`,
      'GET /healthz HTTP/1.1\r\nHost: memory.example\r\nConnection: close\r\n\r\n',
    )
    expect(reply).toContain('200 OK')
    await server.close()
  })

  it.skipIf(spawnSync('openssl', ['version']).status !== 0)('TLS files make it speak TLS', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'daybook-tls-'))
    try {
      const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
      const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
      const files = ['-keyout', key, '-out', cert]
      execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files], {
        stdio: 'ignore',
      })
      await using memory = await openMemory(':memory:', { learn: false })
      const server = await serve(memory, { host: '0.0.0.0', port: 0, tls: { cert, key }, hosts: ['localhost'] })
      const { port } = new URL(server.url)
      const status = await new Promise((resolve, reject) => {
        get(
          {
            host: '127.0.0.1',
            port,
            path: '/healthz',
            servername: 'localhost',
            ca: readFileSync(cert),
            agent: false,
            headers: { host: 'localhost' },
          },
          (answer) => resolve(answer.resume().statusCode),
        ).on('error', reject)
      })
      expect([status, server.url.startsWith('https:')]).toEqual([200, true])
      await server.close()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('a port that is taken is an error with its name', async () => {
    await using one = await start()
    await expect(serve(one.memory, { port: Number(new URL(one.server.url).port) })).rejects.toMatchObject({
      code: 'server/unavailable',
    })
  })

  it('a stranger in the Host header gets nothing', async () => {
    await using served = await start()
    expect(
      await converse(served.server.url, 'GET /healthz HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n'),
    ).toContain('403 Forbidden')
  })
})

describe('[http-6] slow clients', () => {
  it('are cut: headers, bodies and readers that never end', async () => {
    await using served = await start({ limits: { requestMs: 300 } })
    const { url } = served.server
    const { host } = new URL(url)
    const head = `POST /v1/scopes/a/recall HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${served.token}\r\nContent-Type: application/json\r\n`
    expect(await converse(url, 'GET /healthz HTTP/1.1\r\nHost:')).not.toContain('200')
    expect(await converse(url, `${head}Content-Length: 100\r\n\r\n{"query":`)).not.toContain('200 OK')
    expect(await converse(url, `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"que`)).not.toContain('200 OK')
  })

  it('[walls-215] half-open connections of one address are closed when there are too many, and others get in', async () => {
    await using served = await start({ limits: { connectionsMax: 30, idlePerAddress: 10 } })
    const { hostname, port } = new URL(served.server.url)
    const sockets = await Promise.all(
      Array.from(
        { length: 60 },
        () =>
          new Promise<Socket>((resolve) => {
            const socket = connect(Number(port), hostname, () => {
              socket.write('GET /healthz HTTP/1.1\r\nHost:')
              resolve(socket)
            })
            socket.on('error', () => resolve(socket))
          }),
      ),
    )
    for (let request = 0; request < 5; request++) expect((await fetch(`${served.server.url}/healthz`)).status).toBe(200)
    await expect.poll(() => sockets.filter(({ closed }) => closed).length).toBeGreaterThanOrEqual(50)
    for (const socket of sockets) socket.destroy()
  })

  it('[walls-215] a connection that has a request is not closed for a new one', async () => {
    await using served = await start({ limits: { connectionsMax: 4, idlePerAddress: 2 } })
    const client = connectMemory(served.server.url, { key: served.token })
    const chat = client.scope('a').session('s')
    await chat.append({ role: 'user', content: 'one' })
    const watched = chat.watch({ after: 0 })
    expect((await watched.next()).value).toMatchObject({ seq: 1 })
    const sockets = Array.from({ length: 12 }, () => connect(Number(new URL(served.server.url).port), '127.0.0.1'))
    for (const socket of sockets) socket.on('error', () => undefined)
    await expect.poll(() => sockets.filter(({ closed }) => closed).length).toBeGreaterThanOrEqual(9)
    await chat.append({ role: 'user', content: 'two' })
    expect((await watched.next()).value).toMatchObject({ seq: 2 })
    await watched.return?.()
    for (const socket of sockets) socket.destroy()
  })

  it('[arc-2] an upload that goes on may take longer than a request; one that stops is cut, and sent again it goes on', async () => {
    await using from = await openMemory(':memory:', { learn: false })
    const session = from.scope('a').session('s')
    for (let n = 0; n < 8; n++) await session.append({ role: 'user', content: `${n} ${'x'.repeat(100)}` })
    const lines = (await textOf(from.export())).split(/(?<=\n)/)
    await using served = await start({ limits: { requestMs: 2_000 } })
    const client = connectMemory(served.server.url, { key: served.token, retryPausesMs: [] })
    async function* slowly(pauses: (line: number) => number): AsyncGenerator<string> {
      for (const [number, line] of lines.entries()) {
        await new Promise((resolve) => setTimeout(resolve, pauses(number)))
        yield line
      }
    }
    await expect(client.import(slowly((line) => (line === 6 ? 20_000 : 0)))).rejects.toMatchObject({
      code: 'server/unavailable',
    })
    const imported = await client.import(slowly(() => 250))
    // All but the manifest and the last line.
    expect(imported.records).toBe(lines.length - 2)
    expect(await textOf(served.memory.export())).toBe(lines.join(''))
    const bulk = await fetch(`${served.server.url}/v1/scopes/a/sessions/t/messages/bulk`, {
      method: 'POST',
      duplex: 'half',
      headers: { authorization: `Bearer ${served.token}`, 'content-type': 'application/x-ndjson' },
      body: ReadableStream.from(
        (async function* () {
          for (let n = 0; n < 6; n++) {
            await new Promise((resolve) => setTimeout(resolve, 400))
            yield Buffer.from(`{"role":"user","content":"${n}"}\n`)
          }
        })(),
      ),
    })
    expect(await bulk.json()).toMatchObject({ appended: 6 })
  })

  it('an upload ends when its whole time is over', async () => {
    await using served = await start({ limits: { requestMs: 10_000, uploadMs: 500 } })
    const client = connectMemory(served.server.url, { key: served.token, retryPausesMs: [] })
    async function* forever(): AsyncGenerator<string> {
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 50))
        yield ' '
      }
    }
    await expect(client.import(forever())).rejects.toMatchObject({ code: 'server/unavailable' })
  })

  it('who was answered and goes on sending what nobody reads is cut', async () => {
    await using served = await start({ limits: { requestMs: 300 } })
    const { host } = new URL(served.server.url)
    const head = `Host: ${host}\r\nContent-Length: 100\r\n\r\nx`
    expect(await converse(served.server.url, `GET /healthz HTTP/1.1\r\n${head}`)).toContain('200 OK')
    expect(await converse(served.server.url, `POST /v1/archive HTTP/1.1\r\n${head}`)).toContain('401')
  })

  it('who reads nothing of a long answer is cut', async () => {
    await using served = await start({ limits: { requestMs: 300 } })
    const session = served.memory.scope('a').session('s')
    for (let batch = 0; batch < 20; batch++)
      await session.append(Array.from({ length: 100 }, () => ({ role: 'user' as const, content: 'x'.repeat(10_000) })))
    const { hostname, port, host } = new URL(served.server.url)
    const socket = connect(Number(port), hostname)
    socket.write(
      `GET /v1/scopes/a/sessions/s/messages/export HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${served.token}\r\n\r\n`,
    )
    socket.pause()
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    let bytes = 0
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
    socket.on('error', () => undefined)
    socket.on('data', (data: Buffer) => (bytes += data.length))
    socket.resume()
    await closed
    expect(bytes).toBeLessThan(20_000_000)
  })

  it('nonsense instead of HTTP is answered or cut, and the server lives', async () => {
    await using served = await start({ limits: { requestMs: 300 } })
    for (const bytes of [
      '\0\0\0\0',
      'GET\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      'POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n',
    ])
      await converse(served.server.url, bytes)
    expect((await fetch(`${served.server.url}/readyz`)).status).toBe(200)
  })
})

describe('[http-8] a stop', () => {
  it('answers what was begun, ends watches, and lets the port go', async () => {
    const served = await start()
    const { server, memory, token } = served
    const chat = connectMemory(server.url, { key: token, retryPausesMs: [] }).scope('a').session('s')
    const watching = (async () => {
      let count = 0
      for await (const message of chat.watch({ after: 0 })) count = message.seq
      return count
    })().catch(() => 'ended')
    await chat.append({ role: 'user', content: 'first' })
    const begun = Array.from({ length: 20 }, () => chat.append({ role: 'user', content: 'x' }).catch(() => undefined))
    await begun[0]
    await server.close()
    const acknowledged = (await Promise.all(begun)).filter((stored) => stored !== undefined).length
    expect(await memory.scope('a').session('s').count()).toBe(acknowledged + 1)
    expect(await watching).toBe('ended')
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow('fetch failed')
    await memory.close()
  })
})

describe('[http-4] a watch through the client', () => {
  it('goes on by itself after the server was stopped and started again', async () => {
    const memory = await openMemory(':memory:', { learn: false })
    const { token } = await memory.keys.create({ scope: null, can: ['admin'] })
    const first = await serve(memory, { port: 0 })
    const port = Number(new URL(first.url).port)
    const client = connectMemory(first.url, { key: token })
    const chat = client.scope('a').session('s')
    const seen: number[] = []
    const watching = (async () => {
      for await (const { seq } of chat.watch()) {
        seen.push(seq)
        if (seq === 4) break
      }
    })()
    await chat.append([1, 2].map((number) => ({ role: 'user' as const, content: String(number) })))
    await first.close()
    await memory.scope('a').session('s').append({ role: 'user', content: '3' })
    const second = await serve(memory, { port })
    await chat.append({ role: 'user', content: '4' })
    await watching
    expect(seen).toEqual([1, 2, 3, 4])
    await client.close()
    await second.close()
    await memory.close()
  })
})

describe('[http-2] openMemory of an address', () => {
  it('needs a key and takes no other option', async () => {
    await expect(openMemory('http://127.0.0.1:1')).rejects.toMatchObject({ code: 'input/invalid' })
    await expect(openMemory('http://127.0.0.1:1', { key: 'k', learn: false })).rejects.toMatchObject({
      code: 'input/invalid',
    })
    const memory = connectMemory('http://127.0.0.1:1', { key: 'k', retryPausesMs: [] })
    await expect(memory.scope('a').sessions()).rejects.toMatchObject({ code: 'server/unavailable' })
  })
})
