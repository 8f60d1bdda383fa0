import type { Command } from 'commander'
import { factOperations } from '../../surface/facts.ts'
import { type CommonOptions, command, inScope } from '../command.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import { renderFact } from '../render/fact.ts'
import type { Shell } from '../shell.ts'

export function factsCommand(shell: Shell): Command {
  const fields = optionFields(factOperations.list)
  const made = command('facts', factOperations.list.help, {
    group: 'Core',
    reads: true,
    of: 'scope',
    lists: true,
    examples: [
      'daybook facts --scope acme/ada --subject Ada',
      'daybook facts --scope acme/ada --include-closed --as-of 2026-05-01',
      'daybook facts --scope acme/ada --state quarantined --json',
    ],
  })
  return withOptions(made, fields).action(async (options: CommonOptions) =>
    inScope(shell, options, async (scope) => {
      const facts = await scope.facts(givenOf(fields, options))
      return {
        value: { scope: scope.name, facts },
        rows: facts,
        text: (look) => (facts.length === 0 ? 'No facts.' : facts.map((fact) => renderFact(fact, look)).join('\n')),
      }
    }),
  )
}
