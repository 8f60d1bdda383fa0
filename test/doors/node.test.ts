import { arch, platform } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Project, makeProject, readmeExample } from './project.ts'

const tooOld = ['20', '22.13']
const supported = ['22.14', '24', '26']

const program = `
import { MemoryError, openMemory } from 'daybook'
const error = await openMemory('agent.db').catch((error) => error)
console.log(JSON.stringify({ is: MemoryError.is(error, 'store/unsupported'), message: error.message, ...error.details }))
`

describe('the packed package', () => {
  let project: Project
  beforeAll(async () => {
    // The packages that hold the binaries of the npm package `node`, under a name for each version.
    const nodes = [...tooOld, ...supported].map((line) => `${nameOf(line)}@npm:node-${platform()}-${arch()}@${line}`)
    project = await makeProject([...nodes, 'tsx'])
  })
  const nodeOf = (line: string): string => join(project.folder, 'node_modules', nameOf(line), 'bin/node')
  const daybook = (): string => join(project.folder, 'node_modules/daybook/dist/cli/main.js')
  const versionOf = async (line: string): Promise<string> =>
    (await project.run(nodeOf(line), ['--version'])).stdout.trim().slice(1)

  it.each(tooOld)('[anywhere-3] on Node %s throws an error with the version found and wanted', async (line) => {
    const version = await versionOf(line)
    expect(version.startsWith(line)).toBe(true)
    project.write('main.js', program)
    const { code, stdout, output } = await project.run(nodeOf(line), ['main.js'])
    expect(code, output).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      is: true,
      message: `Cannot run on Node ${version}: expected Node 22.14 or later`,
      found: version,
      wanted: '22.14',
    })
  })

  it.each(tooOld)('[anywhere-3] on Node %s has a command line that prints the same and exits 1', async (line) => {
    const version = await versionOf(line)
    for (const words of [['--version'], ['append', '--create', '-s', 'a', '-S', 's', 'Hello'], ['mcp']])
      expect(await project.run(nodeOf(line), [daybook(), ...words])).toMatchObject({
        code: 1,
        output: `daybook: Cannot run on Node ${version}: expected Node 22.14 or later\n`,
      })
  })

  it.each(supported)('[anywhere-4] on Node %s runs the example of the README and the command line', async (line) => {
    expect((await versionOf(line)).startsWith(line)).toBe(true)
    project.write('main.js', readmeExample)
    const { code, output } = await project.run(nodeOf(line), ['main.js'])
    expect(code, output).toBe(0)
    const words = ['append', '--create', '--memory', `file:${line}.db`, '--scope', 'a', '--session', 's', 'Hello']
    expect(await project.run(nodeOf(line), [daybook(), ...words])).toMatchObject({ code: 0 })
    const show = ['show', '--memory', `${line}.db`, '--scope', 'a', 's']
    expect((await project.run(nodeOf(line), [daybook(), ...show])).stdout).toContain('Hello')
  })

  it('[anywhere-41] run by tsx stores, recalls, learns and loads what it loads on first use', async () => {
    project.write(
      'main.ts',
      `import { openMemory } from 'daybook'
      import { exportToFile } from 'daybook/archive'
      await using memory = await openMemory('tsx.db')
      const ada = memory.scope('acme/ada')
      await ada.session('s').append({ role: 'user', content: 'I live in Lisbon since last March.' })
      await memory.settled()
      const { items } = await ada.recall('where do I live?')
      const { messages } = await ada.session('s').context({ model: 'gpt-4o', recall: true })
      await exportToFile(memory, 'tsx.daybook')
      console.log(JSON.stringify({ facts: (await ada.facts()).length, items: items.length > 0, messages: messages.length }))`,
    )
    const { stdout, output } = await project.run(project.bin('tsx'), ['main.ts'])
    expect(stdout, output).toBe(`${JSON.stringify({ facts: 1, items: true, messages: 1 })}\n`)
  })
})

function nameOf(line: string): string {
  return `node-${line.replace('.', '-')}`
}
