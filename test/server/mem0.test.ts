import { describe, expect, it } from 'vitest'
import { type Scene, openScene } from './scene.ts'

interface Results {
  readonly results: readonly { readonly id: string; readonly memory: string; readonly name: string }[]
}

async function ask({ ask: send }: Scene, path: string, options: { method?: string; body?: unknown } = {}) {
  const response = await send(path, options)
  return { status: response.status, ...((await response.json()) as Results) }
}

const remove = { method: 'DELETE' }

async function archiveOf({ memory }: Scene): Promise<string> {
  await memory.settled()
  let archive = ''
  for await (const piece of memory.export()) archive += piece
  return archive
}

/** A question with its reply, and a memory that is deleted by its id. */
async function converse(scene: Scene, owner: object): Promise<void> {
  const messages = [
    { role: 'user', content: 'I live in Berlin.' },
    { role: 'assistant', content: 'Berlin, noted.' },
    { role: 'user', content: 'I was born in Bremen.' },
  ]
  const { results } = await ask(scene, '/v1/memories', { body: { messages, ...owner } })
  await scene.memory.settled()
  expect(await ask(scene, `/v1/memories/${results[1]?.id}`, remove)).toMatchObject({ status: 200 })
}

describe('[hosts-60] deleting by owner, for clients of Mem0', () => {
  it.each([['user_id=ada&run_id=r1'], ['agent_id=cook'], ['agent_id=cook&run_id=r1'], ['run_id=r1']])(
    'destroys all that %s names, replies and deleted memories too, and nothing else',
    async (query) => {
      await using scene = await openScene({ memory: { learn: 'patterns' } })
      await converse(scene, { user_id: 'ada', agent_id: 'cook', run_id: 'r1' })
      const other = { messages: 'I play the cello.', user_id: 'ada', run_id: 'r2' }
      await ask(scene, '/v1/memories', { body: other })
      expect(await archiveOf(scene)).toMatch(/Berlin[^]*Bremen/)
      expect(await ask(scene, `/v1/memories?${query}`, remove)).toMatchObject({ status: 200 })
      const archive = await archiveOf(scene)
      expect(archive).not.toMatch(/Berlin|Bremen/i)
      expect(archive).toContain('cello')
    },
  )

  it.each([['/v1/memories?user_id=ada'], ['/v2/entities/user/ada']])(
    'destroys all that a user has with %s: blocks, records, states, forks, scopes below',
    async (path) => {
      await using scene = await openScene({ memory: { learn: 'patterns' } })
      await converse(scene, { user_id: 'ada', run_id: 'r1' })
      const ada = scene.memory.scope('mem0/user/ada')
      await ada.session('r1').fork('r2')
      await ada.blocks.set('human', 'secret of a block')
      await ada.records('notes').put('one', { text: 'secret of a record' })
      await ada.session('only').state.set('step', 'secret of a state')
      await ada.remember({ text: 'secret of a fact' })
      await scene.memory.scope('mem0/user/ada/deep').remember({ text: 'secret below' })
      expect(await archiveOf(scene)).toContain('secret')
      expect(await ask(scene, path, remove)).toMatchObject({ status: 200 })
      expect(await archiveOf(scene)).not.toMatch(/Berlin|Bremen|secret/i)
      expect((await ask(scene, '/v1/entities')).results).toEqual([])
    },
  )
})

describe('[hosts-60] [hosts-34] changing one memory', () => {
  const said = 'I live in Berlin.'
  const call = async (scene: Scene, name: string, input: object): Promise<string> => {
    const params = { name, arguments: input }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const headers = { accept: 'application/json, text/event-stream' }
    return (await scene.ask('/mcp?scope=mem0/user/ada&toolset=mem0', { body, headers })).text()
  }
  const add = async (scene: Scene, options: object = {}): Promise<string> => {
    const body = { messages: said, user_id: 'ada', ...options }
    return (await ask(scene, '/v1/memories', { body })).results[0]?.id ?? ''
  }
  const changes: readonly [string, (scene: Scene, id: string) => Promise<unknown>][] = [
    ['delete over HTTP', (scene, id) => ask(scene, `/v1/memories/${id}`, remove)],
    ['update over HTTP', (scene, id) => ask(scene, `/v1/memories/${id}`, { method: 'PUT', body: { text: 'Tea.' } })],
    ['delete_memory', (scene) => call(scene, 'delete_memory', { memory_id: 'mem0#1' })],
    ['update_memory', (scene) => call(scene, 'update_memory', { memory_id: 'mem0#1', text: 'Ada likes tea' })],
    ['delete_all_memories', (scene) => call(scene, 'delete_all_memories', {})],
  ]

  it.each(changes)('with %s takes back what it taught, learned before or not yet', async (_, change) => {
    for (const isLearned of [true, false]) {
      await using scene = await openScene({ memory: { learn: 'patterns' } })
      const ada = scene.memory.scope('mem0/user/ada')
      const id = await add(scene)
      if (isLearned) {
        await scene.memory.settled()
        expect((await ada.facts()).map(({ text }) => text)).toEqual(['user lives in Berlin'])
      }
      await change(scene, id)
      await scene.memory.settled()
      expect((await ada.facts()).filter(({ text }) => text.includes('Berlin'))).toEqual([])
    }
  })

  it('respects over MCP what is immutable or expired', async () => {
    await using scene = await openScene()
    await add(scene, { immutable: true })
    expect(await call(scene, 'update_memory', { memory_id: 'mem0#1', text: 'x' })).toContain('immutable')
    expect(await call(scene, 'get_memories', {})).toContain(said)
    await add(scene, { messages: 'I have a ticket to Bremen.', expiration_date: '2020-01-01' })
    expect(await call(scene, 'get_memories', {})).not.toContain('Bremen')
    expect(await call(scene, 'search_memories', { query: 'ticket to Bremen' })).not.toContain('Bremen.')
  })
})

describe('[walls-290] a filter with many users, for clients of Mem0', () => {
  const users = (count: number): object => ({
    filters: { OR: Array.from({ length: count }, (_, at) => ({ user_id: `u${at}` })) },
  })

  it('lets others be served while it is read', async () => {
    await using scene = await openScene({ memory: { learn: false } })
    for (let at = 0; at < 60; at++)
      await ask(scene, '/v1/memories', { body: { messages: `I am number ${at}.`, user_id: `u${at}` } })
    const order: string[] = []
    const [list] = await Promise.all([
      ask(scene, '/v3/memories', { method: 'POST', body: users(400) }).then((found) => {
        order.push('list')
        return found
      }),
      scene.ask('/healthz').then(() => order.push('health')),
    ])
    expect(list.results).toHaveLength(60)
    expect(order).toEqual(['health', 'list'])
  })

  it('is refused where it is too wide', async () => {
    await using scene = await openScene({ memory: { learn: false } })
    const wide = await scene.ask('/v3/memories', { method: 'POST', body: users(1_001) })
    expect([wide.status, await wide.text()]).toEqual([422, expect.stringContaining('at most 1000 users')])
    const wider = await scene.ask('/v3/memories', { method: 'POST', body: users(2_001) })
    expect([wider.status, await wider.text()]).toEqual([422, expect.stringContaining('at most 2000 conditions')])
  })
})
