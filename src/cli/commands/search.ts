import type { Command } from 'commander'
import { messageOperations } from '../../surface/messages.ts'
import { type CommonOptions, command, inSession } from '../command.ts'
import { CommandError } from '../exit-status.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import { valueOrStdin } from '../read-input.ts'
import { sessionWords } from '../session-words.ts'
import { renderEntries } from '../render/session.ts'
import type { Shell } from '../shell.ts'

type Options = CommonOptions & { readonly full?: boolean }

export function searchCommand(shell: Shell): Command {
  const fields = optionFields(messageOperations.search)
  const made = command('search', 'Find messages of a conversation that contain a text, folded ones too', {
    group: 'Conversations',
    reads: true,
    of: 'session',
    lists: true,
    examples: ['daybook search --scope acme/ada support-42 7731'],
  })
    .usage('[options] [session] <text>')
    .argument('[session]', 'the same as --session')
    .argument('[text]', 'the text, in any case; - reads it from standard input')
  return withOptions(made, fields)
    .option('--full', 'shorten nothing')
    .action(async (first: string | undefined, second: string | undefined, { full = false, ...given }: Options) => {
      const { options, word } = sessionWords([first, second], given, 'a text')
      if (word === undefined)
        throw new CommandError(
          'usage',
          'Cannot search: no text given. Pass it after the session, for example daybook search support-42 "refund"',
        )
      const wanted = await valueOrStdin(shell, word)
      await inSession(shell, options, async (session) => {
        const found = await session.search(wanted, givenOf(fields, options))
        return {
          value: { session: session.id, messages: found },
          rows: found,
          text: (look) => (found.length === 0 ? 'Nothing was found.' : renderEntries(found, { ...look, full })),
        }
      })
    })
}
