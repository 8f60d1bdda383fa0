import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Project, makeProject, readmeExample } from './project.ts'

/** What people have installed already: every major version that the optional peers allow, and test runners. */
const neighbours = [
  { ai: 5, models: 2, version: 'V2', vitest: 3 },
  { ai: 6, models: 3, version: 'V3', vitest: 4 },
  { ai: 7, models: 4, version: 'V4', vitest: 5 },
]

describe.each(neighbours)('beside ai $ai and vitest $vitest', ({ ai, models, version, vitest }) => {
  let project: Project
  beforeAll(async () => {
    const providers = ['openai', 'anthropic', 'google'].map((name) => `@ai-sdk/${name}@${models}`)
    const others = ['pg@8', 'compromise@14', '@opentelemetry/api@1', 'better-sqlite3-multiple-ciphers@13']
    project = await makeProject([`ai@${ai}`, ...providers, `vitest@${vitest}`, ...others])
  })

  it('[anywhere-5] installs without a warning about peers', async () => {
    expect(project.installed.split('\n').filter((line) => /npm warn.*(peer|ERESOLVE)/i.test(line))).toEqual([])
    const { code, output } = await project.run('npm', ['ls', '--all'])
    expect(code, output).toBe(0)
  })

  it('[anywhere-5] runs the example of the README', async () => {
    project.write('main.js', readmeExample)
    const { code, output } = await project.run(process.execPath, ['main.js'])
    expect(code, output).toBe(0)
  })

  it('[anywhere-5] uses a language model and an embedding model of that major version', async () => {
    project.write(
      'models.js',
      `
      import { openMemory } from 'daybook'
      import { MockEmbeddingModel${version} as Embedding, MockLanguageModel${version} as Language } from 'ai/test'
      const asked = { model: 0, embedder: 0 }
      const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 }, totalTokens: 2 }
      const model = new Language({ doGenerate: async () => {
        asked.model += 1
        return { content: [{ type: 'text', text: 'nothing' }], finishReason: 'stop', usage, warnings: [] }
      } })
      const embedder = new Embedding({ maxEmbeddingsPerCall: 10, doEmbed: async ({ values }) => {
        asked.embedder += 1
        return { embeddings: values.map(() => [0.6, 0.8]), warnings: [] }
      } })
      const memory = await openMemory(':memory:', { model, embedder })
      const chat = memory.scope('a').session('s')
      for (let turn = 0; turn < 30; turn++)
        await chat.append([{ role: 'user', content: 'Where is order ' + turn + '? '.repeat(40) }, { role: 'assistant', content: 'On its way. '.repeat(40) }])
      await chat.compact({ force: true })
      await memory.settled()
      await memory.scope('a').recall('which order is late?', { fresh: true })
      await memory.close()
      console.log(JSON.stringify(asked))`,
    )
    const { code, stdout, output } = await project.run(process.execPath, ['models.js'])
    expect(code, output).toBe(0)
    const asked = JSON.parse(stdout) as { model: number; embedder: number }
    expect(asked.model).toBeGreaterThan(0)
    expect(asked.embedder).toBeGreaterThan(0)
  })

  it('[anywhere-6] loads every subpath with require', async () => {
    project.write(
      'main.cjs',
      `
      const manifest = require('daybook/package.json')
      const isOurs = (name) => !/[.]json|dist.adapters/.test(JSON.stringify(manifest.exports[name]))
      const names = Object.keys(manifest.exports).filter(isOurs)
      for (const name of names) require(name.replace('.', 'daybook'))
      const { openMemory } = require('daybook')
      openMemory(':memory:').then((memory) => memory.close()).then(() => console.log(names.length))`,
    )
    const { code, stdout, output } = await project.run(process.execPath, ['main.cjs'])
    expect(code, output).toBe(0)
    expect(Number(stdout)).toBeGreaterThan(4)
    expect(output).not.toContain('Warning')
  })

  it('[anywhere-5] chats', async () => {
    const words = ['chat', '--create', '--memory', 'chat.db', '--scope', 'acme/ada', 'talk']
    const { code, output } = await project.run(process.execPath, [
      join(project.folder, 'node_modules/daybook/dist/cli/main.js'),
      ...words,
    ])
    expect(code, output).toBe(0)
  })
})

describe('without better-sqlite3', () => {
  it('[anywhere-7] imports, opens a server, and says what a file needs', async () => {
    const project = await makeProject(['pg@8'])
    project.write(
      'serve.js',
      `
      import { openMemory } from 'daybook'
      import { serve } from 'daybook/server'
      const memory = await openMemory(':memory:')
      const server = await serve(memory, { port: 0, keyFile: 'admin.key' })
      process.send(server.link)`,
    )
    project.write(
      'main.js',
      `
      import { fork } from 'node:child_process'
      import { renameSync } from 'node:fs'
      import { openMemory } from 'daybook'
      const child = fork('serve.js')
      const link = await new Promise((resolve) => child.once('message', resolve))
      renameSync('node_modules/better-sqlite3', 'node_modules/.better-sqlite3')
      const memory = await openMemory(link)
      await memory.scope('a').session('s').append({ role: 'user', content: 'Hello' })
      const count = await memory.scope('a').session('s').count()
      child.kill()
      const file = await openMemory('agent.db').catch((error) => error)
      const postgres = await openMemory('postgres://nobody@127.0.0.1:1/none', { postgres: { waitMs: 100 } }).catch((error) => error)
      console.log(JSON.stringify({ count, file: [file.code, file.message], postgres: postgres.code }))`,
    )
    const { code, stdout, output } = await project.run(process.execPath, ['main.js'])
    expect(code, output).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      count: 1,
      file: [
        'store/unsupported',
        'Cannot open a file: the package better-sqlite3 is not installed, install it with: npm install better-sqlite3',
      ],
      postgres: 'store/unavailable',
    })
  })
})
