import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../../scripts/run.ts'
import { freshDatabase } from '../postgres/database.ts'
import { codeBlocks } from '../repository/code-blocks.ts'
import { times } from '../tier.ts'
import { type Project, makeProject } from './project.ts'

/** LangGraph's own suite. Each saver has a scope of its own. */
const suite = `
import { deltaChannelHistoryTests, validate } from '@langchain/langgraph-checkpoint-validation'
import { openMemory } from 'daybook'
import { DaybookSaver } from 'daybook/langgraph'
const { LOCATION = ':memory:', OPTIONS = '{}' } = process.env
const memory = await openMemory(LOCATION, { learn: false, ...JSON.parse(OPTIONS) })
let savers = 0
const initializer = {
  checkpointerName: 'daybook',
  createCheckpointer: async () => new DaybookSaver(memory.scope('suite/' + (savers += 1))),
  afterAll: () => memory.close(),
}
validate(initializer)
deltaChannelHistoryTests({ ...initializer, afterAll: undefined })
`

/**
 * The same operations on both stores. Theirs finds ['user10'] under ['user1'], which is left out here. What theirs
 * returned changes when it is put again, so a batch either reads or writes.
 */
const compare = `
import assert from 'node:assert/strict'
import { InMemoryStore } from '@langchain/langgraph-checkpoint'
import { openMemory } from 'daybook'
import { DaybookStore } from 'daybook/langgraph'
import fc from 'fast-check'
const memory = await openMemory(':memory:', { learn: false })
const label = fc.constantFrom('user1', 'user10', 'notes', 'a b')
const namespace = fc.array(label, { minLength: 1, maxLength: 3 })
const key = fc.constantFrom('k1', 'k2', 'a/b', 'ü')
const value = fc.record({ n: fc.integer({ min: 0, max: 3 }), t: fc.constantFrom('x', 'y') })
const filter = fc.constantFrom({}, { n: 1 }, { n: { $gt: 1 } }, { t: { $in: ['x'] } }, { n: { $ne: 2, $lte: 2 } }, { t: { $nin: ['y'] } }, { none: 1 })
const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ namespace, key, value: fc.option(value) }) },
  fc.record({ namespace, key }),
  fc.record({ namespacePrefix: namespace, filter, limit: fc.constant(100) }),
)
const shown = (result, given) => {
  if ('value' in given) return null
  if ('key' in given) return result === null ? null : [result.namespace, result.key, result.value]
  const inside = result.filter((item) => given.namespacePrefix.every((one, at) => item.namespace[at] === one))
  return inside.map((item) => JSON.stringify([item.namespace, item.key, item.value])).sort()
}
let [operations, run] = [0, 0]
await fc.assert(fc.asyncProperty(fc.array(fc.array(operation, { maxLength: 4 }), { minLength: 3, maxLength: 12, size: 'max' }), async (batches) => {
  const ours = new DaybookStore(memory.scope('a'), { collection: 'run-' + (run += 1) })
  const theirs = new InMemoryStore()
  for (const mixed of batches) {
    const writes = mixed.filter((one) => 'value' in one)
    const batch = writes.length > 0 ? writes : mixed
    const [mine, others] = [await ours.batch(structuredClone(batch)), await theirs.batch(structuredClone(batch))]
    for (const [at, given] of batch.entries()) assert.deepEqual(shown(mine[at], given), shown(others[at], given), JSON.stringify(given))
    operations += batch.length
  }
}), { numRuns: Number(process.argv[2]) })
const store = new DaybookStore(memory.scope('b'))
await store.put(['user1'], 'k', { a: 1 })
await store.put(['user10', 'x'], 'k', { a: 2 })
await store.put(['user1', 'y'], 'k', { a: 3 })
assert.deepEqual((await store.search(['user1'])).map((item) => item.value.a), [1, 3])
assert.deepEqual(await store.listNamespaces({ prefix: ['user1'] }), [['user1'], ['user1', 'y']])
assert.deepEqual(await store.listNamespaces({ maxDepth: 1 }), [['user1'], ['user10']])
assert.deepEqual(await store.listNamespaces({ suffix: ['x'] }), [['user10', 'x']])
await store.put(['user1'], 'k', { a: 4 })
const item = await store.get(['user1'], 'k')
assert(item.createdAt <= item.updatedAt)
await assert.rejects(store.put([], 'k', {}), { name: 'InvalidNamespaceError' })
await memory.close()
console.log(operations + ' operations')
`

describe('daybook/langgraph', () => {
  let project: Project
  beforeAll(async () => {
    const hosts = ['@langchain/langgraph@1', '@langchain/langgraph-checkpoint@1.1.5', '@langchain/core@1']
    const tools = ['@langchain/langgraph-checkpoint-validation@1.1.1', 'fast-check@4', 'vitest@4', 'pg@8']
    // The suite names packages of other savers as its peers, which nothing here needs.
    project = await makeProject([...hosts, ...tools, 'typescript@7', '@types/node@24', '--legacy-peer-deps'])
    project.write('suite.test.mjs', suite)
  })

  const validate = async (env: Readonly<Record<string, string>>): Promise<void> => {
    const { code, output } = await project.run(project.bin('vitest'), ['run', 'suite.test.mjs', '--globals'], env)
    expect(code, output).toBe(0)
    expect(output.replaceAll(/\u001B\[\d+m/g, '')).toMatch(/Tests {2}726 passed \(726\)/)
  }

  it('[hosts-51] passes the suite of LangGraph on SQLite', () => validate({}))

  it('[hosts-51] passes the suite of LangGraph on PostgreSQL', async () => {
    await using database = await freshDatabase()
    await validate({ LOCATION: database.url, OPTIONS: JSON.stringify({ postgres: database.postgres }) })
  })

  it('[hosts-52] has a store that returns what theirs returns', async () => {
    project.write('compare.js', compare)
    const runs = String(times({ daily: 60, nightly: 1_000 }))
    const { code, output, stdout } = await project.run(process.execPath, ['compare.js', runs])
    expect(code, output).toBe(0)
    console.log(`compared with the in-memory store of LangGraph: ${stdout.trim()}`)
  })

  it('[hosts-51] works as docs/hosts.md shows it, and compiles without a cast', async () => {
    const guide = readFileSync(join(ROOT, 'docs/hosts.md'), 'utf8')
    const program = codeBlocks(guide).find(({ text }) => text.includes("from 'daybook/langgraph'"))?.text ?? ''
    project.write('guide.ts', program)
    const compilerOptions = { noEmit: true, strict: true, target: 'esnext', module: 'nodenext', types: ['node'] }
    project.write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions: { ...compilerOptions, skipLibCheck: true }, files: ['guide.ts'] }),
    )
    expect((await project.run(project.bin('tsc'), ['-p', '.'])).output).toBe('')
    const ran = await project.run(process.execPath, ['guide.ts'])
    expect(ran.code, ran.output).toBe(0)
    expect(ran.stdout).toBe('2\n')
  })
})
