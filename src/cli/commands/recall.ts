import type { Command } from 'commander'
import { recallOperations } from '../../surface/recall.ts'
import { type CommonOptions, command, inScope } from '../command.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import { valueOrStdin } from '../read-input.ts'
import { renderRecalled } from '../render/recall.ts'
import { withProgress } from '../progress.ts'
import type { Recalled } from '../../api/recall.ts'
import type { Shell } from '../shell.ts'

/** Long enough that the index gets ahead, short enough that nobody notices. */
const ASK_AGAIN_MS = 20

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
        text: (look) => renderRecalled(found, look),
      }
    })
  })
}

/** Asks until everything is in the index, with a line that shows how much of it is. Stops where indexing fails. */
async function recallAll(shell: Shell, ask: () => Promise<Recalled>): Promise<Recalled> {
  const first = await ask()
  if (first.behind === undefined || first.behind.failure !== undefined) return first
  const all = Math.max(1, first.behind.messages)
  return withProgress(shell, `Indexing ${all} messages`, async (say) => {
    for (let found = first; ; found = await ask()) {
      if (found.behind === undefined || found.behind.failure !== undefined) return found
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
      say(`Indexing ${all} messages`, { done: all - found.behind.messages, total: all })
    }
  })
}
