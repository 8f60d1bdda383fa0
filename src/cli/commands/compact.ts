import type { Command } from 'commander'
import type { CompactOutcome } from '../../context/compaction/compact.ts'
import { type CommonOptions, command, parseCount, inSession } from '../command.ts'
import type { Look } from '../look.ts'
import { counted, number } from '../render/layout.ts'
import { foldHead } from '../render/session.ts'
import type { Shell } from '../shell.ts'

type Options = CommonOptions & {
  readonly policy: string
  readonly budget?: number
  readonly force?: boolean
  readonly dryRun?: boolean
}

export function compactCommand(shell: Shell): Command {
  return command('compact', 'Make the window of a conversation smaller; the log stays as it is', {
    group: 'Conversations',
    of: 'session',
    examples: [
      'daybook compact --scope acme/ada support-42 --dry-run --force',
      'daybook compact --scope acme/ada support-42 --policy rolling --force',
    ],
  })
    .argument('[session]', 'the same as --session')
    .option('--policy <name>', 'balanced, managed, auto-context, rolling or recency', 'balanced')
    .option('--budget <tokens>', "what the policy's shares are shares of", parseCount)
    .option('--force', 'also below the high mark')
    .option('--dry-run', 'say what would happen, and change nothing')
    .action(async (id: string | undefined, { policy, budget, force = false, dryRun = false, ...common }: Options) =>
      inSession(shell, { ...common, ...(id === undefined ? {} : { session: id }) }, async (session) => {
        const outcome = await session.compact({ policy, force, dryRun, ...(budget === undefined ? {} : { budget }) })
        return { value: { session: session.id, ...outcome }, text: (look) => renderOutcome(outcome, look) }
      }),
    )
}

function renderOutcome(outcome: CompactOutcome, look: Look): string {
  if (outcome.type === 'cannot-reduce') return 'Nothing could be made smaller.'
  if (!('receipt' in outcome))
    return outcome.type === 'empty'
      ? 'Nothing to do: the window is empty.'
      : 'Nothing to do: the window is below its high mark. --force compacts anyway.'
  const { before, after, folds, hidden, compaction } = outcome.receipt
  const done = outcome.type === 'dry-run' ? 'Would come' : 'Came'
  return [
    `${done} from ${counted(before.tokens, 'token')} to ${number(after.tokens)}, from ${before.entries} to ${after.entries} entries`,
    ...folds.map((fold) => `  ${foldHead(fold, look)}`),
    ...(hidden.length === 0
      ? []
      : [look.paint('dim', `${counted(hidden.length, 'identifier')} out of sight; "daybook reopen" shows them`)]),
    ...(compaction === null ? [] : [look.paint('dim', `daybook undo takes compaction ${compaction} back`)]),
  ].join('\n')
}
