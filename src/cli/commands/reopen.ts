import type { Command } from 'commander'
import { contextOperations } from '../../surface/contexts.ts'
import { type CommonOptions, command, inSession } from '../command.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import type { Shell } from '../shell.ts'
import { terminalText } from '../visible.ts'

export function reopenCommand(shell: Shell): Command {
  const fields = optionFields(contextOperations.reopen)
  const made = command('reopen', 'Read the original messages behind a fold', {
    group: 'Conversations',
    reads: true,
    of: 'session',
    examples: ['daybook reopen --scope acme/ada --session support-42 fold-id'],
  }).argument('<fold>', 'its id, as show and compact print it')
  return withOptions(made, fields).action(async (fold: string, options: CommonOptions) =>
    inSession(shell, options, async (session) => {
      const page = await session.reopen(fold, givenOf(fields, options))
      const more = page.next === null ? '' : `\n… goes on at --offset ${page.next} of ${page.total}`
      return { value: page, text: (look) => `${terminalText(page.text)}${look.paint('dim', more)}` }
    }),
  )
}
