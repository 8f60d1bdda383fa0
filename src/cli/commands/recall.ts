import type { Command } from 'commander'
import type { RecallOptions } from '../../recall/recall.ts'
import { type CommonOptions, command, parseCount, inScope, parseList } from '../command.ts'
import { valueOrStdin } from '../read-input.ts'
import { renderRecalled } from '../render/recall.ts'
import type { Shell } from '../shell.ts'

type Kind = NonNullable<RecallOptions['kinds']>[number]

type Options = CommonOptions & {
  readonly limit?: number
  readonly budget?: number
  readonly kind?: readonly Kind[]
  readonly since?: string
  readonly until?: string
  readonly asOf?: string
  readonly at?: string
  readonly ancestors?: boolean
  readonly neighbours?: boolean
  readonly explain?: boolean
}

export function recallCommand(shell: Shell): Command {
  return command('recall', 'Find what was said or learned that answers a question, with reasons', {
    group: 'Knowledge',
    of: 'scope',
    lists: true,
    examples: [
      'daybook recall --scope acme/ada "what is wrong with my order?"',
      'daybook recall --scope acme/ada "where does Ada work?" --kind facts --explain',
    ],
  })
    .argument('<question>', 'any words; - reads it from the pipe')
    .option('--limit <n>', 'how many items', parseCount)
    .option('--budget <tokens>', 'how much text in all', parseCount)
    .option('--kind <kinds>', 'of messages, folds and facts, with commas (default: all)', parseList)
    .option('--since <time>', 'only what was said from then on')
    .option('--until <time>', 'only what was said before')
    .option('--as-of <time>', 'as it was known then')
    .option('--at <time>', 'facts that were true then')
    .option('--ancestors', 'also what was said in the scopes above')
    .option('--neighbours', 'with what was said just before and after')
    .option('--explain', 'also what was considered and left out, and why')
    .action(
      async (
        question: string,
        { limit, budget, kind, since, until, asOf, at, ancestors, neighbours, explain, ...common }: Options,
      ) => {
        const query = await valueOrStdin(shell, question)
        await inScope(shell, common, async (scope) => {
          const found = await scope.recall(query, {
            ...(limit === undefined ? {} : { limit }),
            ...(budget === undefined ? {} : { budget }),
            ...(kind === undefined ? {} : { kinds: kind }),
            ...(since === undefined ? {} : { since }),
            ...(until === undefined ? {} : { until }),
            ...(asOf === undefined ? {} : { asOf }),
            ...(at === undefined ? {} : { at }),
            ...(ancestors === undefined ? {} : { ancestors }),
            ...(neighbours === undefined ? {} : { neighbours }),
            ...(explain === undefined ? {} : { explain }),
          })
          return {
            value: { scope: scope.name, query, ...found },
            rows: found.items,
            text: (look) => renderRecalled(found, look),
          }
        })
      },
    )
}
