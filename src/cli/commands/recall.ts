import type { Command } from 'commander'
import { recallOperations } from '../../surface/recall.ts'
import { type CommonOptions, command, inScope } from '../command.ts'
import { embedCommand } from '../embed-command.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import { valueOrStdin } from '../read-input.ts'
import { renderRecalled } from '../render/recall.ts'
import { recallAll } from '../recall-all.ts'
import type { Shell } from '../shell.ts'

export function recallCommand(shell: Shell): Command {
  const fields = optionFields(recallOperations.ask)
  const made = command('recall', recallOperations.ask.help, {
    group: 'Core',
    reads: true,
    of: 'scope',
    embeds: true,
    lists: true,
    examples: [
      'daybook recall --scope acme/ada "what is wrong with my order?"',
      'daybook recall --scope acme/ada "where does Ada work?" --kinds fact --explain',
    ],
  }).argument('<question>', 'the question, in any words; - reads it from standard input')
  return withOptions(made, fields).action(async (question: string, options: CommonOptions) => {
    const query = await valueOrStdin(shell, question)
    await inScope(shell, options, async (scope) => {
      const found = await recallAll(shell, () => scope.recall(query, givenOf(fields, options)))
      return {
        value: { scope: scope.name, query, ...found },
        rows: found.items,
        text: (look) => renderRecalled(found, look, embedCommand(shell, options)),
      }
    })
  })
}
