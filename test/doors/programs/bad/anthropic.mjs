import { deepStrictEqual } from 'node:assert/strict'
import { memoryFiles } from 'daybook/anthropic'

const path = '/memories/a.md'

export function open(memory, name) {
  const scope = memory.scope(name)
  const files = memoryFiles(scope)
  return {
    async large() {
      const text = 'x'.repeat(20_000_000)
      await files.create({ path, file_text: text })
      deepStrictEqual((await files.view({ path })).endsWith(text), true)
      return 'stored'
    },
    scope: async () => memoryFiles(name),
    async runs() {
      await files.create({ path, file_text: 'one two' })
      const both = [memoryFiles(scope), memoryFiles(scope)]
      await Promise.all(
        ['one', 'two'].map((old_str, run) => both[run].str_replace({ path, old_str, new_str: old_str.toUpperCase() })),
      )
      deepStrictEqual((await files.view({ path })).endsWith('ONE TWO'), true)
      return 'both stored'
    },
    async stale() {
      await files.create({ path, file_text: 'one' })
      const records = scope.records('memories')
      const { version } = await records.get('a.md')
      await files.str_replace({ path, old_str: 'one', new_str: 'two' })
      return records
        .put('a.md', new TextEncoder().encode('three'), { expect: version })
        .finally(async () => deepStrictEqual((await files.view({ path })).endsWith('two'), true))
    },
    async again() {
      await files.create({ path, file_text: 'one' })
      return files.create({ path, file_text: 'one' })
    },
    read: async () => (await scope.records('memories').list()).map(({ key }) => key),
  }
}
