import type { Command } from 'commander'
import type { ForgetReceipt } from '../../domain/forget-receipt.ts'
import type { ForgetTarget } from '../../api/facts.ts'
import type { Memory } from '../../api/memory.ts'
import type { ForgottenReport, SampleFound } from '../../api/upkeep.ts'
import { checkSample } from '../../domain/check-sample.ts'
import { defined } from '../../domain/defined.ts'
import { factOperations } from '../../surface/facts.ts'
import { type CommonOptions, command, inScope } from '../command.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import { confirmed } from '../confirm.ts'
import { CommandError } from '../exit-status.ts'
import { withProgress } from '../progress.ts'
import { counted } from '../render/layout.ts'
import type { Shell } from '../shell.ts'

type Options = CommonOptions &
  Given & { readonly prove?: readonly string[] } & { readonly dryRun?: boolean; readonly yes?: boolean }

export function forgetCommand(shell: Shell): Command {
  const { forget } = factOperations
  const made = command('forget', forget.help, {
    group: 'Knowledge',
    of: 'scope',
    examples: [
      'daybook forget --scope acme/ada --subject Ada',
      'daybook forget --scope acme/ada support-42 --dry-run',
      'daybook forget --scope acme/ada --message message-id --yes',
      'daybook forget --scope acme/ada --everything',
    ],
  })
  return withOptions(made, optionFields(forget, 'request'))
    .argument('[session]', 'the session to forget, the same as --session')
    .option('--prove <text>', 'then look for a text in every table and file, and fail if it is still there', collected)
    .option('--yes', 'do not ask')
    .action(async (word: string | undefined, given: Options) => {
      const { session = word, yes = false, dryRun, prove = [] } = given
      if (word !== undefined && word !== session)
        throw new CommandError('usage', `Cannot forget two sessions at once: ${JSON.stringify([word, session])}`)
      // Now, since after the destruction nothing can be corrected.
      for (const text of prove) checkSample('forget', '--prove', text)
      const what = targetOf({ ...given, session })
      await inScope(shell, given, async (scope, memory) => {
        if (dryRun !== true) await confirmed(shell, yes, `Destroy ${named(what, scope.name)}? This cannot be undone.`)
        const [receipt, proof] = await withProgress(shell, dryRun === true ? 'Counting' : 'Destroying', async (say) => {
          const done = await scope.forget(what, givenOf(optionFields(forget), given))
          say('Looking for what is left')
          return [done, prove.length === 0 ? undefined : await memory.verifyForgotten(done, prove)] as const
        })
        const store = proof === undefined && receipt.pending.length === 0 ? '' : await storeOf(memory)
        return {
          value: { forgot: what, ...receipt, ...defined({ proof }) },
          exit: proof?.ok === false ? 'failed' : receipt.found ? 'ok' : 'notFound',
          text: () =>
            [
              receipt.found ? told(receipt, store) : nothingFound(receipt, what),
              ...(proof === undefined ? [] : proved(proof, prove, store)),
            ].join('\n'),
        }
      })
    })
}

const PLACES_SHOWN_MAX = 10
const SESSIONS_SHOWN_MAX = 5

function listed(sessions: readonly string[]): string {
  const shown = sessions.slice(0, SESSIONS_SHOWN_MAX).join(', ')
  const rest = sessions.length - SESSIONS_SHOWN_MAX
  return rest > 0 ? `${shown} and ${counted(rest, 'more conversation')}` : shown
}

const targets = ['message', 'block', 'session', 'fact', 'subject', 'records', 'everything'] as const
const combinations: ReadonlySet<string> = new Set([...targets, 'message session', 'block session'])

type Given = { readonly [Target in (typeof targets)[number]]?: string | boolean | undefined }

function targetOf(given: Given): ForgetTarget {
  const chosen = targets.flatMap((target) => (given[target] === undefined ? [] : [[target, given[target]] as const]))
  if (!combinations.has(chosen.map(([target]) => target).join(' ')))
    throw new CommandError(
      'usage',
      'Cannot forget: expected one of --session <id>, --message <id>, --block <name>, --fact <id>, --subject <name>, --records <collection> and --everything',
    )
  return Object.fromEntries(chosen) as ForgetTarget
}

function named(what: ForgetTarget, scope: string): string {
  if ('everything' in what) return `everything in ${JSON.stringify(scope)} and the scopes below it`
  if ('block' in what) return `block ${JSON.stringify(what.block)} and all its versions`
  if ('message' in what) return `message ${what.message} and everything derived from it`
  if ('records' in what) return `the records in ${JSON.stringify(what.records)}`
  if ('session' in what) return `session ${JSON.stringify(what.session)} and everything derived from it`
  return 'fact' in what ? `fact ${what.fact}` : `everything about ${JSON.stringify(what.subject)}`
}

function collected(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}

/** What the memory is stored in; empty if the key may not read that. */
function storeOf(memory: Memory): Promise<string> {
  return memory.stats().then(
    ({ store }) => store,
    () => '',
  )
}

function isPostgres(store: string): boolean {
  return store.startsWith('postgres')
}

function proved({ ok, found, pending }: ForgottenReport, texts: readonly string[], store: string): readonly string[] {
  const places = isPostgres(store) ? 'no table. The files of the server were not read' : 'no table and no file'
  if (ok) return [`Proved: ${texts.map((text) => JSON.stringify(text)).join(' and ')} found in ${places}`]
  const owner = ({ scope, session }: SampleFound): string =>
    [scope, session].flatMap((name) => (name === undefined ? [] : [JSON.stringify(name)])).join(', ')
  const all = new Set(
    found.map((place) => {
      const of = owner(place)
      return `${JSON.stringify(texts[place.sample])}: ${place.where}${of === '' ? '' : ` (${of})`}`
    }),
  )
  const shown = [...all].slice(0, PLACES_SHOWN_MAX)
  const more = all.size - shown.length
  return [
    ...(found.length === 0 ? [] : ['Still there:', ...shown.map((place) => `  ${place}`)]),
    ...(more === 0 ? [] : [`  and ${more} more places: --json shows them`]),
    ...(pending ? [again(store)] : []),
  ]
}

function again(store: string): string {
  return isPostgres(store)
    ? 'Not proved yet: the server still has the old rows. Run the same command again as the owner of the tables, who may vacuum them'
    : 'Not overwritten yet: run the same command again when no other process reads the memory'
}

function kept(store: string): string {
  if (isPostgres(store))
    return 'The old rows are not vacuumed yet: a transaction still reads them, or this role may not vacuum the tables. Autovacuum removes them later'
  return store === ''
    ? 'The database still has bytes of it, which are overwritten as soon as possible'
    : 'Another process is still reading the old data. It is overwritten when that process is done'
}

function nothingFound({ scope }: ForgetReceipt, what: ForgetTarget): string {
  return 'subject' in what
    ? `Nothing to forget: no fact in ${JSON.stringify(scope)} is about ${JSON.stringify(what.subject)}`
    : `Nothing to forget: ${JSON.stringify(scope)} is empty`
}

/** With what there is of the rest: `3 facts, 4 versions`. */
function parted(first: string, ...rest: readonly (readonly [number, string])[]): string {
  return [first, ...rest.flatMap(([count, noun]) => (count === 0 ? [] : [counted(count, noun)]))].join(', ')
}

function told(receipt: ForgetReceipt, store: string): string {
  const { dryRun, messages, revisions, folds, facts, versions, sources, entities, remaining, pending } = receipt
  const verb = dryRun ? 'Would destroy' : 'Destroyed'
  const lines = [
    ...(messages === 0 ? [] : [`${verb} ${parted(counted(messages, 'message'), [revisions, 'revision'])}`]),
    ...(folds === 0 ? [] : [`${dryRun ? 'Would rewrite' : 'Rewrote'} ${counted(folds, 'compaction')} without them`]),
    ...(facts + entities === 0 && messages + receipt.state > 0
      ? []
      : [`${verb} ${parted(counted(facts, 'fact'), [versions, 'version'], [sources, 'source'], [entities, 'name'])}`]),
    ...(receipt.state === 0 ? [] : [`${verb} ${counted(receipt.state, 'version')} of blocks, state and records`]),
    ...(receipt.sessions.length > 1 ? [`In ${listed(receipt.sessions)}`] : []),
    ...(remaining === 0
      ? []
      : [
          `${counted(remaining, 'message')} they were learned from are still stored: add --messages to destroy them too`,
        ]),
    ...(receipt.keys === 0
      ? []
      : [`Destroyed ${counted(receipt.keys, 'data key')}: earlier backups can no longer be read`]),
    ...(pending.includes('keys')
      ? ['The rest is being encrypted with a new key: "daybook jobs" shows how far it is']
      : []),
    ...(pending.includes('pages') && !pending.includes('keys') ? [kept(store)] : []),
  ]
  return lines.join('\n')
}
