import { defined } from '../../domain/defined.ts'
import type { Command } from 'commander'
import type { CompactOutcome } from '../../api/contexts.ts'
import { contextOperations } from '../../surface/contexts.ts'
import { type CommonOptions, command, inSession } from '../command.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import type { Look } from '../look.ts'
import { counted, number } from '../render/layout.ts'
import { foldHead } from '../render/session.ts'
import type { Shell } from '../shell.ts'

export function compactCommand(shell: Shell): Command {
  const { compact } = contextOperations
  const fields = optionFields(compact)
  const made = command('compact', compact.help, {
    group: 'Conversations',
    of: 'session',
    examples: [
      'daybook compact --scope acme/ada support-42 --dry-run --force',
      'daybook compact --scope acme/ada support-42 --policy rolling --force',
    ],
  }).argument('[session]', 'the same as --session')
  return withOptions(made, fields).action(async (id: string | undefined, options: CommonOptions) =>
    inSession(shell, { ...options, ...defined({ session: id }) }, async (session) => {
      const outcome = await session.compact(givenOf(fields, options))
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
      : [
          look.paint(
            'dim',
            `${counted(hidden.length, 'identifier')} are no longer in the window; "daybook reopen" shows them`,
          ),
        ]),
    ...(compaction === null ? [] : [look.paint('dim', `to undo it: daybook undo ${compaction}`)]),
  ].join('\n')
}
