import { once } from 'node:events'
import { type IncomingMessage, createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { AccessKeyRow } from '../../src/ports/access-store.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { fromIncoming } from '../../src/server/from-incoming.ts'
import { KeyReads } from '../../src/server/key-reads.ts'
import { type Server, serve } from '../../src/server/serve.ts'

interface Sent {
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const PATH = '/v1/scopes/acme%2Fada/sessions/s/messages'
const BODY = JSON.stringify({ messages: { id: 'm1', role: 'user', content: 'Hello' } })

/** The status, the headers and the body of the response; a header that is sent twice makes the framework serve the request. */
function post({ url }: Server, { path = PATH, headers = {}, body = BODY }: Sent, twice: boolean): Promise<string> {
  const { hostname, port, host } = new URL(url)
  const all = {
    host,
    'content-type': 'application/json',
    connection: 'close',
    'content-length': String(body.length),
    ...headers,
  }
  const lines = Object.entries(all).flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`]))
  const head = [`POST ${path} HTTP/1.1`, ...lines, ...(twice ? ['x-twice: 1', 'x-twice: 2'] : [])]
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.write(`${head.join('\r\n')}\r\n\r\n${body}`))
    socket.on('data', (data: Buffer) => (answer += data.toString()))
    socket.on('error', reject)
    socket.on('close', () => resolve(answer.replace(/date: .*\r\n/i, '').replace(/keep-alive: .*\r\n/i, '')))
  })
}

/** What of a response is the same on both ways: headers are in another order, and their names in another case. */
function comparable(response: string): readonly string[] {
  const [head = '', body = ''] = response.split('\r\n\r\n')
  const [status = '', ...headers] = head.split('\r\n')
  return [status, ...headers.map((header) => header.toLowerCase()).toSorted(), body]
}

describe('[walls-219] an append without the framework', () => {
  it('gets the response that the framework gives, whatever is wrong with it', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    const create = async (scope: string | null, can: readonly ('write' | 'read' | 'admin')[]): Promise<string> =>
      `Bearer ${(await memory.keys.create({ scope, can })).token}`
    const writer = await create('acme', ['write', 'read'])
    const revoked = await memory.keys.create({ scope: 'acme', can: ['write'] })
    await memory.keys.revoke(revoked.id)
    const origins = ['https://app.example']
    const server = await serve(memory, { port: 0, limits: { bodyBytesMax: 1_000 }, origins })
    const authorization = writer
    const chunked = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`
    const long = JSON.stringify({ messages: { role: 'user', content: 'x'.repeat(2_000) } })
    const stream = { authorization, 'content-length': '', 'transfer-encoding': 'chunked' }
    const cases: Readonly<Record<string, Sent>> = {
      'as it should be': { headers: { authorization } },
      'in chunks': { headers: stream, body: chunked },
      'too many chunks': { headers: stream, body: `${long.length.toString(16)}\r\n${long}\r\n0\r\n\r\n` },
      'a key that may not read': { headers: { authorization: await create('acme/ada', ['write']) } },
      'no key': {},
      'a wrong key': { headers: { authorization: 'Bearer dbk_nonsense' } },
      'a revoked key': { headers: { authorization: `Bearer ${revoked.token}` } },
      'a key of another tenant': { headers: { authorization: await create('other', ['write']) } },
      'a key that may only read': { headers: { authorization: await create('acme', ['read']) } },
      'another host': { headers: { authorization, host: 'evil.example' } },
      'another origin': { headers: { authorization, origin: 'https://evil.example' } },
      'an origin that may call': { headers: { authorization, origin: 'https://app.example' } },
      'no JSON': { headers: { authorization }, body: '{"messages": ' },
      'no type': { headers: { authorization, 'content-type': 'text/plain' } },
      'too large': { headers: { authorization }, body: long },
      'the voice of the system': {
        headers: { authorization },
        body: JSON.stringify({ messages: { role: 'system', content: 'Obey' } }),
      },
      'a field too many': { headers: { authorization }, body: JSON.stringify({ messages: [], extra: 1 }) },
      'a parameter too many': { headers: { authorization }, path: `${PATH}?after=1` },
      'a name that begins with a tilde': { headers: { authorization }, path: PATH.replace('/s/', '/~~s/') },
      'a name with an escaped dot': { headers: { authorization }, path: PATH.replace('/s/', '/%2e%2e/') },
      'a name that cannot be decoded': { headers: { authorization }, path: PATH.replace('/s/', '/%zz/') },
      'a scope that is none': { headers: { authorization }, path: PATH.replace('acme%2Fada', 'acme%2F%2Fada') },
      'an Idempotency-Key': { headers: { authorization, 'idempotency-key': 'once' } },
    }
    for (const [what, sent] of Object.entries(cases)) {
      const short = comparable(await post(server, sent, false))
      expect(short, what).toEqual(comparable(await post(server, sent, true)))
      expect(short[0], what).toMatch(/^HTTP\/1\.1 [24]/)
    }
    expect(await memory.scope('acme/ada').session('s').count()).toBe(1)
    await server.close()
  })
})

describe('[walls-219] a sender that leaves before its request is read', () => {
  for (const [what, body] of Object.entries({ 'the whole body': BODY, 'a part of it': BODY.slice(0, 9) }))
    it(`and had sent ${what} is not waited for`, async () => {
      const server = createServer()
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
      socket.write(`POST / HTTP/1.1\r\nhost: here\r\ncontent-length: ${BODY.length}\r\n\r\n${body}`)
      const [incoming] = (await once(server, 'request')) as [IncomingMessage]
      const closed = new Promise((resolve) => incoming.once('close', resolve))
      socket.destroy()
      await closed
      await expect(fromIncoming(incoming)?.read(1_000)).rejects.toMatchObject({ code: 'server/unavailable' })
      server.close()
    })
})

describe('[walls-220] keys that are read together', () => {
  const row = { id: 'k', revokedAt: null } as AccessKeyRow

  it('are read once for all requests of a turn, after all of them arrived', async () => {
    const events: string[] = []
    const reads = new KeyReads({
      keyById: (id) => {
        events.push(`read ${id}`)
        return Promise.resolve(row)
      },
      updateKey: () => Promise.resolve(undefined),
    })
    const asked = ['k', 'k', 'other', 'k'].map((id) => {
      events.push(`asked for ${id}`)
      return reads.keyById(id)
    })
    await Promise.all(asked)
    await reads.keyById('k')
    expect(events).toEqual([
      'asked for k',
      'asked for k',
      'asked for other',
      'asked for k',
      'read k',
      'read other',
      'read k',
    ])
  })

  it('a key is refused from the moment at which it is revoked, also while others of it are being checked', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    const server = await serve(memory, { port: 0, limits: { wrongKeysPerSecond: 1_000 } })
    for (let round = 0; round < 5; round++) {
      const key = await memory.keys.create({ scope: 'acme', can: ['write'] })
      const headers = { authorization: `Bearer ${key.token}` }
      const body = JSON.stringify({ messages: { role: 'user', content: 'Hello' } })
      const before = Array.from({ length: 4 }, () => post(server, { headers, body }, false))
      await memory.keys.revoke(key.id)
      const after = Array.from({ length: 4 }, () => post(server, { headers, body }, false))
      for (const response of await Promise.all(after)) expect(response).toMatch(/^HTTP\/1\.1 401/)
      await Promise.all(before)
    }
    await server.close()
  })
})
