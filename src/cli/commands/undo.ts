import type { Command } from 'commander'
import { contextOperations } from '../../surface/contexts.ts'
import { type CommonOptions, command, inSession } from '../command.ts'
import { CommandError } from '../exit-status.ts'
import { sessionWords } from '../session-words.ts'
import type { Shell } from '../shell.ts'

export function undoCommand(shell: Shell): Command {
  return command('undo', contextOperations.undo.help, {
    group: 'Conversations',
    of: 'session',
    examples: ['daybook undo --scope acme/ada support-42', 'daybook undo --scope acme/ada support-42 17'],
  })
    .argument('[session]', 'the same as --session')
    .argument('[compaction]', 'its number, which `compact` prints (default: the last one)')
    .action(async (first: string | undefined, second: string | undefined, given: CommonOptions) => {
      const { options, word } = sessionWords([first, second], given)
      const compaction = word === undefined ? undefined : compactionFrom(word)
      await inSession(shell, options, async (session) => {
        const undone = await session.undo(compaction)
        return {
          value: { session: session.id, undone },
          text: () => `Undid ${undone.length === 1 ? 'compaction' : 'compactions'} ${undone.join(', ')}`,
        }
      })
    })
}

function compactionFrom(word: string): number {
  if (/^\d{1,15}$/.test(word) && Number(word) > 0) return Number(word)
  throw new CommandError(
    'usage',
    `Cannot undo: the compaction is ${JSON.stringify(word)}, expected its number, which "daybook compact" prints`,
  )
}
