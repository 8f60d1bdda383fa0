import type { Command } from 'commander'
import { contextOperations } from '../../surface/contexts.ts'
import { type CommonOptions, command, inSession } from '../command.ts'
import { CommandError } from '../exit-status.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import { sessionWords } from '../session-words.ts'
import type { Shell } from '../shell.ts'
import { terminalText } from '../visible.ts'

export function reopenCommand(shell: Shell): Command {
  const fields = optionFields(contextOperations.reopen)
  const made = command('reopen', 'Read the original messages behind a fold', {
    group: 'Conversations',
    reads: true,
    of: 'session',
    examples: ['daybook reopen --scope acme/ada support-42 fold-id'],
  })
    .usage('[options] [session] <fold>')
    .argument('[session]', 'the same as --session')
    .argument('[fold]', 'its id, which `show` and `compact` print')
  return withOptions(made, fields).action(
    async (first: string | undefined, second: string | undefined, given: CommonOptions) => {
      const { options, word: fold } = sessionWords([first, second], given, 'the id of a fold')
      if (fold === undefined)
        throw new CommandError('usage', 'Cannot reopen: no fold given. "daybook show" prints their ids')
      await inSession(shell, options, async (session) => {
        const page = await session.reopen(fold, givenOf(fields, options))
        const more = page.next === null ? '' : `\n… more with --offset ${page.next} (of ${page.total} characters)`
        return { value: page, text: (look) => `${terminalText(page.text)}${look.paint('dim', more)}` }
      })
    },
  )
}
