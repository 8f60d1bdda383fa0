import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../../scripts/run.ts'
import { codeBlocks } from '../repository/code-blocks.ts'
import { badInput } from './bad-input.ts'
import { compareOnStores } from './compare-on-stores.ts'
import { killAndResume } from './kill-and-resume.ts'
import { type Project, makeProject } from './project.ts'
import { runExample } from './run-example.ts'
import { typeErrors } from './type-errors.ts'

/** The programs on the page of an adapter that use it. */
function programsWith(adapter: string): readonly string[] {
  return codeBlocks(readFileSync(join(ROOT, `docs/${adapter}.md`), 'utf8'))
    .map(({ text }) => text)
    .filter((text) => text.includes(`'daybook/${adapter}'`))
}

interface Host {
  readonly adapter: string
  /** With the version that the adapter is for. */
  readonly packages: readonly string[]
  /** A program that must compile against the types of the host. */
  readonly types: string
  /** What the first program of the page prints, if that is known. */
  readonly prints?: string
  /** Loaded before the programs of the page: plays the part of a model or an API. */
  readonly script?: string
  /** How the example is run, one process after the other, and what the last of them prints. */
  readonly example?: { readonly runs: readonly (readonly string[])[]; readonly prints: RegExp }
  /** How many random sequences are compared with the host's own implementation on a file; elsewhere a quarter of them. */
  readonly sequences: number
  /** What the comparison shows. */
  readonly shows: string
}

const hosts: readonly Host[] = [
  {
    adapter: 'ai-sdk',
    packages: ['ai@7', 'fast-check@4', 'pg@8'],
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
    sequences: 20,
    shows: '[hosts-3] [hosts-10]',
  },
  {
    adapter: 'openai-agents',
    packages: ['@openai/agents@0.20.0', 'zod@4', 'fast-check@4', 'pg@8'],
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
    script: `
      process.env.OPENAI_API_KEY = 'none'
      process.env.OPENAI_AGENTS_DISABLE_TRACING = '1'
      globalThis.fetch = async (_, { body }) => {
        const said = [JSON.parse(body).input].flat().filter(({ role }) => role === 'user')
        const content = [{ type: 'output_text', text: 'You said ' + said.length + ' things.', annotations: [], logprobs: [] }]
        const output = [{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content }]
        const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
        const reply = { id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: 'gpt-5', output, usage }
        return new Response(JSON.stringify(reply), { headers: { 'content-type': 'application/json' } })
      }`,
    prints: 'You said 2 things.',
    sequences: 40,
    shows: '[hosts-13] [hosts-14] [hosts-15]',
  },
  {
    adapter: 'claude-agent',
    // Brings the program of Claude Code, which has 250 MB.
    packages: ['@anthropic-ai/claude-agent-sdk@0.3.325', 'zod@4', 'fast-check@4', 'pg@8'],
    types: `
      import { type SessionStore, listSessions } from '@anthropic-ai/claude-agent-sdk'
      import { openMemory } from 'daybook'
      import { DaybookSessionStore } from 'daybook/claude-agent'
      const memory = await openMemory(':memory:')
      const store: Required<SessionStore> = new DaybookSessionStore(memory.scope('acme/ada'))
      console.log(await listSessions({ sessionStore: store }))`,
    script: `
      import { claudeEnv } from './messages-api.mjs'
      const { HOME, PATH, CLAUDE_CONFIG_DIR, ...api } = claudeEnv()
      Object.assign(process.env, { CLAUDE_CONFIG_DIR, ...process.env, ...api })`,
    example: {
      runs: [['Which order is late?', 'shop']],
      prints: /Session: My order 7731 is late\.\n.*#1: My order 7731/,
    },
    sequences: 16,
    shows: '[hosts-53]',
  },
  {
    adapter: 'adk',
    packages: ['@google/adk@2.0.0', 'fast-check@4', 'pg@8'],
    types: `
      import type { BaseMemoryService, BaseSessionService } from '@google/adk'
      import { openMemory } from 'daybook'
      import { DaybookMemoryService, DaybookSessionService } from 'daybook/adk'
      const memory = await openMemory(':memory:')
      export const one: BaseSessionService = new DaybookSessionService(memory)
      export const two: BaseMemoryService = new DaybookMemoryService(memory, { below: 'acme' })`,
    script: `
      import { Gemini } from '@google/adk'
      process.env.GEMINI_API_KEY = 'none'
      Gemini.prototype.generateContentAsync = async function* ({ config }) {
        yield { content: { role: 'model', parts: [{ text: JSON.stringify(config.systemInstruction) }] } }
      }`,
    example: {
      runs: [['My order is 7731.'], ['Which order is mine?']],
      prints: /PAST_CONVERSATIONS.*My order is 7731/,
    },
    sequences: 12,
    shows: '[hosts-54] [hosts-55]',
  },
  {
    adapter: 'strands',
    packages: ['@strands-agents/sdk@1.19.0', 'fast-check@4', 'pg@8'],
    types: `
      import type { MemoryStore, SnapshotStorage } from '@strands-agents/sdk'
      import { openMemory } from 'daybook'
      import { DaybookMemoryStore, DaybookSnapshotStorage } from 'daybook/strands'
      const memory = await openMemory(':memory:')
      export const one: MemoryStore = new DaybookMemoryStore(memory.scope('acme/ada'))
      export const two: SnapshotStorage = new DaybookSnapshotStorage(memory.scope('acme/ada'))`,
    script: `
      import { BedrockModel } from '@strands-agents/sdk'
      BedrockModel.prototype.stream = async function* (messages) {
        yield { type: 'modelMessageStartEvent', role: 'assistant' }
        yield { type: 'modelContentBlockStartEvent' }
        yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text: JSON.stringify(messages) } }
        yield { type: 'modelContentBlockStopEvent' }
        yield { type: 'modelMessageStopEvent', stopReason: 'endTurn' }
      }`,
    example: {
      runs: [
        ['session-1', 'My order is 7731.'],
        ['session-2', 'Which order is mine?'],
      ],
      prints: /<memory>.*My order is 7731/,
    },
    sequences: 20,
    shows: '[hosts-56]',
  },
]

describe.each(hosts)(
  'daybook/$adapter in a new project',
  ({ adapter, packages, types, script = '', prints = '', example, sequences, shows }) => {
    let project: Project
    let started: number
    beforeAll(async () => {
      started = performance.now()
      project = await makeProject([...packages, 'typescript@5.9', '@types/node@24'])
      project.write('script.mjs', script)
      for (const file of ['messages-api.mjs', 'ai-sdk-sequences.mjs'])
        project.write(file, readFileSync(join(import.meta.dirname, 'programs', file), 'utf8'))
    })

    it('[hosts-11] installs beside its host, runs the lines of its page and fits the types of the host', async () => {
      const shown = programsWith(adapter)
      expect(shown.length).toBeGreaterThan(0)
      const files = shown.map((text, index) => {
        project.write(`shown-${index}.mts`, text)
        return `shown-${index}.mts`
      })
      for (const [index, file] of files.entries()) {
        const words = ['--disable-warning=ExperimentalWarning', '--import', './script.mjs', file]
        const { code, output } = await project.run(process.execPath, words)
        expect(code, output).toBe(0)
        if (index > 0) continue
        expect(output).toContain(prints)
        const seconds = (performance.now() - started) / 1_000
        console.log(`${adapter}: from npm init to the first remembered turn in ${seconds.toFixed(1)} s`)
      }
      project.write('types.mts', types)
      const lib = ['es2023', 'esnext.disposable', 'dom']
      const given = { adapter, files: ['types.mts', ...files] }
      expect(await typeErrors(project, given, { target: 'es2023', lib })).toBe('')
    })

    it(`${shows} returns what the host itself returns: on a file, on PostgreSQL and through a client`, () =>
      compareOnStores(project, adapter, sequences))

    it.runIf(adapter === 'claude-agent')(
      '[hosts-69] resumes conversations of Claude Code itself: on a file, on PostgreSQL and through a client',
      () => compareOnStores(project, 'claude-query', 1),
    )

    it.runIf(example !== undefined)(
      '[hosts-58] has an example that remembers from one process to the next',
      async () => {
        const { runs = [], prints: shown = /./ } = example ?? {}
        const env = adapter === 'claude-agent' ? { CLAUDE_CONFIG_DIR: writeTranscript(project) } : {}
        await runExample(project, adapter, { runs, prints: shown, env, preload: './script.mjs' })
      },
    )

    it('[hosts-57] loses nothing and stores nothing twice when its process is killed', () =>
      killAndResume(project, adapter))

    it('[hosts-59] does what docs/hosts.md says with bad input', () => badInput(project, adapter))
  },
)

it('[hosts-68] the page says which frameworks have no adapter', () => {
  const text = readFileSync(join(ROOT, 'docs/hosts.md'), 'utf8')
  expect(text).toMatch(/no adapter for Mastra, TanStack AI and LlamaIndex, because/)
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

/** A session that Claude Code left on disk. Returns the folder of its configuration. */
function writeTranscript({ folder, write }: Project): string {
  const sessionId = '3d2f9a54-6f0e-4c1c-9a55-0d9c8f3b1a01'
  const cwd = join(realpathSync(folder), 'shop')
  const message = { role: 'user', content: 'My order 7731 is late.' }
  const timestamp = '2026-01-01T00:00:00.000Z'
  const record = {
    type: 'user',
    uuid: sessionId.replace('01', '02'),
    parentUuid: null,
    isSidechain: false,
    sessionId,
    cwd,
  }
  write('shop/README', 'A shop.')
  write(
    `config/projects/${cwd.replaceAll(/[^a-zA-Z0-9]/g, '-')}/${sessionId}.jsonl`,
    `${JSON.stringify({ ...record, message, timestamp })}\n`,
  )
  return join(folder, 'config')
}
