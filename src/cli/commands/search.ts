import type { Command } from 'commander'
import { type CommonOptions, command, parseCount, inSession } from '../command.ts'
import { valueOrStdin } from '../read-input.ts'
import { renderEntries } from '../render/session.ts'
import type { Shell } from '../shell.ts'

type Options = CommonOptions & { readonly limit?: number; readonly full?: boolean }

export function searchCommand(shell: Shell): Command {
  return command('search', 'Find messages of a conversation that have a text in them, folded ones too', {
    group: 'Conversations',
    of: 'session',
    lists: true,
    examples: ['daybook search --scope acme/ada --session support-42 7731'],
  })
    .argument('<text>', 'as it is written, whatever its case; - reads it from the pipe')
    .option('--limit <n>', 'the newest so many', parseCount)
    .option('--full', 'shorten nothing')
    .action(async (text: string, { limit, full = false, ...common }: Options) => {
      const wanted = await valueOrStdin(shell, text)
      await inSession(shell, common, async (session) => {
        const found = await session.search(wanted, limit === undefined ? {} : { limit })
        return {
          value: { session: session.id, messages: found },
          rows: found,
          text: (look) => (found.length === 0 ? 'Nothing was found.' : renderEntries(found, { ...look, full })),
        }
      })
    })
}
