import { describe, expect, it } from 'vitest'

import { LocalMemory } from '../../src/memory/memory.ts'
import { type AccessStore, type AnswerRow } from '../../src/ports/access-store.ts'
import { type Scene, openScene } from './scene.ts'

const SCOPE = '/v1/scopes/acme%2Fada'
const headers = { 'idempotency-key': 'k' }

/** What stands in the store when a server was killed: the mark of a deed, as old as is said, and the deed or not. */
async function killedAt(
  scene: Scene,
  when: 'before the deed' | 'after the deed',
  ask: () => Promise<Response>,
): Promise<AccessStore> {
  const store = LocalMemory.partsOf(scene.memory).store.access
  const { keepAnswer, changeAnswer } = store
  const died = (): never => {
    throw new Error('killed')
  }
  let mark: AnswerRow | null | undefined
  const writable = store as { -readonly [Key in keyof AccessStore]: AccessStore[Key] }
  writable.keepAnswer = () => Promise.reject(new Error('killed'))
  writable.changeAnswer = async (name, decide, olderThan) => {
    mark = decide(undefined)
    const found = await changeAnswer(name, decide, olderThan)
    if (when === 'before the deed') died()
    return found
  }
  expect((await ask()).status).toBe(500)
  writable.keepAnswer = keepAnswer
  writable.changeAnswer = changeAnswer
  if (mark === undefined || mark === null) throw new Error('there was no mark')
  const { name } = mark
  // Nobody has renewed it for as long as a lease.
  await changeAnswer(name, (row) => (row === undefined ? row : { ...row, at: row.at - 60_000 }), 0)
  return store
}

async function withSession(): Promise<Scene> {
  const scene = await openScene()
  // Through the server: it has its secret for digests then.
  await scene.ask(`${SCOPE}/sessions/s/messages`, { body: { messages: { id: 'm', role: 'user', content: 'first' } } })
  return scene
}

describe('[http-3] a write whose server was killed', () => {
  const writes: readonly (readonly [name: string, path: string, method: string, body: object])[] = [
    [
      'remember',
      '/facts',
      'POST',
      { facts: [{ subject: 'Ada', predicate: 'likes', object: 'tea' }, { text: 'a note' }] },
    ],
    ['revise', '/sessions/s/messages/m', 'PATCH', { content: 'second' }],
    ['fork', '/sessions/s/fork', 'POST', { newId: 'f' }],
  ]

  it.each(writes)('%s is done when the first try had not done it', async (_, path, method, body) => {
    await using scene = await withSession()
    const ask = (): Promise<Response> => scene.ask(`${SCOPE}${path}`, { method, body, headers })
    await killedAt(scene, 'before the deed', ask)
    const answer = await ask()
    expect(answer.ok).toBe(true)
    // And from then on the answer is kept.
    expect(await (await ask()).text()).toBe(await answer.text())
  })

  it.each(writes)(
    '%s is not done again when the first try had done it, and is answered',
    async (name, path, method, body) => {
      await using scene = await withSession()
      const ask = (): Promise<Response> => scene.ask(`${SCOPE}${path}`, { method, body, headers })
      await killedAt(scene, 'after the deed', ask)
      // Somebody else goes on meanwhile.
      await scene.memory.scope('acme/ada').remember('something else')
      const answer = await ask()
      expect(answer.ok).toBe(true)
      const told = (await answer.json()) as Record<string, unknown>
      const scope = scene.memory.scope('acme/ada')
      if (name === 'remember') {
        expect(told).toMatchObject({ facts: [{ object: 'tea', outcome: 'unchanged' }, { object: 'a note' }] })
        expect((await scope.facts()).map(({ sourceCount }) => sourceCount)).toEqual([1, 1, 1])
      } else if (name === 'revise') expect(told).toMatchObject({ id: 'm', revision: 1, parts: [{ text: 'second' }] })
      else expect(told).toEqual({ session: 'f' })
      expect((await scope.session('s').get('m'))?.revision).toBe(name === 'revise' ? 1 : 0)
    },
  )

  it('is not repeated where nobody can tell, and says so', async () => {
    await using scene = await withSession()
    const session = scene.memory.scope('acme/ada').session('s')
    const clear = (): Promise<Response> => scene.ask(`${SCOPE}/sessions/s/clear`, { body: {}, headers })
    await killedAt(scene, 'after the deed', clear)
    await session.append({ role: 'user', content: 'said since' })
    const again = await clear()
    expect(again.status).toBe(409)
    expect(await again.json()).toMatchObject({ code: 'access/not-repeated', details: { outcome: 'unknown' } })
    expect(await session.recent(10)).toHaveLength(1)
  })

  it('is left to whoever still works on it', async () => {
    await using scene = await withSession()
    const ask = (): Promise<Response> =>
      scene.ask(`${SCOPE}/sessions/s/messages/m`, { method: 'PATCH', body: { content: 'second' }, headers })
    const store = await killedAt(scene, 'before the deed', ask)
    const stored = await scene.memory.scope('acme/ada').session('s').get('m')
    const body = JSON.stringify({ ...stored, name: 'another' })
    let renewed: AnswerRow | undefined
    const { answer } = store
    const writable = store as { -readonly [Key in keyof AccessStore]: AccessStore[Key] }
    // Another server: it says twice that it is alive, then it has the answer.
    let looks = 0
    writable.answer = async (name) => {
      renewed ??= await answer(name)
      if (renewed === undefined) return undefined
      return looks++ < 2 ? { ...renewed, at: Date.now() } : { ...renewed, status: 200, body, at: Date.now() }
    }
    expect(await (await ask()).json()).toMatchObject({ name: 'another' })
    expect((await scene.memory.scope('acme/ada').session('s').get('m'))?.revision).toBe(0)
  })

  it('that is refused leaves no mark: it may go well next time', async () => {
    await using scene = await withSession()
    const fork = (): Promise<Response> => scene.ask(`${SCOPE}/sessions/none/fork`, { body: { newId: 'f' }, headers })
    expect((await fork()).status).toBe(404)
    await scene.memory.scope('acme/ada').session('none').append({ role: 'user', content: 'now it is' })
    expect((await fork()).status).toBe(201)
  })

  it('and takes too long goes on once, and a retry gets its answer', async () => {
    await using scene = await openScene({ limits: { answerMs: 20 } })
    const { store } = LocalMemory.partsOf(scene.memory)
    const gate = Promise.withResolvers<undefined>()
    const { change } = store.knowledge
    let changes = 0
    ;(store.knowledge as { change: typeof change }).change = (async (scope: string, decide: never) => {
      changes += 1
      await gate.promise
      return change.call(store.knowledge, scope, decide)
    }) as typeof change
    const ask = (): Promise<Response> => scene.ask(`${SCOPE}/facts`, { body: { facts: 'slow' }, headers })
    expect((await ask()).status).toBe(503)
    expect((await ask()).status).toBe(503)
    gate.resolve(undefined)
    let answer = await ask()
    while (answer.status === 503) answer = await ask()
    expect(answer.status).toBe(201)
    expect(changes).toBe(1)
  })
})
