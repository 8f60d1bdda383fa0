import type { Command } from 'commander'
import { messageOperations } from '../../surface/messages.ts'
import { type CommonOptions, command, inSession } from '../command.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import { valueOrStdin } from '../read-input.ts'
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
    examples: ['daybook search --scope acme/ada --session support-42 7731'],
  }).argument('<text>', 'the text, in any case; - reads it from standard input')
  return withOptions(made, fields)
    .option('--full', 'shorten nothing')
    .action(async (text: string, { full = false, ...options }: Options) => {
      const wanted = await valueOrStdin(shell, text)
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
