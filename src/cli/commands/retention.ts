import { defined } from '../../domain/defined.ts'
import type { Command } from 'commander'
import type { RetentionPolicy } from '../../domain/retention.ts'
import { type CommonOptions, command, inScope } from '../command.ts'
import { fieldsIn } from '../../surface/request-fields.ts'
import { aRetentionPolicy } from '../../surface/fact-shapes.ts'
import { retentionOperations } from '../../surface/facts.ts'
import { optionFields, withOptions } from '../options-from.ts'
import { CommandError } from '../exit-status.ts'
import { counted } from '../render/layout.ts'
import type { Shell } from '../shell.ts'

type Options = CommonOptions & {
  readonly days?: number
  readonly messages?: number
  readonly off?: boolean
  readonly dryRun?: boolean
}

export function retentionCommand(shell: Shell): Command {
  const fields = { ...fieldsIn(aRetentionPolicy), ...optionFields(retentionOperations.set) }
  const made = command('retention', retentionOperations.set.help, {
    group: 'Knowledge',
    of: 'scope',
    examples: [
      'daybook retention --scope acme/ada',
      'daybook retention --scope acme/ada --days 90 --dry-run',
      'daybook retention --scope acme/ada --off',
    ],
  })
  return withOptions(made, fields)
    .option('--off', 'remove the policy of this scope')
    .action(async ({ days, messages, off = false, dryRun = false, ...common }: Options) => {
      const policy: RetentionPolicy = {
        ...defined({ days, messages }),
      }
      const given = Object.keys(policy).length > 0
      if (off && given) throw new CommandError('usage', 'Cannot set a retention: expected --off or a policy, not both')
      await inScope(shell, common, async (scope) => {
        if (!off && !given) {
          const current = (await scope.retention.get()) ?? null
          return { value: { scope: scope.name, retention: current }, text: () => shown(current) }
        }
        const answer = await scope.retention.set(off ? null : policy, { dryRun })
        const { sessions, messages: count } = answer.overdue
        return {
          value: { scope: scope.name, ...answer },
          text: () =>
            `${dryRun ? 'Would set' : 'Set'} the retention of ${scope.name}; ${counted(count, 'message')} of ${counted(sessions, 'session')} ${dryRun ? 'would be' : 'will be'} forgotten`,
        }
      })
    })
}

function shown(current: { readonly policy: RetentionPolicy; readonly from: string } | null): string {
  if (current === null) return 'Everything is kept.'
  const { days, messages } = current.policy
  const parts = [
    ...(days === undefined ? [] : [`messages of the last ${counted(days, 'day')}`]),
    ...(messages === undefined ? [] : [`the newest ${counted(messages, 'message')} of each session`]),
  ]
  return `Kept: ${parts.length === 0 ? 'everything' : parts.join(', ')} (set in ${current.from})`
}
