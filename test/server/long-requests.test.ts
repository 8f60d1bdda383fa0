import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { textOf } from '../../src/domain/text-of.ts'
import { createApp } from '../../src/server/create-app.ts'
import { HOST, type Scene, openScene } from './scene.ts'

const SESSION = '/v1/scopes/acme/sessions/s'

/** Sends lines as they come. */
function sendLines(scene: Scene, token: string, pieces: AsyncIterable<Uint8Array>): Promise<Response> {
  const request = new Request(`http://${HOST}${SESSION}/messages/bulk`, {
    method: 'POST',
    headers: { host: HOST, authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
    body: ReadableStream.from(pieces),
    duplex: 'half',
  } as RequestInit)
  return scene.app.fetch(request)
}

describe('[walls-245] a key that is revoked', () => {
  it('during a bulk append stores nothing more', async () => {
    await using scene = await openScene()
    const key = await scene.key('acme', ['write'])
    async function* sent(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{"role":"user","content":"before"}\n'.repeat(200))
      while ((await scene.memory.scope('acme').session('s').count()) < 200) await setImmediate()
      await scene.memory.keys.revoke(key.id)
      yield Buffer.from('{"role":"user","content":"after"}\n'.repeat(200))
    }
    expect((await sendLines(scene, key.token, sent())).status).toBe(401)
    expect(await scene.memory.scope('acme').session('s').count()).toBe(200)
  })

  it.each([`${SESSION}/messages/export`, '/v1/scopes/acme/archive'])(
    'during an export gets nothing more: %s',
    async (path) => {
      await using scene = await openScene()
      const key = await scene.key('acme', ['read'])
      const content = 'x'.repeat(100_000)
      await scene.memory
        .scope('acme')
        .session('s')
        .append(Array.from({ length: 40 }, () => ({ role: 'user' as const, content })))
      const response = await scene.ask(path, { token: key.token })
      const reader = response.body?.getReader()
      await reader?.read()
      await scene.memory.keys.revoke(key.id)
      const rest = async (): Promise<number> => {
        for (let bytes = 0; ;) {
          const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
          if (done) return bytes
          bytes += value?.length ?? 0
        }
      }
      await expect(rest()).rejects.toMatchObject({ code: 'access/unauthenticated' })
    },
  )
})

it('[walls-246] lines of a bulk append may arrive in any pieces', async () => {
  await using scene = await openScene()
  const text = ['', '{"role":"user","content":"één"}', '', '{"role":"user","content":"two"}'].join('\n')
  async function* sent(): AsyncGenerator<Uint8Array> {
    for (const byte of Buffer.from(text)) yield Uint8Array.of(byte)
  }
  const response = await sendLines(scene, scene.root.token, sent())
  expect(await response.json()).toEqual({ appended: 2, lastSeq: 2, warnings: 0 })
  const stored = await scene.memory.scope('acme').session('s').history()
  expect(stored.map(textOf)).toEqual(['één', 'two'])
})

it('[walls-246] long lines of a bulk append are stored in small batches, the same ones again', async () => {
  await using scene = await openScene()
  const body = Array.from({ length: 6 }, (_, nth) =>
    JSON.stringify({ role: 'user', content: `${nth}`.repeat(600_000) }),
  )
  const headers = { 'content-type': 'application/x-ndjson', 'idempotency-key': 'long' }
  const send = (lines: readonly string[]): Promise<Response> =>
    scene.ask(`${SESSION}/messages/bulk`, { body: lines.join('\n'), headers })
  expect(await (await send([...body.slice(0, 5), 'nonsense'])).json()).toMatchObject({ details: { appended: 4 } })
  expect(await (await send(body)).json()).toMatchObject({ appended: 6, lastSeq: 6 })
})

it('[walls-243] an answer that is sent in pieces is one of the running requests of its key until it is sent', async () => {
  await using scene = await openScene()
  // Not the one of the scene, which reads every answer to check it.
  const app = createApp(scene.memory, { hosts: [HOST], limits: { runningPerKey: 1, waitingPerKey: 0 } })
  const key = await scene.key('acme', ['read'])
  const content = 'x'.repeat(200_000)
  await scene.memory
    .scope('acme')
    .session('s')
    .append(Array.from({ length: 20 }, () => ({ role: 'user' as const, content })))
  const headers = { host: HOST, authorization: `Bearer ${key.token}` }
  const ask = (path: string): Promise<Response> =>
    app.fetch(new Request(`http://${HOST}${SESSION}/${path}`, { headers }))
  const long = await ask('messages')
  expect((await ask('count')).status).toBe(429)
  expect((JSON.parse(await long.text()) as { readonly messages: readonly unknown[] }).messages).toHaveLength(20)
  expect((await ask('count')).status).toBe(200)
  await app.drain(1_000)
})
