import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../../scripts/run.ts'
import { codeBlocks } from '../repository/code-blocks.ts'
import { times } from '../tier.ts'
import { type Project, makeProject } from './project.ts'

/** Compares both tools on random commands. Sizes of directories are those of the disk, and paths in errors of Node are absolute. */
const compare = `
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import assert from 'node:assert/strict'
import { BetaLocalFilesystemMemoryTool } from '@anthropic-ai/sdk/tools/memory/node'
import { openMemory } from 'daybook'
import { memoryFiles } from 'daybook/anthropic'
import fc from 'fast-check'

const memory = await openMemory(':memory:')
const name = fc.constantFrom('a', 'b.md', 'c d', '.hidden', 'node_modules', 'ü')
const path = fc.oneof(
  { weight: 8, arbitrary: fc.array(name, { maxLength: 3 }).map((names) => ['/memories', ...names].join('/')) },
  { weight: 1, arbitrary: fc.constantFrom('/memories/', '/memories/a/', '/memories/../x', '/memories/a/../b.md', '/etc/passwd', '/memories/./a', '/memories//a', '/memoriesa') },
)
const text = fc.oneof(fc.constantFrom('', 'one', 'one\\ntwo', 'x\\ny\\nx\\n', 'naïve 😀\\n\\nend'), fc.string())
const line = fc.integer({ min: -2, max: 6 })
const command = fc.oneof(
  fc.record({ command: fc.constant('view'), path }),
  fc.record({ command: fc.constant('view'), path, view_range: fc.tuple(line, line) }),
  { weight: 3, arbitrary: fc.record({ command: fc.constant('create'), path, file_text: text }) },
  fc.record({ command: fc.constant('str_replace'), path, old_str: fc.constantFrom('one', 'x', '', 'two', '$&'), new_str: fc.constantFrom('$& new', '', 'a\\nb') }),
  fc.record({ command: fc.constant('insert'), path, insert_line: line, insert_text: fc.constantFrom('in', 'in\\n', 'in\\n\\n') }),
  fc.record({ command: fc.constant('delete'), path }),
  fc.record({ command: fc.constant('rename'), old_path: path, new_path: path }),
)
const outcome = async (tool, given, base) => {
  try {
    return (await tool[given.command](given)).replaceAll(/^[\\d.]+[BKM]\\t(.*\\/)$/gm, '-\\t$1').replace(/^[\\d.]+[BKM]\\t(?=\\/memories)/m, '-\\t')
  } catch (error) {
    return 'Error: ' + error.message.replaceAll(base, '')
  }
}
let [calls, run] = [0, 0]
await fc.assert(fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 40, size: 'max' }), async (commands) => {
  const base = mkdtempSync(join(tmpdir(), 'memory-'))
  try {
    const theirs = await BetaLocalFilesystemMemoryTool.init(base)
    const ours = memoryFiles(memory.scope('a'), { collection: 'run-' + (run += 1) })
    for (const given of commands) {
      assert.equal(await outcome(ours, given, base), await outcome(theirs, given, base), JSON.stringify(given))
      calls += 1
    }
  } finally {
    rmSync(base, { recursive: true })
  }
}), { numRuns: Number(process.argv[2]) })
await memory.close()
console.log(calls + ' commands')
`

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
  beforeAll(async () => {
    project = await makeProject(['@anthropic-ai/sdk@1.8.0', 'fast-check@4', 'typescript@7', '@types/node@24'])
  })

  it("[hosts-50] returns what the SDK's own memory tool returns", async () => {
    project.write('compare.js', compare)
    const runs = String(times({ daily: 60, nightly: 1_000 }))
    const { code, output, stdout } = await project.run(process.execPath, ['compare.js', runs])
    expect(code, output).toBe(0)
    console.log(`compared with the memory tool of Anthropic's SDK: ${stdout.trim()}`)
  })

  it('[hosts-50] works as docs/hosts.md shows it, and compiles without a cast', async () => {
    const guide = readFileSync(join(ROOT, 'docs/hosts.md'), 'utf8')
    const program = codeBlocks(guide).find(({ text }) => text.includes("from 'daybook/anthropic'"))?.text ?? ''
    project.write('guide.ts', program)
    const compilerOptions = { noEmit: true, strict: true, target: 'esnext', module: 'nodenext', types: ['node'] }
    project.write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions: { ...compilerOptions, skipLibCheck: true }, files: ['guide.ts'] }),
    )
    expect((await project.run(project.bin('tsc'), ['-p', '.'])).output).toBe('')
    project.write('api.js', api)
    const ran = await project.run(process.execPath, ['--import', './api.js', 'guide.ts'])
    expect(ran.code, ran.output).toBe(0)
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
})
