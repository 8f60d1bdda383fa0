import type { Command } from 'commander'
import type { ScopesPage } from '../../api/scopes.ts'
import { memoryOperations } from '../../surface/memory.ts'
import { type CommonOptions, command, inMemory } from '../command.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import { number, time } from '../render/layout.ts'
import type { Look } from '../look.ts'
import { table } from '../render/table.ts'
import type { Shell } from '../shell.ts'
import { terminalLine } from '../visible.ts'

const fields = optionFields(memoryOperations.scopes)

export function scopesCommand(shell: Shell): Command {
  const made = command('scopes', 'List the scopes of a memory, with the number of sessions, messages and facts', {
    group: 'The memory',
    reads: true,
    lists: true,
    examples: ['daybook scopes', 'daybook scopes --under acme --json'],
  })
  return withOptions(made, fields).action(async (options: CommonOptions) =>
    inMemory(shell, options, async (memory) => {
      const page = await memory.scopes(givenOf(fields, options))
      return { value: page, rows: page.scopes, text: (look) => renderScopes(page, look) }
    }),
  )
}

function renderScopes({ scopes, next }: ScopesPage, { width }: Look): string {
  if (scopes.length === 0) return 'No scopes: nothing was stored yet.'
  const rows = scopes.map(({ scope, sessions, messages, facts, updatedAt }) => [
    terminalLine(scope),
    number(sessions),
    number(messages),
    number(facts),
    time(updatedAt),
  ])
  const lines = table(['scope', 'conversations', 'messages', 'facts', 'changed'], rows, { right: [1, 2, 3], width })
  return [...lines, ...(next === null ? [] : [`There are more: --after ${terminalLine(next)}`])].join('\n')
}
