import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { serve } from '../../src/server/index.ts'
import { Host } from '../cli/mcp-client.ts'
import { Subjects } from '../postgres/database.ts'
import { times } from '../tier.ts'
import { type Project, makeProject } from './project.ts'

const REFERENCE = 'node_modules/@modelcontextprotocol/server-memory/dist/index.js'

/** Few of each, so that the same things are created, deleted and created again. */
const name = fc.constantFrom('Ada', 'Acme', 'Babbage', 'the engine', '東京', 'naïve café')
const type = fc.constantFrom('person', 'company', 'thing', '', ' ', 't'.repeat(600))
const text = fc.constantFrom(
  'likes tea',
  'plays the harp',
  'is late',
  'wrote the "first" program',
  'lives in Oslo',
  '茶',
)
const edge = fc.record({
  from: name,
  to: fc.oneof(name, fc.constant('Nowhere')),
  relationType: fc.constantFrom('works at', 'lives in', 'located in', 'knows', 'DREAMS_OF', '', '→', '❤️', '!?'),
})
/** Mostly not what is wanted. */
const wrong = fc.constantFrom<unknown>(1, null, true, {}, [], 'text')
const few = <Item>(item: fc.Arbitrary<Item>): fc.Arbitrary<Item[]> => fc.array(item, { maxLength: 2 })
const some = <Item>(item: fc.Arbitrary<Item>, by: (item: Item) => string = String): fc.Arbitrary<Item[]> =>
  fc.uniqueArray(item, { maxLength: 3, selector: by })

const call: fc.Arbitrary<readonly [tool: string, input: object]> = fc.oneof(
  fc
    .record({
      entities: some(fc.record({ name, entityType: type, observations: some(text) }), (entity) => entity.name),
    })
    .map((input) => ['create_entities', input] as const),
  fc
    .record({ relations: some(edge, (item) => JSON.stringify(item)) })
    .map((input) => ['create_relations', input] as const),
  fc
    .record({ observations: fc.array(fc.record({ entityName: name, contents: some(text) }), { maxLength: 2 }) })
    .map((input) => ['add_observations', input] as const),
  fc.record({ entityNames: some(name) }).map((input) => ['delete_entities', input] as const),
  fc
    .record({ deletions: fc.array(fc.record({ entityName: name, observations: some(text) }), { maxLength: 2 }) })
    .map((input) => ['delete_observations', input] as const),
  fc
    .record({ relations: some(edge, (item) => JSON.stringify(item)) })
    .map((input) => ['delete_relations', input] as const),
  fc.constant(['read_graph', {}] as const),
  fc
    .record({ query: fc.oneof(name, text, fc.constantFrom('', 'TEA', 'pers', 'nowhere')) })
    .map((input) => ['search_nodes', input] as const),
  fc.record({ names: some(fc.oneof(name, fc.constant('Nowhere'))) }).map((input) => ['open_nodes', input] as const),
  // Input that no schema allows.
  fc
    .tuple(
      fc.constantFrom('create_entities', 'create_relations', 'add_observations', 'delete_entities', 'search_nodes'),
      fc.record({
        entities: fc.oneof(wrong, few(fc.oneof(wrong, fc.record({ name: wrong, observations: few(wrong) })))),
        relations: fc.oneof(wrong, few(fc.record({ from: wrong, to: text, relationType: wrong }))),
        observations: few(fc.record({ entityName: wrong, contents: wrong })),
        entityNames: fc.oneof(wrong, few(wrong)),
        query: wrong,
      }),
    )
    .map(([tool, input]) => [tool, input] as const),
)

describe('the MCP server', () => {
  let project: Project
  let started: number
  beforeAll(async () => {
    started = performance.now()
    project = await makeProject(['@modelcontextprotocol/server-memory@2026.8.31'])
  })

  it('[hosts-38] starts by the snippet of its help, in a fresh project', async () => {
    const env = { HOME: project.folder }
    const { stdout } = await project.run(project.bin('daybook'), ['mcp', '--help'], env)
    const { mcpServers } = JSON.parse(stdout.split('In the settings of a host:\n')[1] ?? '') as {
      mcpServers: { daybook: { command: string; args: string[] } }
    }
    const { command, args } = mcpServers.daybook
    await using host = new Host(args, { command, before: [], cwd: project.folder, env })
    expect((await host.greet()).result).toMatchObject({ serverInfo: { name: 'daybook' } })
    await host.use('record_to_memory', { thinking: 'asked', content: ['Ada prefers email'] })
    expect((await host.use('list_facts')).content[0]?.text).toContain('Ada prefers email')
    const seconds = (performance.now() - started) / 1_000
    console.log(`mcp: from npm init to the first remembered fact in ${seconds.toFixed(1)} s`)
    expect(await host.end()).toBe(0)
  })

  /** Gives both servers the same random sequences of calls. `place` is where ours has its memory. */
  const compare = async (where: string, place: readonly string[], runs: number): Promise<void> => {
    await using theirs = new Host([], {
      before: [REFERENCE],
      cwd: project.folder,
      env: { MEMORY_FILE_PATH: join(project.folder, `${where}.jsonl`) },
    })
    await using ours = new Host(['mcp', ...place, '--scope', 'me', '--toolset', 'reference'], {
      before: [join(project.folder, 'node_modules/daybook/dist/cli/main.js')],
      cwd: project.folder,
    })
    await Promise.all([theirs.greet(), ours.greet()])
    expect(await toolsOf(ours)).toEqual(await toolsOf(theirs))
    let calls = 0
    const sequence = async (given: readonly (readonly [string, object])[]): Promise<void> => {
      for (const [tool, input] of given) {
        const [mine, reference] = await Promise.all([ours.use(tool, input), theirs.use(tool, input)])
        expect(mine, JSON.stringify([tool, input])).toEqual(reference)
        calls += 1
      }
      const uri = 'memory://knowledge-graph'
      const [mine, reference] = await Promise.all([ours, theirs].map((host) => host.ask('resources/read', { uri })))
      expect(mine?.result).toMatchObject(reference?.result as object)
    }
    await fc.assert(fc.asyncProperty(fc.array(call, { minLength: 5, maxLength: 25 }), sequence), {
      numRuns: times({ daily: runs, nightly: 15 * runs }),
    })
    console.log(`compared with the reference server, ${where}: ${calls} calls`)
  }

  it('[hosts-39] has the tools of the reference server, and returns what it returns', () =>
    compare('on a file', ['--memory', 'ours.db', '--create'], 60))

  it('[hosts-39] returns the same from PostgreSQL behind a server', async () => {
    await using subjects = new Subjects()
    await using memory = await subjects.open({})
    const { token } = await memory.keys.create({ scope: 'me', can: ['read', 'write'] })
    const server = await serve(memory, { port: 0, keyFile: join(project.folder, 'admin.key') })
    try {
      await compare('on PostgreSQL through a client', ['--memory', server.url, '--key', token], 15)
    } finally {
      await server.close()
    }
  })
})

/** What a model reads of a tool. */
async function toolsOf(host: Host): Promise<unknown> {
  const { result } = await host.ask('tools/list')
  const { tools } = result as { tools: Record<string, { properties?: object; required?: unknown }>[] }
  return tools.map(({ name: called, title, description, annotations, inputSchema }) => {
    const { properties, required } = inputSchema ?? {}
    return { called, title, description, annotations, properties: Object.keys(properties ?? {}), required }
  })
}
