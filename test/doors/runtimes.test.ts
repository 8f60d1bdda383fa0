import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Project, makeProject, readmeExample } from './project.ts'

/** How each runtime starts a file. */
const runtimes: Readonly<Record<string, readonly string[]>> = { bun: ['run'], deno: ['run', '--allow-all'] }

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

describe.each(Object.keys(runtimes))('%s', (name) => {
  let project: Project
  beforeAll(async () => {
    project = await makeProject([name])
    project.write('program.js', PROGRAM)
    project.write('example.js', readmeExample)
  })
  const start = (file: string, ...words: readonly string[]): ReturnType<Project['run']> =>
    project.run(project.bin(name), [...(runtimes[name] ?? []), file, ...words])
  const daybook = (...words: readonly string[]): ReturnType<Project['run']> =>
    start(join(project.folder, 'node_modules/daybook/dist/cli/main.js'), ...words)

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
})
