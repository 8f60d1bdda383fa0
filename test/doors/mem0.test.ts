import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../../scripts/run.ts'
import { openMemory } from '../../src/index.ts'
import { serve } from '../../src/server/index.ts'
import { Subjects } from '../postgres/database.ts'
import { type Project, makeProject } from './project.ts'

/** What an application does that was written for Mem0. Prints one JSON object. */
const PROGRAM = `
import MemoryClient from 'mem0ai'
const [host, apiKey, otherKey] = process.argv.slice(2)
const mem0 = new MemoryClient({ apiKey, host })
const failed = (call) => call.then(() => 'no error', (error) => error.name)
const mine = { filters: { user_id: 'ada' } }

const added = await mem0.add(
  [{ role: 'user', content: 'I am allergic to peanuts.' }, { role: 'assistant', content: 'Noted.' }],
  { userId: 'ada', agentId: 'cook', metadata: { topic: 'food', level: 3 } },
)
const event = await fetch(host + '/v1/event/' + added.eventId + '/', { headers: { authorization: 'Token ' + apiKey } }).then((r) => r.json())
const raw = await mem0.add([{ role: 'user', content: 'My flight leaves on Monday from Lisbon.' }], { userId: 'ada', infer: false, runId: 'trip/1' })
await mem0.add([{ role: 'user', content: 'I play the cello.' }], { userId: 'bob.smith / x' })
const found = await mem0.search('what food is dangerous for me: peanuts?', mine)
const byMetadata = await mem0.getAll({ filters: { AND: [{ user_id: 'ada' }, { metadata: { topic: 'food' } }] } })
const byLevel = await mem0.getAll({ filters: { AND: [{ user_id: 'ada' }, { metadata: { level: { gt: 3 } } }] } })
const byAgent = await mem0.getAll({ filters: { agent_id: 'cook' } })
const either = await mem0.getAll({ filters: { OR: [{ user_id: 'ada' }, { user_id: 'bob.smith / x' }] }, page: 1, pageSize: 2 })
const others = await mem0.search('cello', mine)
const { id } = found.results[0]
const one = await mem0.get(id)
const updated = await mem0.update(id, { text: 'I am allergic to peanuts and figs.', metadata: { topic: 'health' } })
await mem0.batchUpdate([{ memoryId: raw.results[0].id, text: 'My flight leaves on Tuesday from Lisbon.' }])
await mem0.feedback({ memoryId: id, feedback: 'POSITIVE', feedbackReason: 'right' })
const afterUpdate = await mem0.search('figs', mine)
await mem0.delete(id)
const history = await mem0.history(id)
const errors = {
  deleted: await failed(mem0.get(id)),
  unknown: await failed(mem0.get('nothing')),
  foreign: await failed(new MemoryClient({ apiKey: otherKey, host }).get(raw.results[0].id)),
  nobody: await failed(mem0.add([{ role: 'user', content: 'x' }], {})),
  noFilter: await failed(mem0.search('x', { filters: {} })),
  badKey: await failed(new MemoryClient({ apiKey: 'dbk_no', host }).users()),
  notOffered: await failed(mem0.getWebhooks({ projectId: 'p' })),
}
const own = async (path, method = 'GET', body) => {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  const response = await fetch(host + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return [response.status, await response.json()]
}
const [, kept] = await own('/memories', 'POST', { messages: [{ role: 'user', content: 'I keep bees.' }], user_id: 'eve' })
const keptId = kept.results[0].id
const selfHosted = {
  list: (await own('/memories?user_id=eve'))[1].results.map((one) => one.memory),
  search: (await own('/search', 'POST', { query: 'bees', filters: { user_id: 'eve' } }))[1].results.map((one) => one.memory),
  put: (await own('/memories/' + keptId, 'PUT', { text: 'I keep wasps.' }))[1].memory,
  history: (await own('/memories/' + keptId + '/history'))[1].map((one) => one.event),
  gone: (await own('/memories/' + keptId, 'DELETE'))[0],
  missing: (await own('/memories/' + keptId))[0],
  reset: (await own('/reset', 'POST'))[0],
  entity: (await own('/entities/user/eve', 'DELETE'))[0],
}
const elsewhere = await mem0.getAll({ filters: { user_id: 'dora' } })
const asked = await mem0.search('Does Dora collect stamps?', { filters: { user_id: 'dora' } })
const fact = await mem0.update(asked.results[0].id, { text: 'Dora collects coins.' })
const was = await mem0.history(asked.results[0].id)
await mem0.delete(fact.id)
const dora = [(await mem0.getAll({ filters: { user_id: 'dora' } })).count, await failed(mem0.get(fact.id))]
await mem0.deleteUsers({ userId: 'dora' })
const users = await mem0.users()
await mem0.deleteUsers({ userId: 'bob.smith / x' })
await mem0.deleteAll({ userId: 'ada' })
const left = await mem0.users()
console.log(JSON.stringify({
  added: [added.status, added.results.map((r) => r.memory ?? r.data.memory)],
  event: [event.status, event.results.length],
  found: found.results.map((r) => [r.memory, r.userId, r.agentId, r.metadata, r.score > 0.1]),
  counts: [byMetadata.count, byLevel.count, byAgent.count, either.count, either.results.length, either.next !== null],
  others: others.results.length,
  one: [one.memory, one.id === id],
  updated: [updated.memory, updated.id === id, updated.metadata.topic],
  afterUpdate: afterUpdate.results.map((r) => r.memory),
  history: history.map((h) => [h.event, h.oldMemory, h.newMemory]),
  errors,
  selfHosted,
  elsewhere: elsewhere.results.map((r) => [r.memory, r.userId]).toSorted(),
  asked: asked.results[0].memory,
  was: was.map((h) => h.event),
  dora,
  users: users.results.map((u) => [u.type, u.name, u.totalMemories]),
  left: left.results.length,
}))
process.exit(0)
`

const subjects = new Subjects()
afterAll(() => subjects[Symbol.asyncDispose]())

describe('[hosts-60] the client of Mem0', () => {
  let project: Project
  let started: number
  beforeAll(async () => {
    started = performance.now()
    project = await makeProject([], { daybook: false })
    // Without its peers: they are for its own store, and one of them compiles for minutes.
    const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps', 'mem0ai@3.3.1']
    const { code, output } = await project.run('npm', words)
    expect(code, output).toBe(0)
    project.write('app.js', PROGRAM)
  })

  it('is set up in two lines, which are those of the documentation', () => {
    const page = readFileSync(join(ROOT, 'docs/mem0.md'), 'utf8')
    for (const line of ["import MemoryClient from 'mem0ai'", 'const mem0 = new MemoryClient({ apiKey, host })']) {
      expect(page).toContain(line)
      expect(PROGRAM).toContain(line)
    }
  })

  it.each([
    ['SQLite', () => openMemory(':memory:')],
    ['PostgreSQL', () => subjects.open({})],
  ] as const)('[hosts-67] works against our server on %s', async (name, open) => {
    await using memory = await open()
    // What came through another door: a fact that was stored by itself, and a message from which a fact is learned.
    const dora = memory.scope('acme/user/dora')
    await dora.remember({ text: 'Dora collects stamps.' })
    await dora.session('chat').append({ role: 'user', content: 'My name is Dora and I live in Porto.' })
    await memory.settled()
    expect((await dora.facts()).length).toBeGreaterThan(1)
    const key = await memory.keys.create({ scope: 'acme', can: ['read', 'write'] })
    const other = await memory.keys.create({ scope: 'other', can: ['read', 'write'] })
    const server = await serve(memory, { port: 0, keyFile: join(project.folder, `${name}.key`) })
    try {
      const { code, stdout, output } = await project.run(
        process.execPath,
        ['app.js', server.url, key.token, other.token],
        { MEM0_TELEMETRY: 'false', MEM0_DIR: project.folder },
      )
      expect(code, output).toBe(0)
      const seconds = (performance.now() - started) / 1_000
      console.log(`mem0ai on ${name}: ${seconds.toFixed(1)} s after npm init, everything was remembered and deleted`)
      expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual({
        added: ['SUCCEEDED', ['I am allergic to peanuts.']],
        event: ['SUCCEEDED', 1],
        found: [['I am allergic to peanuts.', 'ada', 'cook', { topic: 'food', level: 3 }, true]],
        counts: [1, 0, 1, 3, 2, true],
        others: 0,
        one: ['I am allergic to peanuts.', true],
        updated: ['I am allergic to peanuts and figs.', true, 'health'],
        afterUpdate: ['I am allergic to peanuts and figs.'],
        history: [
          ['ADD', null, 'I am allergic to peanuts.'],
          ['UPDATE', 'I am allergic to peanuts.', 'I am allergic to peanuts and figs.'],
          ['DELETE', 'I am allergic to peanuts and figs.', null],
        ],
        errors: {
          deleted: 'MemoryNotFoundError',
          unknown: 'MemoryNotFoundError',
          foreign: 'MemoryNotFoundError',
          nobody: 'ValidationError',
          noFilter: 'ValidationError',
          badKey: 'AuthenticationError',
          notOffered: 'MemoryError',
        },
        selfHosted: {
          list: ['I keep bees.'],
          search: ['I keep bees.'],
          put: 'I keep wasps.',
          history: ['ADD', 'UPDATE'],
          gone: 200,
          missing: 404,
          reset: 501,
          entity: 200,
        },
        elsewhere: [
          ['Dora collects stamps.', 'dora'],
          ['My name is Dora and I live in Porto.', 'dora'],
        ],
        asked: 'Dora collects stamps.',
        was: ['ADD', 'DELETE'],
        dora: [1, 'MemoryNotFoundError'],
        users: [
          ['user', 'ada', 1],
          ['user', 'bob.smith / x', 1],
        ],
        left: 0,
      })
      // Destroyed, not hidden.
      let archive = ''
      for await (const piece of memory.export()) archive += piece
      expect(archive).toContain('manifest')
      expect(archive).not.toMatch(/allergic|cello|stamps|Porto/)
    } finally {
      await server.close()
    }
  })
})
