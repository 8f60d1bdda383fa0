import type { Command } from 'commander'
import { type CommonOptions, command, parseCount, inSession, parsePosition } from '../command.ts'
import type { Shell } from '../shell.ts'
import { terminalText } from '../visible.ts'

type Options = CommonOptions & { readonly offset?: number; readonly limit?: number }

export function reopenCommand(shell: Shell): Command {
  return command('reopen', 'Read the original messages behind a fold', {
    group: 'Conversations',
    of: 'session',
    examples: ['daybook reopen --scope acme/ada --session support-42 fold-id'],
  })
    .argument('<fold>', 'its id, as show and compact print it')
    .option('--offset <n>', 'characters to pass over', parsePosition)
    .option('--limit <n>', 'characters at most', parseCount)
    .action(async (fold: string, { offset, limit, ...common }: Options) =>
      inSession(shell, common, async (session) => {
        const page = await session.reopen(fold, {
          ...(offset === undefined ? {} : { offset }),
          ...(limit === undefined ? {} : { limit }),
        })
        const more = page.next === null ? '' : `\n… goes on at --offset ${page.next} of ${page.total}`
        return { value: page, text: (look) => `${terminalText(page.text)}${look.paint('dim', more)}` }
      }),
    )
}
