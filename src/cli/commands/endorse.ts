import type { Command } from 'commander'
import { type CommonOptions, command, inScope } from '../command.ts'
import { factOperations } from '../../surface/facts.ts'
import { CommandError } from '../exit-status.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import { renderFact } from '../render/fact.ts'
import type { Shell } from '../shell.ts'

interface EndorseCommandOptions extends CommonOptions {
  readonly session?: string
  readonly imported?: boolean
}

export function endorseCommand(shell: Shell): Command {
  const { endorse } = factOperations
  const made = command('endorse', 'Take facts out of quarantine: one, or all of a session or an import', {
    group: 'Knowledge',
    of: 'scope',
    examples: [
      'daybook endorse --scope acme/ada fact-id',
      'daybook endorse --scope acme/ada --session imported-chat',
      'daybook endorse --scope acme/ada --imported',
    ],
  })
  return withOptions(made, optionFields(endorse))
    .argument('[fact]', 'its id, which `facts --state quarantined` prints')
    .option('--session <id>', 'all facts learned from the messages of this session')
    .option('--imported', 'all imported facts, and all that were learned from imported conversations')
    .action(async (id: string | undefined, options: EndorseCommandOptions) =>
      inScope(shell, options, async (scope) => {
        const { session, imported } = options
        if ([id, session, imported].filter((one) => one !== undefined).length !== 1)
          throw new CommandError('usage', 'Nothing to endorse: pass the id of a fact, --session or --imported')
        const given = givenOf(optionFields(endorse), options)
        const facts =
          id === undefined
            ? await scope.endorseAll(session === undefined ? { channel: 'import' } : { session }, given)
            : [await scope.endorse(id, given)]
        const none = 'None of these facts is in quarantine.'
        return {
          value: { facts },
          text: (look) => (facts.length === 0 ? none : facts.map((fact) => renderFact(fact, look)).join('\n')),
        }
      }),
    )
}
