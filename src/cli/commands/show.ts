import type { Command } from 'commander'
import type { Moment } from '../../domain/moment.ts'
import { type CommonOptions, command, count, inSession, moment } from '../command.ts'
import { counted, number } from '../render/layout.ts'
import { renderEntries } from '../render/session.ts'
import type { Shell } from '../shell.ts'
import { oneLine } from '../visible.ts'

type Options = CommonOptions & {
  readonly history?: boolean
  readonly last?: number
  readonly asOf?: Moment
  readonly full?: boolean
}

export function showCommand(shell: Shell): Command {
  return command('show', 'Print a conversation: messages, tool calls, folds, tokens', {
    group: 'Conversations',
    of: 'session',
    lists: true,
    examples: [
      'daybook show --scope acme/ada support-42',
      'daybook show --scope acme/ada support-42 --history --last 20',
      'daybook show --scope acme/ada support-42 --as-of 2026-05-01T12:00:00Z',
    ],
  })
    .argument('[session]', 'the same as --session')
    .option('--history', 'everything ever appended, instead of what is live')
    .option('--last <n>', 'only the newest entries', count)
    .option('--as-of <moment>', 'as it was then: a time, or a version as v12', moment)
    .option('--full', 'shorten nothing')
    .action(async (id: string | undefined, { history = false, last, asOf, full = false, ...common }: Options) =>
      inSession(shell, { ...common, ...(id === undefined ? {} : { session: id }) }, async (session, scope) => {
        const then = asOf === undefined ? {} : { asOf }
        const stats = await session.stats(then)
        const newest = last === undefined ? {} : { before: stats.messages + 1, limit: last }
        const all = history ? await session.history({ ...then, ...newest }) : await session.window(then)
        const entries = last === undefined ? all : all.slice(-last)
        const total = history ? stats.messages : all.length
        return {
          value: { scope: scope.name, session: session.id, stats, entries },
          rows: entries,
          text: (look) => {
            const folds = all.filter((entry) => 'sources' in entry).length
            const tokens = all.reduce((sum, entry) => sum + entry.tokens, 0)
            const notes = [
              counted(stats.messages, 'message'),
              ...(folds === 0 ? [] : [counted(folds, 'fold')]),
              `${counted(tokens, 'token')}${history ? ' shown' : ' live'}`,
              ...(stats.toolCalls === 0 ? [] : [counted(stats.toolCalls, 'tool call')]),
              `version ${number(stats.version)}`,
              ...(entries.length < total ? [`the last ${entries.length} of ${total}`] : []),
            ]
            const head = `${look.paint('bold', oneLine(session.id))} ${look.paint('dim', `in ${oneLine(scope.name)} · ${notes.join(' · ')}`)}`
            return entries.length === 0 ? head : `${head}\n\n${renderEntries(entries, { ...look, full })}`
          },
        }
      }),
    )
}
