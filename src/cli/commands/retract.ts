import type { Command } from 'commander'
import { type CommonOptions, command, inScope } from '../command.ts'
import { factOperations } from '../../surface/facts.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import { renderFact } from '../render/fact.ts'
import type { Shell } from '../shell.ts'

export function retractCommand(shell: Shell): Command {
  const { retract } = factOperations
  const made = command('retract', retract.help, {
    group: 'Knowledge',
    of: 'scope',
    examples: ['daybook retract --scope acme/ada fact-id "she moved"'],
  })
  return withOptions(made, optionFields(retract))
    .argument('<fact>', 'its id, as facts prints it')
    .argument('[reason]', 'why')
    .action(async (id: string, reason: string | undefined, options: CommonOptions) =>
      inScope(shell, options, async (scope) => {
        const fact = await scope.retract(id, reason, givenOf(optionFields(retract), options))
        return { value: fact, text: (look) => renderFact(fact, look) }
      }),
    )
}
