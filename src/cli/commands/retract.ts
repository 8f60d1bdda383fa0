import type { Command } from 'commander'
import { type CommonOptions, command, inScope } from '../command.ts'
import { factOperations } from '../../surface/facts.ts'
import { CommandError } from '../exit-status.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import { renderFact } from '../render/fact.ts'
import type { Shell } from '../shell.ts'

interface RetractCommandOptions extends CommonOptions {
  readonly undo?: boolean
  readonly channel?: string
}

export function retractCommand(shell: Shell): Command {
  const { retract, restore } = factOperations
  const made = command('retract', retract.help, {
    group: 'Knowledge',
    of: 'scope',
    examples: [
      'daybook retract --scope acme/ada fact-id "she moved"',
      'daybook retract --scope acme/ada --undo fact-id',
    ],
  })
  return withOptions(made, optionFields(retract))
    .argument('<fact>', 'its id, which `facts` prints')
    .argument('[reason]', 'why')
    .option('--undo', 'restore a fact that was retracted')
    .action(async (id: string, reason: string | undefined, options: RetractCommandOptions) =>
      inScope(shell, options, async (scope) => {
        const { undo = false, channel } = options
        if (undo && (reason ?? channel) !== undefined)
          throw new CommandError(
            'usage',
            'Cannot restore that: --undo takes the id of a fact, no reason and no --channel',
          )
        const fact = undo
          ? await scope.restore(id, givenOf(optionFields(restore), options))
          : await scope.retract(id, reason, givenOf(optionFields(retract), options))
        return { value: fact, text: (look) => renderFact(fact, look) }
      }),
    )
}
