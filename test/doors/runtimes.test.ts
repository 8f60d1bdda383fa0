import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROOT, run } from '../../scripts/run.ts'
import { Host } from '../cli/mcp-client.ts'
import { type Project, environment, makeProject, readmeExample } from './project.ts'

/** How each runtime starts a file. `--bun`, since otherwise it starts Node for a file that asks for it. */
const runtimes: Readonly<Record<string, { readonly title: string; readonly words: readonly string[] }>> = {
  bun: { title: 'Bun', words: ['--bun', 'run'] },
  deno: { title: 'Deno', words: ['run', '--allow-all'] },
}

/** The library on a file, a server on it, and a client of that. */
const PROGRAM = `
import { existsSync } from 'node:fs'
import { openMemory } from 'daybook'
import { connectMemory } from 'daybook/client'
import { serve } from 'daybook/server'
const file = process.argv.at(-1)
const memory = await openMemory(file)
const server = await serve(memory, { port: 0, keyFile: file + '.key' })
const remote = connectMemory(server.link)
const session = remote.scope('acme/ada').session('first')
const watching = session.watch()[Symbol.asyncIterator]()
const seen = watching.next()
await session.append([{ role: 'user', content: 'Order 7731 is late.' }, { role: 'assistant', content: 'I will look.' }])
const first = (await seen).value.role
await watching.return?.()
const { items } = await memory.scope('acme/ada').recall('what is late?', { fresh: true })
const context = await session.context({ budget: 2000 })
await memory.backup(file + '.backup')
await memory.scope('acme/ada').forget({ session: 'first' })
const { damage } = await memory.verify()
await remote.close()
await server.close()
await memory.close()
console.log(JSON.stringify({ first, recalled: items[0]?.text.includes('7731'), messages: context.messages.length, backup: existsSync(file + '.backup'), damage }))
process.exit(0)
`

describe.each(Object.entries(runtimes))('%s', (name, { title, words: first }) => {
  let project: Project
  beforeAll(async () => {
    project = await makeProject([name])
    project.write('program.js', PROGRAM)
    project.write('example.js', readmeExample)
  })
  const start = (file: string, ...words: readonly string[]): ReturnType<Project['run']> =>
    project.run(project.bin(name), [...first, file, ...words])
  const commandLine = (): string => join(project.folder, 'node_modules/daybook/dist/cli/main.js')
  const daybook = (...words: readonly string[]): ReturnType<Project['run']> => start(commandLine(), ...words)

  it('[anywhere-20] runs the example of the README', async () => {
    const { code, output } = await start('example.js')
    expect(code, output).toBe(0)
  })

  it('[anywhere-20] runs the library, a server and a client', async () => {
    const { code, stdout, output } = await start('program.js', 'program.db')
    expect(code, output).toBe(0)
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual({
      first: 'user',
      recalled: true,
      messages: 2,
      backup: true,
      damage: [],
    })
  })

  it('[anywhere-20] runs the command line', async () => {
    const place = ['--memory', 'cli.db', '--scope', 'acme/ada']
    expect(await daybook('append', '--create', ...place, '--session', 'first', 'Hello')).toMatchObject({ code: 0 })
    expect((await daybook('show', ...place, 'first')).stdout).toContain('Hello')
    expect(await daybook('verify', '--memory', 'cli.db')).toMatchObject({ code: 0 })
  })

  it('[anywhere-20] runs the MCP server', async () => {
    const place = ['--create', '--memory', join(project.folder, 'mcp.db'), '--scope', 'me']
    await using host = new Host(place, { command: project.bin(name), before: [...first, commandLine(), 'mcp'] })
    expect((await host.greet()).result).toMatchObject({ serverInfo: { name: 'daybook' } })
    await host.use('record_to_memory', { thinking: 'An invoice.', content: ['The invoice 4711 is paid.'] })
    // What was recorded is indexed in the background, and the tool says so meanwhile.
    const asked = async (): Promise<string> =>
      JSON.stringify(await host.use('retrieve_from_memory', { keywords: ['invoice'] }))
    await expect.poll(asked, { timeout: 60_000 }).toContain('4711')
    expect(host.strange).toEqual([])
  })

  // The sources of this repository, in the test runner of this repository.
  it('[anywhere-20] passes the contract suite', async () => {
    const runner = join(ROOT, 'node_modules/vitest/vitest.mjs')
    const suite = ['--project', 'unit', 'test/contract/sqlite.test.ts', '-t', `an SQLite file on ${title} `]
    const report = join(project.folder, 'report.json')
    const words = [...first, runner, 'run', ...suite, '--reporter', 'json', '--outputFile', report]
    const { code, output } = await run(project.bin(name), words, { env: environment() })
    expect(code, output).toBe(0)
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8')) as Record<string, number>
    expect(numFailedTests).toBe(0)
    expect(numPassedTests).toBeGreaterThan(200)
  })
})
