import { defined } from '../../domain/defined.ts'
import type { Command } from 'commander'
import type { CompactOutcome } from '../../api/contexts.ts'
import { contextOperations } from '../../surface/contexts.ts'
import { type CommonOptions, command, inSession } from '../command.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import type { Look } from '../look.ts'
import { counted, number } from '../render/layout.ts'
import { foldHead } from '../render/session.ts'
import { placeOptions } from '../place-options.ts'
import { shellWord } from '../shell-word.ts'
import type { Shell } from '../shell.ts'
import { terminalLine } from '../visible.ts'

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
      const place = `${placeOptions(shell, options)} ${shellWord(terminalLine(session.id))}`
      return { value: { session: session.id, ...outcome }, text: (look) => renderOutcome(outcome, place, look) }
    }),
  )
}

/** @param place What a command has to say to use this session. */
function renderOutcome(outcome: CompactOutcome, place: string, look: Look): string {
  if (outcome.type === 'cannot-reduce') return 'Nothing could be made smaller.'
  if (!('receipt' in outcome))
    return outcome.type === 'empty'
      ? 'Nothing to do: the window is empty.'
      : 'Nothing to do: the window is below its high mark. --force compacts anyway.'
  const { before, after, folds, hidden, compaction } = outcome.receipt
  const done = compaction === null ? 'Would compact' : 'Compacted'
  const are = compaction === null ? 'would no longer be' : hidden.length === 1 ? 'is no longer' : 'are no longer'
  const [fold] = folds
  const rest = [
    ...(hidden.length === 0 ? [] : [`${counted(hidden.length, 'identifier')} ${are} in the window`]),
    ...(compaction === null || fold === undefined ? [] : [`To read a fold: daybook reopen${place} ${fold.id}`]),
    ...(compaction === null ? [] : [`To undo it: daybook undo${place} ${compaction}`]),
  ]
  return [
    `${done} ${number(before.tokens)} to ${counted(after.tokens, 'token')} (${number(before.entries)} to ${number(after.entries)} entries)`,
    ...folds.map((one) => `  ${foldHead(one, look)}`),
    ...rest.map((line) => look.paint('dim', line)),
  ].join('\n')
}
