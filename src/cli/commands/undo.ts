import type { Command } from 'commander'
import { contextOperations } from '../../surface/contexts.ts'
import { type CommonOptions, command, parseCount, inSession } from '../command.ts'
import type { Shell } from '../shell.ts'

export function undoCommand(shell: Shell): Command {
  return command('undo', contextOperations.undo.help, {
    group: 'Conversations',
    of: 'session',
    examples: [
      'daybook undo --scope acme/ada --session support-42',
      'daybook undo --scope acme/ada --session support-42 17',
    ],
  })
    .argument('[compaction]', 'its number, as compact prints it (default: the last one)', parseCount)
    .action(async (compaction: number | undefined, options: CommonOptions) =>
      inSession(shell, options, async (session) => {
        const undone = await session.undo(compaction)
        return {
          value: { session: session.id, undone },
          text: () => `Took back ${undone.length === 1 ? 'compaction' : 'compactions'} ${undone.join(', ')}`,
        }
      }),
    )
}
