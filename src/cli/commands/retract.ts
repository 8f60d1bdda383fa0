import type { Command } from 'commander'
import { type CommonOptions, command, inScope } from '../command.ts'
import { renderFact } from '../render/fact.ts'
import type { Shell } from '../shell.ts'

export function retractCommand(shell: Shell): Command {
  return command('retract', 'Take a fact back; it stays readable', {
    group: 'Knowledge',
    of: 'scope',
    examples: ['daybook retract --scope acme/ada fact-id "she moved"'],
  })
    .argument('<fact>', 'its id, as facts prints it')
    .argument('[reason]', 'why')
    .action(async (id: string, reason: string | undefined, options: CommonOptions) =>
      inScope(shell, options, async (scope) => {
        const fact = await scope.retract(id, reason)
        return { value: fact, text: (look) => renderFact(fact, look) }
      }),
    )
}
