import { describe, expect, it } from 'vitest'
import { connectMemory } from '../../src/client/connect-memory.ts'
import type { Memory } from '../../src/api/memory.ts'
import { HOST, type Scene, openScene } from '../server/scene.ts'

type Fetch = (request: Request) => Promise<Response>

/** A client whose requests pass through a bad line to a server without a port. */
function connectThrough(scene: Scene, line: (request: Request, send: Fetch) => Promise<Response>): Memory {
  const send: Fetch = (request) => {
    request.headers.set('host', HOST)
    return scene.app.fetch(request)
  }
  const fetch: Fetch = (request) => line(request, send)
  return connectMemory(`http://${HOST}`, { key: scene.root.token, fetch, retryPausesMs: [0, 0, 0] })
}

describe('[http-3] the client on a bad line', () => {
  it('does a write once when its answer is lost, before or in the middle', async () => {
    await using scene = await openScene()
    const keys: (string | null)[] = []
    const memory = connectThrough(scene, async (request, send) => {
      keys.push(request.headers.get('idempotency-key'))
      const response = await send(request)
      if (keys.length === 1) throw new TypeError('fetch failed')
      if (keys.length > 2) return response
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"mess'))
          controller.error(new Error('terminated'))
        },
      })
      return new Response(body, response)
    })
    const stored = await memory.scope('a').session('s').append({ role: 'user', content: 'x' })
    expect(stored.map(({ seq }) => seq)).toEqual([1])
    expect(new Set(keys).size).toBe(1)
    expect(keys).toHaveLength(3)
    expect(await scene.memory.scope('a').session('s').count()).toBe(1)
  })

  it('gives up with a code, and never retries a mistake of the caller', async () => {
    await using scene = await openScene()
    let tries = 0
    const dead = connectThrough(scene, async () => {
      tries += 1
      throw new TypeError('fetch failed')
    })
    await expect(dead.scope('a').sessions()).rejects.toMatchObject({ code: 'server/unavailable' })
    expect(tries).toBe(4)
    tries = 0
    const live = connectThrough(scene, (request, send) => {
      tries += 1
      return send(request)
    })
    await expect(live.scope('a').sessions({ after: 'nonsense' })).rejects.toMatchObject({ code: 'input/invalid' })
    await expect(live.scope('a').session('s').revise('none', { content: 'x' })).rejects.toMatchObject({
      code: 'log/not-found',
    })
    expect(tries).toBe(2)
  })

  it('says so when something else answers', async () => {
    await using scene = await openScene()
    const memory = connectThrough(scene, async () => new Response('<h1>Bad gateway</h1>', { status: 502 }))
    await expect(memory.scope('a').sessions()).rejects.toMatchObject({
      code: 'server/unavailable',
      details: { status: 502 },
    })
  })

  it('reaches every name that the library allows', async () => {
    await using scene = await openScene()
    const memory = connectThrough(scene, (request, send) => send(request))
    for (const id of ['.', '..', '~', '~x', '%2F', 'a/b', 'ü?#&=+ ', '%', '😀', 'x'.repeat(300)]) {
      const session = memory.scope('a').session(id)
      await session.append({ role: 'user', content: id, id })
      expect((await session.get(id))?.parts).toEqual([{ type: 'text', text: id }])
      expect(await scene.memory.scope('a').session(id).count()).toBe(1)
    }
  })
})
