import { describe, expect, it } from 'vitest'
import fc from 'fast-check'

import { mem0Tools } from '../../src/server/mcp/mem0-tools.ts'
import { times } from '../tier.ts'
import { type Asking, type Scene, openScene } from './scene.ts'

interface Result {
  readonly content: readonly { readonly text: string }[]
  readonly structuredContent?: Record<string, unknown>
  readonly isError?: boolean
}

const reads = ['retrieve_from_memory', 'reopen', 'search_history', 'list_facts', 'read_context']
const own = ['record_to_memory', ...reads.slice(0, 3), 'retract', ...reads.slice(3)]
const referenceReads = ['read_graph', 'search_nodes', 'open_nodes']
const referenceWrites = [
  'create_entities',
  'create_relations',
  'add_observations',
  'delete_entities',
  'delete_observations',
  'delete_relations',
]

const accept = { accept: 'application/json, text/event-stream' }

/** A JSON-RPC message, and what came back: as one document or as the one event of a stream. */
async function post(
  { ask }: Scene,
  message: unknown,
  { path = '/mcp?scope=acme/ada', ...options }: Asking & { readonly path?: string } = {},
): Promise<{
  readonly status: number
  readonly answer: { result?: unknown; error?: { code: number } } & Record<string, unknown>
}> {
  const response = await ask(path, {
    method: 'POST',
    body: message,
    ...options,
    headers: { ...accept, ...options.headers },
  })
  const text = await response.text()
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text
  return { status: response.status, answer: data === '' ? {} : JSON.parse(data) }
}

const request = (method: string, params?: object): object => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  ...(params && { params }),
})

async function use(
  scene: Scene,
  name: string,
  input: object = {},
  options?: Asking & { readonly path?: string },
): Promise<Result> {
  const { answer } = await post(scene, request('tools/call', { name, arguments: input }), options)
  return answer.result as Result
}

async function toolNames(scene: Scene, options?: Asking & { readonly path?: string }): Promise<readonly string[]> {
  const { answer } = await post(scene, request('tools/list'), options)
  return (answer.result as { tools: { name: string }[] }).tools.map(({ name }) => name)
}

describe('MCP over HTTP', () => {
  it('[cli-4] greets clients of the year before and of this one', async () => {
    await using scene = await openScene()
    const { answer } = await post(
      scene,
      request('initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      }),
    )
    expect(answer.result).toMatchObject({ protocolVersion: '2025-06-18', serverInfo: { name: 'daybook' } })
    const modern = {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    }
    const { answer: listed } = await post(scene, request('tools/list', modern), {
      headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
    })
    expect((listed.result as { tools: unknown[] }).tools).toHaveLength(7)
  })

  it('[cli-4] shows a key the tools that it may use, and no others', async () => {
    await using scene = await openScene()
    const reader = await scene.key('acme', ['read'])
    const proposer = await scene.key('acme/ada', ['read', 'propose'])
    expect(await toolNames(scene, { token: reader.token })).toEqual(reads)
    expect(await toolNames(scene, { token: proposer.token, path: '/mcp' })).toEqual(['record_to_memory', ...reads])
    expect(await toolNames(scene)).toEqual(own)
    expect(await toolNames(scene, { path: '/mcp?scope=x&toolset=reference' })).toEqual([
      ...referenceWrites,
      ...referenceReads,
    ])
    const { answer } = await post(scene, request('tools/call', { name: 'forget', arguments: { subject: 'Ada' } }), {
      token: reader.token,
    })
    expect(answer.error).toMatchObject({ code: -32602 })
    // What a key that may only propose says waits until somebody stands for it.
    await use(scene, 'record_to_memory', { thinking: '', content: ['Ada prefers email'] }, { token: proposer.token })
    expect(await scene.memory.scope('acme/ada').facts()).toEqual([])
    expect(await scene.memory.scope('acme/ada').facts({ state: 'quarantined' })).toHaveLength(1)
  })

  it('[hosts-31] offers seven tools, others by name, and one that destroys only where that is allowed', async () => {
    await using scene = await openScene()
    const of = (toolset: string): Promise<readonly string[]> =>
      toolNames(scene, { path: `/mcp?scope=acme/ada&toolset=${toolset}` })
    expect(await of('daybook')).toEqual(own)
    expect(await of('chatgpt')).toEqual(['search', 'fetch'])
    expect(await of('mem0')).toContain('add_memory')
    const all = await of('all')
    expect(all).toEqual([...own, 'search', 'fetch', ...(await of('mem0')), ...referenceWrites, ...referenceReads])
    expect(all).not.toContain('forget')
    expect(await toolNames(scene, { path: '/mcp?scope=acme/ada&allowDestroy=true' })).toContain('forget')
    const { status } = await post(scene, request('tools/list'), { path: '/mcp?scope=acme/ada&allowDestroy=perhaps' })
    expect(status).toBe(422)
  })

  it('[hosts-32] takes a fact back by its id, and a person restores it', async () => {
    await using scene = await openScene()
    const ada = scene.memory.scope('acme/ada')
    const [fact] = await ada.remember('Ada prefers email')
    const { content } = await use(scene, 'retract', { id: fact.id, reason: 'she moved on' })
    expect(content[0]?.text).toContain('Retracted')
    expect(await ada.facts()).toEqual([])
    await ada.restore(fact.id)
    expect(await ada.facts()).toHaveLength(1)
    expect(await use(scene, 'retract', { id: 'nothing' })).toMatchObject({ isError: true })
  })

  it('[hosts-33] finds and fetches as ChatGPT expects it', async () => {
    await using scene = await openScene()
    const ada = scene.memory.scope('acme/ada')
    await ada.session('support').append({ role: 'user', content: 'My order 7731 is late.' })
    await ada.remember('Ada prefers email')
    const options = { path: '/mcp?scope=acme/ada&toolset=chatgpt' }
    const found = async (query: string): Promise<{ id: string; title: string; url: string }> => {
      const { structuredContent } = await use(scene, 'search', { query }, options)
      return (structuredContent as { results: { id: string; title: string; url: string }[] }).results[0] as {
        id: string
        title: string
        url: string
      }
    }
    const message = await found('order 7731')
    expect(message).toMatchObject({ id: 'message:support#1', title: 'My order 7731 is late.' })
    const fetched = await use(scene, 'fetch', { id: message.id }, options)
    expect(fetched.structuredContent).toMatchObject({ ...message, text: 'My order 7731 is late.' })
    expect(JSON.parse(fetched.content[0]?.text ?? '')).toEqual(fetched.structuredContent)
    const fact = await found('email')
    expect((await use(scene, 'fetch', { id: fact.id }, options)).structuredContent).toMatchObject({
      text: 'Ada prefers email',
    })
    expect(await use(scene, 'fetch', { id: 'message:other#1' }, options)).toMatchObject({ isError: true })
  })

  it('[hosts-34] keeps memories by the names of Mem0', async () => {
    await using scene = await openScene()
    const options = { path: '/mcp?scope=acme/ada&toolset=mem0' }
    const results = async (name: string, input: object): Promise<{ id: string; memory: string }[]> =>
      (await use(scene, name, input, options)).structuredContent?.['results'] as { id: string; memory: string }[]
    const [tea] = await results('add_memory', { text: 'Ada likes tea' })
    await results('add_memory', { text: 'Ada plays the harp' })
    expect((await results('search_memories', { query: 'tea' }))[0]).toMatchObject({
      id: tea?.id,
      memory: 'Ada likes tea',
    })
    await use(scene, 'update_memory', { memory_id: tea?.id, text: 'Ada likes coffee' }, options)
    expect((await results('get_memories', {})).map(({ memory }) => memory)).toEqual([
      'Ada likes coffee',
      'Ada plays the harp',
    ])
    expect(await use(scene, 'get_memory', { memory_id: tea?.id }, options)).toMatchObject({ isError: true })
    const [coffee] = await results('get_memories', { limit: 1 })
    await use(scene, 'delete_memory', { memory_id: coffee?.id }, options)
    expect(await results('get_memories', {})).toHaveLength(1)
    // What the user said is a memory, too; what was learned from it is not another one.
    const chat = scene.memory.scope('acme/ada').session('chat')
    await chat.append([
      { role: 'user', content: 'My name is Ada and I live in Lisbon.' },
      { role: 'assistant', content: 'Lisbon is a fine town.' },
    ])
    await scene.memory.settled()
    const [said] = await results('search_memories', { query: 'Where does Ada live: Lisbon?' })
    expect(said).toMatchObject({ id: 'chat#1', memory: 'My name is Ada and I live in Lisbon.' })
    expect((await results('get_memories', {})).map(({ id }) => id)).toEqual([said?.id, expect.any(String)])
    await use(scene, 'update_memory', { memory_id: said?.id, text: 'Ada moved to Porto' }, options)
    expect((await results('get_memories', {})).map(({ memory }) => memory)).toEqual([
      'Ada moved to Porto',
      'Ada plays the harp',
    ])
    expect((await chat.history())[0]).toMatchObject({ removed: true })
    await use(scene, 'delete_all_memories', {}, options)
    expect(await results('get_memories', {})).toEqual([])
  })

  it('[hosts-72] changes memories as an agent, and not for those who may only propose', async () => {
    await using scene = await openScene()
    const path = '/mcp?scope=acme/ada&toolset=mem0'
    const { token } = await scene.key('acme/ada', ['read', 'propose'])
    const names = await toolNames(scene, { path, token })
    expect(names).toContain('add_memory')
    for (const name of ['update_memory', 'delete_memory', 'delete_all_memories']) expect(names).not.toContain(name)
    const scope = scene.memory.scope('acme/ada')
    const [fact] = await scope.remember({ text: 'Ada likes tea' })
    const update = mem0Tools({ scope, channel: 'tool' }).find(({ name }) => name === 'update_memory')
    await update?.execute({ memory_id: fact.id, text: 'Ada likes coffee' })
    expect((await scope.facts()).map(({ text }) => text)).toEqual(['Ada likes coffee'])
  })

  it('[hosts-71] lists notes by the name in them, and says what to do where nothing was said', async () => {
    await using scene = await openScene()
    const shown = async (name: string, input: object): Promise<string> =>
      (await use(scene, name, input)).content[0]?.text ?? ''
    await use(scene, 'record_to_memory', {
      thinking: '',
      content: ['Canada is cold', 'ada prefers email', '東京に住む人', 'The office is in Oslo.'],
    })
    const found = await shown('list_facts', { subject: 'Ada' })
    expect(found).toContain('ada prefers email')
    expect(found).not.toMatch(/Canada|Oslo/)
    expect(await shown('list_facts', { subject: '東京' })).toContain('東京に住む人')
    expect(await shown('list_facts', { subject: 'Ada', predicate: 'likes' })).toBe('Nothing is known about that.')
    for (const [tool, input] of [
      ['read_context', {}],
      ['search_history', { text: 'email' }],
    ] as const)
      expect(await shown(tool, input)).toMatch(/^No messages of this conversation are stored.*retrieve_from_memory/)
    await scene.memory.scope('acme/ada').session('mcp').append({ role: 'user', content: 'Hello' })
    expect(await shown('search_history', { text: 'email' })).toBe('No message contains "email".')
  })

  it('[hosts-74] stores a large graph in one call, in its order', async () => {
    await using scene = await openScene()
    const options = { path: '/mcp?scope=acme/ada&toolset=reference' }
    const entity = (name: string, count: number): object => ({
      name,
      entityType: 'thing',
      observations: Array.from({ length: count }, (_, index) => `${name} has ${index}`),
    })
    const entities = [entity('one', 20), entity('!!!', 1_205), entity('two', 990), entity('三', 15)]
    await use(scene, 'create_entities', { entities }, options)
    const relations = [{ from: 'one', to: '!!!', relationType: 'precedes' }]
    await use(scene, 'create_relations', { relations }, options)
    expect((await use(scene, 'read_graph', {}, options)).structuredContent).toEqual({ entities, relations })
    const [, odd] = entities
    const opened = await use(scene, 'open_nodes', { names: ['!!!'] }, options)
    expect(opened.structuredContent).toEqual({ entities: [odd], relations })
  })

  it('[hosts-35] shows joiners of emoji and of Persian words as they are, and hides nothing else', async () => {
    await using scene = await openScene()
    const shown = '👩\u200D👩\u200D👧 ❤\uFE0F 1\uFE0F\u20E3 می\u200Cخواهم क्\u200Dष'
    const hidden = 'pay\u200Dme \u200C now \u202E \u{E0041} a\uFE0F'
    await use(scene, 'record_to_memory', { thinking: '', content: [`${shown} ${hidden}`] })
    const { content } = await use(scene, 'list_facts')
    expect(content[0]?.text).toContain(shown)
    expect(content[0]?.text).toContain(String.raw`pay\u200dme \u200c now \u202e \udb40\udc41 a\ufe0f`)
  })

  it('[cli-4] lets nobody in without a good key for that scope, and no page of a stranger', async () => {
    await using scene = await openScene()
    const other = await scene.key('acme/bob', ['read', 'write'])
    const ended = await scene.key('acme/ada', ['admin'])
    await scene.memory.keys.revoke(ended.id)
    const list = request('tools/list')
    const status = async (options: Parameters<typeof post>[2]): Promise<number> =>
      (await post(scene, list, options)).status
    expect(await status({ token: null })).toBe(401)
    expect(await status({ token: 'dbk_0000000000000000_nothing' })).toBe(401)
    expect(await status({ token: ended.token })).toBe(401)
    expect(await status({ token: other.token })).toBe(404)
    expect(await status({ path: '/mcp' })).toBe(422) // a key of the whole memory has to say where
    expect(await status({ path: '/mcp?scope=' })).toBe(422)
    expect(await status({ path: '/mcp?scope=a&toolset=none' })).toBe(422)
    expect(await status({ headers: { origin: 'https://evil.example' } })).toBe(403)
    expect(await status({ headers: { host: 'evil.example' } })).toBe(403)
    expect((await scene.ask('/mcp?scope=acme', { method: 'GET', headers: accept })).status).toBe(405)
  })

  it('[cli-4] writes down what was done and by whom, and nothing of what was said', async () => {
    await using scene = await openScene()
    const options = { path: '/mcp?scope=acme/ada&toolset=reference' }
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['secret'] }]
    await use(scene, 'create_entities', { entities }, options)
    await use(scene, 'add_observations', { observations: [{ entityName: 'Nobody', contents: ['x'] }] }, options)
    await use(scene, 'read_graph', {}, options)
    await scene.app.drain()
    const entries = await scene.memory.audit()
    expect(entries.map(({ action, status, key, scope }) => [action, status, key, scope])).toEqual([
      ['mcp.add_observations', 404, scene.root.id, 'acme/ada'],
      ['mcp.create_entities', 200, scene.root.id, 'acme/ada'],
    ])
    expect(JSON.stringify(entries)).not.toMatch(/secret|Ada"/)
  })

  it('[cli-4] answers whatever is sent, never with a failure of ours', async () => {
    await using scene = await openScene({ limits: { ratePerSecond: 1_000_000 } })
    const path = '/mcp?scope=acme/ada&toolset=all'
    const names = await toolNames(scene, { path })
    const input = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(
        fc.constantFrom(
          'entities',
          'relations',
          'query',
          'names',
          'content',
          'keywords',
          'fold',
          'subject',
          'observations',
          'limit',
          'budget',
        ),
        fc.jsonValue(),
      ),
    )
    const message = fc.oneof(
      {
        weight: 4,
        arbitrary: fc
          .record({ name: fc.constantFrom(...names), arguments: input })
          .map((params) => request('tools/call', params)),
      },
      fc.jsonValue(),
      fc.record({ jsonrpc: fc.constant('2.0'), id: fc.jsonValue(), method: fc.string(), params: fc.jsonValue() }),
    )
    await fc.assert(
      fc.asyncProperty(message, async (sent) => {
        const { status } = await post(scene, sent, { path })
        expect(status).toBeLessThan(500)
      }),
      { numRuns: times({ daily: 300, nightly: 5_000 }) },
    )
    expect((await post(scene, [request('tools/list')])).status).toBe(422)
    expect((await post(scene, '{"jsonrpc":')).status).toBe(422)
    expect((await post(scene, `${'['.repeat(100)}${']'.repeat(100)}`)).status).toBe(413)
    expect(scene.app.readiness).toBe('ready')
  })
})
