import type { Command } from 'commander'
import { type CommonOptions, command, parseCount, inSession } from '../command.ts'
import type { Shell } from '../shell.ts'

export function undoCommand(shell: Shell): Command {
  return command('undo', 'Take back the last compaction of a conversation, or a named one and all after it', {
    group: 'Conversations',
    of: 'session',
    examples: [
      'daybook undo --scope acme/ada --session support-42',
      'daybook undo --scope acme/ada --session support-42 17',
    ],
  })
    .argument('[compaction]', 'its number, as compact said', parseCount)
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
