import { readFileSync } from 'node:fs'
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

/** The API, for the program of the guide: the model writes a file, then ends. */
const api = `
const content = [
  [{ type: 'tool_use', id: 't1', name: 'memory', input: { command: 'create', path: '/memories/day.md', file_text: 'tea at five' } }],
  [{ type: 'text', text: 'Tea at five.' }],
]
let turn = 0
globalThis.fetch = async () => {
  const parts = content[turn++]
  const body = { id: 'm' + turn, type: 'message', role: 'assistant', model: 'claude-opus-5', content: parts, stop_reason: turn === 1 ? 'tool_use' : 'end_turn', stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } }
  return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
}
process.env.ANTHROPIC_API_KEY = 'none'
`

describe('daybook/anthropic', () => {
  let project: Project
  let started: number
  beforeAll(async () => {
    started = performance.now()
    project = await makeProject([
      '@anthropic-ai/sdk@1.8.0',
      'openai@7',
      'fast-check@4',
      'pg@8',
      'typescript@7',
      '@types/node@24',
    ])
  })

  it('[hosts-50] works as its page shows it, and compiles without a cast', async () => {
    const guide = readFileSync(join(ROOT, 'docs/anthropic.md'), 'utf8')
    const program = codeBlocks(guide).find(({ text }) => text.includes("from 'daybook/anthropic'"))?.text ?? ''
    project.write('guide.ts', program)
    const given = { adapter: 'anthropic', files: ['guide.ts'] }
    expect(await typeErrors(project, given, { target: 'esnext' })).toBe('')
    project.write('api.js', api)
    const ran = await project.run(process.execPath, ['--import', './api.js', 'guide.ts'])
    expect(ran.code, ran.output).toBe(0)
    const seconds = (performance.now() - started) / 1_000
    console.log(`anthropic: from npm init to the first remembered turn in ${seconds.toFixed(1)} s`)
    expect(ran.stdout).toContain('Tea at five.')
    project.write(
      'look.js',
      `import { openMemory } from 'daybook'
       await using memory = await openMemory('agent.db')
       const file = await memory.scope('acme/ada').records('memories').get('day.md')
       console.log(new TextDecoder().decode(file.data))`,
    )
    expect((await project.run(process.execPath, ['look.js'])).stdout).toBe('tea at five\n')
  })

  it("[hosts-50] returns what the SDK's own memory tool returns", () => compareOnStores(project, 'anthropic', 40))

  it('[hosts-63] works through `daybook proxy`, as the SDK of OpenAI does', async () => {
    project.write('proxied.mjs', readFileSync(join(import.meta.dirname, 'programs/proxied.mjs'), 'utf8'))
    const { code, output } = await project.run(process.execPath, ['proxied.mjs'])
    expect(code, output).toBe(0)
  })

  it('[hosts-58] has an example that runs', async () => {
    project.write('api.js', api)
    const prints = /Tea at five\.\n\/memories\/day\.md: 11 bytes/
    await runExample(project, 'anthropic', { runs: [['Note it down.']], prints, preload: './api.js' })
  })

  it('[hosts-57] loses nothing and stores nothing twice when its process is killed', () =>
    killAndResume(project, 'anthropic'))

  it('[hosts-59] does what docs/hosts.md says with bad input', () => badInput(project, 'anthropic'))
})
