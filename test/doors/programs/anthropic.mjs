// Compares both tools on random commands. Sizes of directories are those of the disk, and paths in errors of Node are absolute.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import assert from 'node:assert/strict'
import { BetaLocalFilesystemMemoryTool } from '@anthropic-ai/sdk/tools/memory/node'
import { memoryFiles } from 'daybook/anthropic'
import fc from 'fast-check'
import { close, memory, runs } from './opened.mjs'

const name = fc.constantFrom('a', 'b.md', 'c d', '.hidden', 'node_modules', 'ü')
const path = fc.oneof(
  { weight: 8, arbitrary: fc.array(name, { maxLength: 3 }).map((names) => ['/memories', ...names].join('/')) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '/memories/',
      '/memories/a/',
      '/memories/../x',
      '/memories/a/../b.md',
      '/etc/passwd',
      '/memories/./a',
      '/memories//a',
      '/memoriesa',
    ),
  },
)
const text = fc.oneof(fc.constantFrom('', 'one', 'one\ntwo', 'x\ny\nx\n', 'naïve 😀\n\nend'), fc.string())
const line = fc.integer({ min: -2, max: 6 })
const command = fc.oneof(
  fc.record({ command: fc.constant('view'), path }),
  fc.record({ command: fc.constant('view'), path, view_range: fc.tuple(line, line) }),
  { weight: 3, arbitrary: fc.record({ command: fc.constant('create'), path, file_text: text }) },
  fc.record({
    command: fc.constant('str_replace'),
    path,
    old_str: fc.constantFrom('one', 'x', '', 'two', '$&'),
    new_str: fc.constantFrom('$& new', '', 'a\nb'),
  }),
  fc.record({
    command: fc.constant('insert'),
    path,
    insert_line: line,
    insert_text: fc.constantFrom('in', 'in\n', 'in\n\n'),
  }),
  fc.record({ command: fc.constant('delete'), path }),
  fc.record({ command: fc.constant('rename'), old_path: path, new_path: path }),
)
const outcome = async (tool, given, base) => {
  try {
    return (await tool[given.command](given))
      .replaceAll(/^[\d.]+[BKM]\t(.*\/)$/gm, '-\t$1')
      .replace(/^[\d.]+[BKM]\t(?=\/memories)/m, '-\t')
  } catch (error) {
    return `Error: ${error.message.replaceAll(base, '')}`
  }
}
/** Found before: of two wrong paths, the first is reported. */
const examples = [
  [
    [
      { command: 'create', path: '/memories/a', file_text: '' },
      { command: 'rename', old_path: '/memories/a/b', new_path: '/etc/passwd' },
    ],
  ],
]
let [calls, run] = [0, 0]
await fc.assert(
  fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 40, size: 'max' }), async (commands) => {
    const base = mkdtempSync(join(tmpdir(), 'memory-'))
    try {
      const theirs = await BetaLocalFilesystemMemoryTool.init(base)
      const ours = memoryFiles(memory.scope('a'), { collection: `run-${(run += 1)}` })
      for (const given of commands) {
        assert.equal(await outcome(ours, given, base), await outcome(theirs, given, base), JSON.stringify(given))
        calls += 1
      }
    } finally {
      rmSync(base, { recursive: true })
    }
  }),
  { numRuns: runs, examples },
)
console.log(`${calls} commands`)
await close()
