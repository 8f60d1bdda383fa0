import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../../scripts/run.ts'
import { freshDatabase } from '../postgres/database.ts'
import { codeBlocks } from '../repository/code-blocks.ts'
import { compareOnStores } from './compare-on-stores.ts'
import { killAndResume } from './kill-and-resume.ts'
import { type Project, makeProject } from './project.ts'
import { runExample } from './run-example.ts'

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

describe('daybook/langgraph', () => {
  let project: Project
  let started: number
  beforeAll(async () => {
    started = performance.now()
    const hosts = ['@langchain/langgraph@1', '@langchain/langgraph-checkpoint@1.1.5', '@langchain/core@1']
    const tools = ['@langchain/langgraph-checkpoint-validation@1.1.1', 'fast-check@4', 'vitest@4', 'pg@8']
    // The suite names packages of other savers as its peers, which nothing here needs.
    project = await makeProject([...hosts, ...tools, 'typescript@7', '@types/node@24', '--legacy-peer-deps'])
    project.write('suite.test.mjs', suite)
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
    const seconds = (performance.now() - started) / 1_000
    console.log(`langgraph: from npm init to the first remembered turn in ${seconds.toFixed(1)} s`)
    expect(ran.stdout).toBe('2\n')
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

  it('[hosts-52] has a store that returns what theirs returns', () => compareOnStores(project, 'langgraph', 40))

  it('[hosts-58] has an example that remembers from one process to the next', () =>
    runExample(project, 'langgraph', {
      runs: [
        ['thread-1', 'I am Ada.'],
        ['thread-2', 'Who am I?'],
      ],
      prints: /All threads: \[ 'I am Ada\.', 'Who am I\?' \]/,
    }))

  it('[hosts-57] loses nothing and stores nothing twice when its process is killed', () =>
    killAndResume(project, 'langgraph'))
})
