import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { connectMemory } from '../../src/client/connect-memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { describeApi } from '../../src/server/openapi.ts'
import { surface } from '../../src/surface/index.ts'
import { serve } from '../../src/server/serve.ts'
import type { OpenSubject } from '../contract/subject.ts'
import { testMemory } from '../contract/test-memory.ts'
import { DocumentCheck } from '../openapi/document-check.ts'
import { type GeneratedClient, ThroughGenerated } from './generated-client.ts'
import { type Project, makeProject } from './project.ts'

/** A program in TypeScript that uses a client of openapi-fetch with the types that openapi-typescript generated. */
const program = `
import createClient from 'openapi-fetch'
import type { paths } from './api.d.ts'

const [baseUrl = '', key = ''] = process.argv.slice(2)
// Keys that may not read get another media type.
type Media = 'application/json' | 'application/problem+json'
const client = createClient<paths, Media>({ baseUrl, headers: { authorization: 'Bearer ' + key } })
const path = { scope: 'acme/ada', session: 'chat' }
const { data } = await client.POST('/v1/scopes/{scope}/sessions/{session}/messages', {
  params: { path },
  body: { messages: { role: 'user', content: 'My order 7731 is late' } },
})
const seq: number | undefined = data?.messages[0]?.seq
const context = await client.POST('/v1/scopes/{scope}/sessions/{session}/context', {
  params: { path },
  body: { budget: 1_000, dialect: 'openai' },
})
const tokens: number | undefined = context.data?.tokens
const recalled = await client.POST('/v1/scopes/{scope}/recall', {
  params: { path: { scope: 'acme/ada' } },
  body: { query: 'order', limit: 3 },
})
const text: string | undefined = recalled.data?.items[0]?.text
const refused = await client.POST('/v1/scopes/{scope}/recall', {
  params: { path: { scope: 'acme/ada' } },
  // @ts-expect-error the question is called \`query\`
  body: { question: 'order' },
})
const code: string | undefined = refused.error?.code
console.log(JSON.stringify({ seq, counted: (tokens ?? 0) > 0, text, code }))
`

const generated = Promise.withResolvers<{
  readonly project: Project
  readonly through: (url: string) => ThroughGenerated
}>()
const used = new Map<string, number>()

beforeAll(async () => {
  const document = describeApi(surface)
  const project = await makeProject(['openapi-typescript@7', 'openapi-fetch@0', 'typescript@5.9', '@types/node@24'], {
    daybook: false,
  })
  project.write('openapi.json', JSON.stringify(document))
  const { code, output } = await project.run(process.execPath, [
    join(project.folder, 'node_modules/openapi-typescript/bin/cli.js'),
    'openapi.json',
    '-o',
    'api.d.ts',
  ])
  if (code !== 0) throw new Error(output)
  const address = pathToFileURL(join(project.folder, 'node_modules/openapi-fetch/dist/index.mjs')).href
  const { default: createClient } = (await import(address)) as {
    default: (options: { readonly baseUrl: string }) => GeneratedClient
  }
  const check = new DocumentCheck(document)
  generated.resolve({ project, through: (url) => new ThroughGenerated(createClient({ baseUrl: url }), check) })
})

describe('a client that is generated from /openapi.json', () => {
  it('[surface-32] type-checks in a program that uses it, and the program runs', async () => {
    const { project } = await generated.promise
    project.write('main.ts', program)
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      module: 'nodenext',
      types: ['node'],
      skipLibCheck: false,
      allowImportingTsExtensions: true,
    }
    project.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['main.ts'] }))
    const tsc = join(project.folder, 'node_modules/typescript/bin/tsc')
    const checked = await project.run(process.execPath, [tsc, '-p', 'tsconfig.json'])
    expect(`${checked.output}exited with ${checked.code}`).toBe('exited with 0')
    await using memory = await openMemory(':memory:', { learn: false })
    const { token } = await memory.keys.create({ scope: null, can: ['admin'] })
    const server = await serve(memory, { port: 0 })
    const ran = await project.run(process.execPath, ['main.ts', server.url, token])
    await server.close()
    expect(JSON.parse(ran.output)).toEqual({
      seq: 1,
      counted: true,
      text: 'My order 7731 is late',
      code: 'input/invalid',
    })
  })
})

// [surface-32] Every request of the contract is made by the generated client, and what it reads is what the suite sees.
testMemory('a memory behind a generated client', behindGenerated)

it('[surface-32] the same requests, sent by a generated client and by ours, have the same answers', () => {
  expect(used.size).toBeGreaterThan(45)
  expect([...used.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(1_000)
})

async function behindGenerated(...[options]: Parameters<OpenSubject>): ReturnType<OpenSubject> {
  const memory = await openMemory(':memory:', options)
  const { token } = await memory.keys.create({ scope: null, can: ['admin'] })
  const server = await serve(memory, { port: 0, limits: { ratePerSecond: 100_000 } })
  const through = (await generated.promise).through(server.url)
  const client = connectMemory(server.url, { key: token, fetch: (request) => through.fetch(request) })
  const close = async (): Promise<void> => {
    await client.close()
    await server.close()
    await memory.close()
    for (const [name, count] of through.compared) used.set(name, (used.get(name) ?? 0) + count)
  }
  return { ...client, close, [Symbol.asyncDispose]: close }
}
