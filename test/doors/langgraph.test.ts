import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../../scripts/run.ts'
import { freshDatabase } from '../postgres/database.ts'
import { codeBlocks } from '../repository/code-blocks.ts'
import { badInput } from './bad-input.ts'
import { compareOnStores } from './compare-on-stores.ts'
import { killAndResume } from './kill-and-resume.ts'
import { type Project, makeProject } from './project.ts'
import { runExample } from './run-example.ts'
import { typeErrors } from './type-errors.ts'

/** LangGraph's own suite. Each saver has a scope of its own. */
const suite = `
import { deltaChannelHistoryTests, validate } from '@langchain/langgraph-checkpoint-validation'
import { openMemory } from 'daybook'
import { DaybookSaver } from 'daybook/langgraph'
import { serve } from 'daybook/server'
const { LOCATION = ':memory:', OPTIONS = '{}', SERVED } = process.env
const stored = await openMemory(LOCATION, { learn: false, ...JSON.parse(OPTIONS) })
const server = SERVED === undefined ? undefined : await serve(stored, { port: 0, keyFile: 'suite.key' })
const memory = server === undefined ? stored : await openMemory(server.link)
let savers = 0
const initializer = {
  checkpointerName: 'daybook',
  createCheckpointer: async () => new DaybookSaver(memory.scope('suite/' + (savers += 1))),
  afterAll: async () => {
    await memory.close()
    await server?.close()
    await stored.close()
  },
}
validate(initializer)
deltaChannelHistoryTests({ ...initializer, afterAll: undefined })
`

describe('daybook/langgraph', () => {
  let project: Project
  let started: number
  beforeAll(async () => {
    started = performance.now()
    const hosts = ['@langchain/langgraph@1.4.17', '@langchain/langgraph-checkpoint@1.1.5', '@langchain/core@1']
    const tools = ['@langchain/langgraph-checkpoint-validation@1.1.1', 'fast-check@4', 'vitest@4', 'pg@8']
    // The suite names packages of other savers as its peers, which nothing here needs.
    project = await makeProject([...hosts, ...tools, 'typescript@7', '@types/node@24', '--legacy-peer-deps'])
    project.write('suite.test.mjs', suite)
  })

  it('[hosts-51] works as its page shows it, and compiles without a cast', async () => {
    const guide = readFileSync(join(ROOT, 'docs/langgraph.md'), 'utf8')
    const program = codeBlocks(guide).find(({ text }) => text.includes("from 'daybook/langgraph'"))?.text ?? ''
    project.write('guide.ts', program)
    const given = { adapter: 'langgraph', files: ['guide.ts'] }
    expect(await typeErrors(project, given, { target: 'esnext' })).toBe('')
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

  it('[hosts-51] passes the suite of LangGraph through a client', () => validate({ SERVED: 'true' }))

  it('[hosts-52] [hosts-66] has a store that returns what theirs returns, and steps that do not grow with the thread', () =>
    compareOnStores(project, 'langgraph', 40))

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

  it('[hosts-59] does what docs/hosts.md says with bad input', () => badInput(project, 'langgraph'))
})
