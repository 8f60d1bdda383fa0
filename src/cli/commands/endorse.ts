import type { Command } from 'commander'
import { type CommonOptions, command, inScope } from '../command.ts'
import { factOperations } from '../../surface/facts.ts'
import { CommandError } from '../exit-status.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import { renderFact } from '../render/fact.ts'
import type { Shell } from '../shell.ts'

interface EndorseCommandOptions extends CommonOptions {
  readonly session?: string
}

export function endorseCommand(shell: Shell): Command {
  const { endorse } = factOperations
  const made = command('endorse', 'Take facts out of quarantine: one, or all that were learned in a session', {
    group: 'Knowledge',
    of: 'scope',
    examples: ['daybook endorse --scope acme/ada fact-id', 'daybook endorse --scope acme/ada --session imported-chat'],
  })
  return withOptions(made, optionFields(endorse))
    .argument('[fact]', 'its id, as "facts --state quarantined" prints it')
    .option('--session <id>', 'all facts learned from the messages of this session')
    .action(async (id: string | undefined, options: EndorseCommandOptions) =>
      inScope(shell, options, async (scope) => {
        const { session } = options
        if ((id === undefined) === (session === undefined))
          throw new CommandError('usage', 'Cannot endorse that: expected the id of a fact, or --session')
        const given = givenOf(optionFields(endorse), options)
        const facts =
          id === undefined
            ? await scope.endorseAll({ session: session ?? '' }, given)
            : [await scope.endorse(id, given)]
        const none = 'Nothing of that session is in quarantine.'
        return {
          value: { facts },
          text: (look) => (facts.length === 0 ? none : facts.map((fact) => renderFact(fact, look)).join('\n')),
        }
      }),
    )
}
