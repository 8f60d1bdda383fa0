import type { Command } from 'commander'
import type { SessionsPage } from '../../log/sessions.ts'
import { type CommonOptions, command, parseCount, inScope } from '../command.ts'
import { number, shortened, table, time } from '../render/layout.ts'
import type { Shell } from '../shell.ts'
import { terminalLine } from '../visible.ts'

type Options = CommonOptions & { readonly text?: string; readonly limit?: number; readonly after?: string }

export function sessionsCommand(shell: Shell): Command {
  return command('sessions', 'List the conversations of a scope, newest first', {
    group: 'Conversations',
    of: 'scope',
    lists: true,
    examples: ['daybook sessions --scope acme/ada', 'daybook sessions --scope acme/ada --text support --json'],
  })
    .option('--text <text>', 'only those with this in their id or description')
    .option('--limit <n>', 'how many', parseCount)
    .option('--after <cursor>', 'the "next" of the page before')
    .action(async ({ text, limit, after, ...common }: Options) =>
      inScope(shell, common, async (scope) => {
        const page = await scope.sessions({
          ...(text === undefined ? {} : { text }),
          ...(limit === undefined ? {} : { limit }),
          ...(after === undefined ? {} : { after }),
        })
        return { value: page, rows: page.sessions, text: () => renderPage(page) }
      }),
    )
}

function renderPage({ sessions, next }: SessionsPage): string {
  if (sessions.length === 0) return 'No conversations.'
  const rows = sessions.map(({ id, messages, updatedAt, description, forkOf }) => [
    terminalLine(id),
    number(messages),
    time(updatedAt),
    forkOf === null
      ? shortened(terminalLine(description ?? ''), 50)
      : `fork of ${terminalLine(forkOf.id)} at [${forkOf.at}]`,
  ])
  const lines = table(['session', 'messages', 'changed', ''], rows, [1])
  return [...lines, ...(next === null ? [] : [`There are more: --after ${next}`])].join('\n')
}
