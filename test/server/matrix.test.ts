import { describe, expect, it } from 'vitest'
import { covers } from '../../src/domain/key.ts'
import { operationNamed, operationNames } from './operation-named.ts'
import type { Problem } from '../../src/wire/problem.ts'
import { fillPath } from '../../src/wire/segment.ts'
import { routes } from '../../src/server/routes.ts'
import { type Scene, openScene } from './scene.ts'

const NAMES = {
  scope: 'acme/ada',
  session: 's',
  message: 'm',
  id: 'f',
  fold: 'x',
  name: 'n',
  key: 'k',
  hash: '0'.repeat(64),
  collection: 'c',
  proposal: 'p',
}
const verbs = ['read', 'write', 'propose', 'admin'] as const

async function statusOf(scene: Scene, name: string, token: string | null): Promise<number> {
  const { method, path } = operationNamed(name)
  const response = await scene.ask(fillPath(path, NAMES), { method: method.toUpperCase(), token })
  await response.body?.cancel()
  return response.status
}

describe('[http-1] the router', () => {
  it('has one route for each operation, and no other', () => {
    expect(routes.map(({ operation }) => operation.name).toSorted()).toEqual(operationNames.toSorted())
  })
})

describe('[serve-3] every route with every kind of key', () => {
  const names = operationNames

  it.each(names)('%s', async (name) => {
    await using scene = await openScene({
      memory: { clock: { now: () => 1_000_000 } },
      limits: { wrongKeysPerSecond: 1_000 },
    })
    const { memory, root } = scene
    const { can: wanted, path, narrows } = operationNamed(name)
    const scoped = path.includes('{scope}')
    const expired = await memory.keys.create({ scope: null, can: ['admin'], expiresAt: 999_999 })
    const revoked = await scene.key(null, ['admin'])
    await memory.keys.revoke(revoked.id)
    const wrong = `${root.token.slice(0, -1)}${root.token.endsWith('A') ? 'B' : 'A'}`
    for (const token of [
      null,
      '',
      'nonsense',
      wrong,
      expired.token,
      revoked.token,
      `dbk_${'0'.repeat(16)}_${'A'.repeat(43)}`,
    ])
      expect(await statusOf(scene, name, token)).toBe(401)

    for (const scope of ['acme/bob', 'acme/ad', 'acme/ada/helper', 'acm']) {
      const { token } = await scene.key(scope, ['admin'])
      // An operation that is narrowed to what the key covers is for every key.
      expect(await statusOf(scene, name, token)).toBe(narrows === undefined ? 404 : 200)
    }
    for (const scope of [null, 'acme', 'acme/ada'] as const) {
      for (const can of verbs) {
        const { token } = await scene.key(scope, [can])
        const status = await statusOf(scene, name, token)
        const reached = scoped ? covers(scope, NAMES.scope) : scope === null || narrows !== undefined
        const allowed = can === wanted || can === 'admin' || (can === 'write' && wanted === 'propose')
        if (!reached) expect(status).toBe(404)
        else if (allowed) expect([200, 201, 404, 409, 422], `${name} ${can}`).toContain(status)
        else expect(status).toBe(403)
      }
    }
  })

  it('tells nothing of another scope: what is there and what is not look the same', async () => {
    await using scene = await openScene()
    await scene.memory.scope('acme/ada').session('s').append({ role: 'user', content: 'x', id: 'm' })
    const { token } = await scene.key('acme/bob', ['admin'])
    const answers: Problem[] = []
    for (const message of ['m', 'none'])
      answers.push(
        (await (await scene.ask(`/v1/scopes/acme%2Fada/sessions/s/messages/${message}`, { token })).json()) as Problem,
      )
    expect(answers[0]).toEqual(answers[1])
  })

  it('is public for nothing but health, the description and the page', async () => {
    await using scene = await openScene()
    for (const path of ['/healthz', '/readyz', '/openapi.json', '/'])
      expect((await scene.ask(path, { token: null })).status).toBe(200)
    expect((await scene.ask('/metrics', { token: null })).status).toBe(401)
    expect((await scene.ask('/metrics', { token: (await scene.key('acme', ['admin'])).token })).status).toBe(404)
    expect((await scene.ask('/metrics')).status).toBe(200)
    expect((await scene.ask('/v1/nothing')).status).toBe(404)
  })
})
