import type { Command } from 'commander'
import { type CommonOptions, command, inScope } from '../command.ts'
import { confirmed } from '../confirm.ts'
import { CommandError } from '../exit-status.ts'
import { counted } from '../render/layout.ts'
import type { Shell } from '../shell.ts'

type Options = CommonOptions & { readonly fact?: string; readonly subject?: string; readonly yes?: boolean }

export function forgetCommand(shell: Shell): Command {
  return command('forget', 'Destroy a fact, or everything known about a subject, for ever', {
    group: 'Knowledge',
    of: 'scope',
    examples: ['daybook forget --scope acme/ada --subject Ada', 'daybook forget --scope acme/ada --fact fact-id --yes'],
  })
    .option('--fact <id>', 'one fact, by its id')
    .option('--subject <name>', 'somebody or something, with every fact about it')
    .option('--yes', 'do not ask')
    .action(async ({ fact, subject, yes = false, ...common }: Options) => {
      const what = fact === undefined ? (subject === undefined ? undefined : { subject }) : { fact }
      if (what === undefined || (fact !== undefined && subject !== undefined))
        throw new CommandError('usage', 'Cannot forget: expected either --fact <id> or --subject <name>')
      await confirmed(
        shell,
        yes,
        `Destroy ${fact === undefined ? `everything about ${JSON.stringify(subject)}` : `fact ${fact}`}? This cannot be undone.`,
      )
      await inScope(shell, common, async (scope) => {
        const receipt = await scope.forget(what)
        return {
          value: { scope: scope.name, forgot: what, ...receipt },
          exit: receipt.facts === 0 && receipt.entities === 0 ? 'notFound' : 'ok',
          text: () =>
            receipt.facts === 0 && receipt.entities === 0
              ? 'Nothing was there to forget.'
              : `Destroyed ${counted(receipt.facts, 'fact')} in ${counted(receipt.versions, 'version')}, ${counted(receipt.sources, 'source')}, ${counted(receipt.entities, 'name')}`,
        }
      })
    })
}
