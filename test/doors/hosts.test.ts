import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../../scripts/run.ts'
import { codeBlocks, programs } from '../repository/code-blocks.ts'
import { freshDatabase } from '../postgres/database.ts'
import { tier } from '../tier.ts'
import { makeProject } from './project.ts'

const page = programs(codeBlocks(readFileSync(join(ROOT, 'docs/hosts.md'), 'utf8'))).map(({ text }) => text)

/** The programs of docs/hosts.md that use an adapter. */
function programsWith(adapter: string): readonly string[] {
  return page.filter((text) => text.includes(`'daybook/${adapter}'`))
}

/** Each host with the version that its adapter is for, and a program that must compile against its own types. */
const hosts = [
  {
    adapter: 'ai-sdk',
    packages: ['ai@7'],
    types: `
      import { ToolLoopAgent, type LanguageModelMiddleware, type PrepareStepFunction, type ToolSet, type UIMessage } from 'ai'
      import { openMemory } from 'daybook'
      import { loadChat, middleware, prepareStep, tools, withMemory } from 'daybook/ai-sdk'
      const memory = await openMemory(':memory:')
      const options = { scope: memory.scope('acme/ada'), session: 's' }
      const one: LanguageModelMiddleware = middleware(options)
      const two: PrepareStepFunction<ToolSet> = prepareStep(options)
      const three: ToolSet = tools(options.scope)
      const four: UIMessage[] = await loadChat(options.scope, 's')
      const agent = withMemory(new ToolLoopAgent({ model: 'openai/gpt-5' }), options)
      export const five: ToolLoopAgent = agent
      void [one, two, three, four]`,
  },
  {
    adapter: 'openai-agents',
    packages: ['@openai/agents-core@0.20.0', '@openai/agents-openai@0.20.0', 'zod@4', 'fast-check@4', 'pg@8'],
    types: `
      import type { RunContextAwareSession, Session, SessionHistoryRewriteAwareSession, SessionHistoryTransactionAwareSession, OpenAIResponsesCompactionOwnershipAwareSession } from '@openai/agents-core'
      import { openMemory } from 'daybook'
      import { AgentSession } from 'daybook/openai-agents'
      const memory = await openMemory(':memory:')
      const session = new AgentSession({ scope: memory.scope('acme/ada'), session: 's' })
      export const one: Session = session
      export const two: RunContextAwareSession = session
      export const three: SessionHistoryTransactionAwareSession = session
      export const four: SessionHistoryRewriteAwareSession = session
      export const five: OpenAIResponsesCompactionOwnershipAwareSession = session
      await session.addItems([{ type: 'message', role: 'user', content: 'I am Ada.' }])`,
  },
]

describe.each(hosts)('daybook/$adapter in a new project', ({ adapter, packages, types }) => {
  it('[hosts-11] installs beside its host, runs the lines of docs/hosts.md and fits the types of the host', async () => {
    const started = performance.now()
    const project = await makeProject([...packages, 'typescript@5.9', '@types/node@24'])
    const shown = programsWith(adapter)
    expect(shown.length).toBeGreaterThan(0)
    for (const [index, text] of shown.entries()) {
      project.write(`shown-${index}.mts`, text)
      const { code, output } = await project.run(process.execPath, [
        '--disable-warning=ExperimentalWarning',
        `shown-${index}.mts`,
      ])
      expect(code, output).toBe(0)
      if (index > 0) continue
      const seconds = (performance.now() - started) / 1_000
      console.log(`${adapter}: from npm init to the first remembered turn in ${seconds.toFixed(1)} s`)
    }
    project.write('types.mts', types)
    const compilerOptions = { noEmit: true, strict: true, skipLibCheck: true, module: 'nodenext', target: 'es2023' }
    project.write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions: { ...compilerOptions, types: ['node'] }, files: ['types.mts'] }),
    )
    const { code, output } = await project.run(process.execPath, [project.bin('tsc'), '-p', '.'])
    expect(code, output).toBe(0)
    if (adapter !== 'openai-agents') return
    project.write('compare.mjs', readFileSync(join(import.meta.dirname, 'programs/openai-agents.mjs'), 'utf8'))
    const runs = tier === 'daily' ? '60' : '3000'
    await using database = await freshDatabase()
    for (const [store, location] of [
      ['a file', 'agents.db'],
      ['PostgreSQL', database.url],
      ['a client', 'served'],
    ] as const) {
      const options = location === database.url ? { postgres: database.postgres } : {}
      const words = ['compare.mjs', location, runs, JSON.stringify(options)]
      const compared = await project.run(process.execPath, words)
      expect(compared.code, compared.output).toBe(0)
      console.log(`${adapter} on ${store}, compared with the session of the host: ${compared.stdout.trim()}`)
    }
  })
})

it('[hosts-12] the root entry loads no host', async () => {
  const project = await makeProject([])
  project.write('main.js', "import { openMemory } from 'daybook'\nawait (await openMemory(':memory:')).close()\n")
  const { code, output } = await project.run(process.execPath, ['main.js'])
  expect(code, output).toBe(0)
  for (const { adapter } of hosts.slice(0, 1)) {
    project.write('adapter.js', `import 'daybook/${adapter}'\n`)
    const failed = await project.run(process.execPath, ['adapter.js'])
    expect(failed.output).toMatch(/Cannot find package 'ai'/)
  }
})
