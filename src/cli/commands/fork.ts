import type { Command } from 'commander'
import { sessionOperations } from '../../surface/sessions.ts'
import { type CommonOptions, command, inSession } from '../command.ts'
import { CommandError } from '../exit-status.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import { counted } from '../render/layout.ts'
import { sessionWords } from '../session-words.ts'
import type { Shell } from '../shell.ts'
import { terminalLine } from '../visible.ts'

export function forkCommand(shell: Shell): Command {
  const { fork } = sessionOperations
  const fields = optionFields(fork)
  const made = command('fork', fork.help, {
    group: 'Conversations',
    of: 'session',
    examples: [
      'daybook fork --scope acme/ada support-42 what-if',
      'daybook fork --scope acme/ada support-42 what-if --at 12',
    ],
  })
    .usage('[options] [session] <new>')
    .argument('[session]', 'the same as --session')
    .argument('[new]', 'the id of the new conversation')
  return withOptions(made, fields).action(
    async (first: string | undefined, second: string | undefined, given: CommonOptions) => {
      const { options, word: newId } = sessionWords([first, second], given, 'the id of the new conversation')
      if (newId === undefined) throw new CommandError('usage', 'Cannot fork: no id given for the new conversation')
      await inSession(shell, options, async (session, scope) => {
        const forked = await session.fork(newId, givenOf(fields, options))
        const { messages } = await forked.stats()
        return {
          value: { scope: scope.name, session: newId, forkOf: session.id, messages },
          text: () => `${terminalLine(newId)} shares ${counted(messages, 'message')} of ${terminalLine(session.id)}`,
        }
      })
    },
  )
}
