import { expect, it } from 'vitest'
import { openScene } from './scene.ts'

const ADA = '/v1/scopes/acme%2Fada'
const WORDS = 'The board moved the plum festival'

it('[walls-6] a key finds no message of an ancestor that it does not cover, and is refused when it asks for it', async () => {
  await using scene = await openScene()
  await scene.memory.scope('acme').session('board').append({ role: 'user', content: WORDS })
  await scene.memory.scope('acme/ada').session('s').append({ role: 'user', content: 'What about the plum festival?' })
  const { token } = await scene.key('acme/ada', ['read', 'write'])
  const { token: wide } = await scene.key('acme', ['read', 'write'])
  const questions = [
    [`${ADA}/recall`, { query: 'plum festival' }, { query: 'plum festival', ancestors: true }],
    [`${ADA}/sessions/s/context`, { budget: 2_000, recall: true }, { budget: 2_000, recall: { ancestors: true } }],
  ] as const
  for (const [path, plain, above] of questions) {
    const own = await scene.ask(path, { token, body: plain })
    expect(own.status).toBe(200)
    expect(await own.text()).not.toContain(WORDS)
    const refused = await scene.ask(path, { token, body: above })
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({ code: 'access/forbidden' })
    const found = await scene.ask(path, { token: wide, body: above })
    expect(found.status).toBe(200)
    expect(await found.text()).toContain(WORDS)
  }
})

it('[walls-6] a key reads no recorded context with messages of an ancestor that it does not cover', async () => {
  await using scene = await openScene()
  await scene.memory.scope('acme').session('board').append({ role: 'user', content: WORDS })
  const chat = scene.memory.scope('acme/ada').session('s')
  await chat.append({ role: 'user', content: 'What about the plum festival?' })
  const { token } = await scene.key('acme/ada', ['read'])
  const { token: wide } = await scene.key('acme', ['read'])
  const read = async (by: string): Promise<Response> => {
    const [listed] = await chat.contexts()
    return scene.ask(`${ADA}/sessions/s/contexts/${listed?.id}`, { token: by })
  }
  await chat.context({ budget: 2_000, recall: true })
  expect((await read(token)).status).toBe(200)
  await chat.context({ budget: 2_000, recall: { ancestors: true } })
  const refused = await read(token)
  expect(refused.status).toBe(403)
  expect(await refused.text()).not.toContain(WORDS)
  expect(await (await read(wide)).text()).toContain(WORDS)
})

it('[walls-6] tools of a key recall nothing of an ancestor', async () => {
  await using scene = await openScene()
  await scene.memory.scope('acme').session('board').append({ role: 'user', content: WORDS })
  const { token } = await scene.key('acme/ada', ['read'])
  const response = await scene.ask('/mcp', {
    token,
    headers: { accept: 'application/json, text/event-stream' },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'retrieve_from_memory', arguments: { keywords: ['plum', 'festival'] } },
    },
  })
  expect(response.status).toBe(200)
  const text = await response.text()
  expect(text).toContain('Nothing was found')
  expect(text).not.toContain('board moved')
})

it('[anywhere-40] a key for one scope lists that scope and those below it, and no other', async () => {
  await using scene = await openScene()
  for (const path of ['acme', 'acme/ada', 'acme/ada/helper', 'acme/bob'])
    await scene.memory.scope(path).session('s').append({ role: 'user', content: 'x' })
  const { token } = await scene.key('acme/ada', ['read'])
  const listed = async (path: string): Promise<unknown> => {
    const response = await scene.ask(path, { token })
    if (!response.ok) return response.status
    return ((await response.json()) as { scopes: { scope: string }[] }).scopes.map(({ scope }) => scope)
  }
  expect(await listed('/v1/scopes')).toEqual(['acme/ada', 'acme/ada/helper'])
  expect(await listed('/v1/scopes?under=acme%2Fada%2Fhelper')).toEqual(['acme/ada/helper'])
  expect(await listed('/v1/scopes?after=')).toEqual(['acme/ada', 'acme/ada/helper'])
  expect(await listed('/v1/scopes?after=acme%2Fada')).toEqual(['acme/ada/helper'])
  for (const under of ['acme', 'acme/bob', 'acme/ad', 'none']) {
    expect(await listed(`/v1/scopes?under=${encodeURIComponent(under)}`)).toBe(404)
  }
  const { token: writer } = await scene.key('acme/ada', ['write'])
  expect((await scene.ask('/v1/scopes', { token: writer })).status).toBe(403)
})

it('[walls-251] a fact of an ancestor brings no word of the message that it was learned from', async () => {
  await using scene = await openScene()
  const acme = scene.memory.scope('acme')
  const [said] = await acme.session('board').append({ role: 'user', content: `${WORDS}. I live in Lisbon.` })
  const source = { session: 'board', message: said.id }
  await acme.remember({ subject: 'Ada', predicate: 'lives in', object: 'Lisbon', sources: [source] })
  await scene.memory.scope('acme/ada').session('s').append({ role: 'user', content: 'Who lives in Lisbon?' })
  const { token } = await scene.key('acme/ada', ['read', 'write'])
  const answers = [
    await scene.ask(`${ADA}/facts`, { token }),
    await scene.ask(`${ADA}/recall`, { token, body: { query: 'Lisbon plum festival', explain: true } }),
    await scene.ask(`${ADA}/sessions/s/context`, { token, body: { budget: 2_000, recall: { query: 'Lisbon plum' } } }),
  ]
  for (const answer of answers) {
    const text = await answer.text()
    expect(text).toContain('Lisbon')
    expect(text).not.toContain('board moved')
  }
})
