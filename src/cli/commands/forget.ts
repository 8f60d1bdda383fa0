import type { Command } from 'commander'
import type { ForgetReceipt } from '../../domain/forget-receipt.ts'
import type { ForgetTarget } from '../../api/facts.ts'
import { factOperations } from '../../surface/facts.ts'
import { type CommonOptions, command, inScope } from '../command.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import { confirmed } from '../confirm.ts'
import { CommandError } from '../exit-status.ts'
import { counted } from '../render/layout.ts'
import type { Shell } from '../shell.ts'

type Options = CommonOptions & Partial<Given> & { readonly dryRun?: boolean; readonly yes?: boolean }

export function forgetCommand(shell: Shell): Command {
  const { forget } = factOperations
  const made = command('forget', forget.help, {
    group: 'Knowledge',
    of: 'scope',
    examples: [
      'daybook forget --scope acme/ada --subject Ada',
      'daybook forget --scope acme/ada support-42 --dry-run',
      'daybook forget --scope acme/ada --message message-id --yes',
    ],
  })
  return withOptions(made, optionFields(forget, 'request'))
    .argument('[session]', 'the session to forget, the same as --session')
    .option('--yes', 'do not ask')
    .action(
      async (word: string | undefined, { message, session = word, block, fact, subject, ...options }: Options) => {
        if (word !== undefined && word !== session)
          throw new CommandError('usage', `Cannot forget two sessions at once: ${JSON.stringify([word, session])}`)
        const given = { message, block, session, fact, subject }
        const what = targetOf(given)
        const { yes = false, dryRun } = options
        if (dryRun !== true) await confirmed(shell, yes, `Destroy ${named(given)}? This cannot be undone.`)
        await inScope(shell, options, async (scope) => {
          const receipt = await scope.forget(what, givenOf(optionFields(forget), options))
          return {
            value: { forgot: what, ...receipt },
            exit: receipt.found ? 'ok' : 'notFound',
            text: () =>
              receipt.found
                ? told(receipt)
                : `Nothing to forget: no fact in ${JSON.stringify(receipt.scope)} is about ${JSON.stringify(subject)}`,
          }
        })
      },
    )
}

type Given = Record<'message' | 'block' | 'session' | 'fact' | 'subject', string | undefined>

function targetOf({ message, block, session, fact, subject }: Given): ForgetTarget {
  const given = Object.entries({ message, block, session, fact, subject }).filter(([, value]) => value !== undefined)
  const names = given.map(([name]) => name).join(' ')
  if (!['message', 'message session', 'block', 'block session', 'session', 'fact', 'subject'].includes(names))
    throw new CommandError(
      'usage',
      'Cannot forget: expected either --fact <id> or --subject <name>, or --message <id>, --session <id> or --block <name>',
    )
  return Object.fromEntries(given) as ForgetTarget
}

function named({ message, block, session, fact, subject }: Given): string {
  if (block !== undefined) return `block ${JSON.stringify(block)} and all its versions`
  if (message !== undefined) return `message ${message} and all that came of it`
  if (session !== undefined) return `session ${JSON.stringify(session)} and all that came of it`
  return fact === undefined ? `everything about ${JSON.stringify(subject)}` : `fact ${fact}`
}

function told(receipt: ForgetReceipt): string {
  const { dryRun, messages, revisions, folds, facts, versions, sources, entities, remaining, pending } = receipt
  const lines = [
    `${dryRun ? 'Would destroy' : 'Destroyed'} ${counted(facts, 'fact')} in ${counted(versions, 'version')}, ${counted(sources, 'source')}, ${counted(entities, 'name')}`,
    ...(messages === 0
      ? []
      : [
          `${dryRun ? 'Would destroy' : 'Destroyed'} ${counted(messages, 'message')}, ${counted(revisions, 'revision')}; ${counted(folds, 'compaction')} told again without them`,
        ]),
    ...(receipt.state === 0
      ? []
      : [`${dryRun ? 'Would destroy' : 'Destroyed'} ${counted(receipt.state, 'version')} of blocks and state`]),
    ...(receipt.sessions.length > 1 ? [`In ${receipt.sessions.join(', ')}`] : []),
    ...(remaining === 0
      ? []
      : [`${counted(remaining, 'message')} that taught it are still there: --messages forgets them too`]),
    ...(receipt.keys === 0
      ? []
      : [`Destroyed ${counted(receipt.keys, 'data key')}: backups from before cannot be read with it`]),
    ...(pending.includes('keys') ? ['What is left is still to be encrypted with another key: daybook jobs tells'] : []),
    ...(pending.includes('pages') && !pending.includes('keys')
      ? ['Another process still reads old pages of the file: they are overwritten when it is done']
      : []),
  ]
  return lines.join('\n')
}
