import { defined } from '../../domain/defined.ts'
import type { Command } from 'commander'
import { importedTitle } from '../../domain/imported-title.ts'
import type { Moment } from '../../domain/moment.ts'
import { refuse } from '../../domain/refuse.ts'
import type { Session } from '../../api/session.ts'
import type { CommandResult } from '../command-result.ts'
import { contextOperations } from '../../surface/contexts.ts'
import { sessionOperations } from '../../surface/sessions.ts'
import { type CommonOptions, command, parseCount, inSession } from '../command.ts'
import { lowerFirst, optionFields, withOptions } from '../options-from.ts'
import { counted, number } from '../render/layout.ts'
import { renderEntries } from '../render/session.ts'
import type { Shell } from '../shell.ts'
import { terminalLine, terminalJSON } from '../visible.ts'

type Options = CommonOptions & {
  readonly history?: boolean
  readonly last?: number
  readonly asOf?: Moment
  readonly full?: boolean
  readonly document?: boolean
}

export function showCommand(shell: Shell): Command {
  const made = command('show', 'Print a conversation: messages, tool calls, folds, tokens', {
    group: 'Core',
    reads: true,
    of: 'session',
    lists: true,
    examples: [
      'daybook show --scope acme/ada support-42',
      'daybook show --scope acme/ada support-42 --history --last 20',
      'daybook show --scope acme/ada support-42 --as-of 2026-05-01T12:00:00Z',
      'daybook show --scope acme/ada support-42 --document > support-42.json',
    ],
  })
    .argument('[session]', 'the same as --session')
    .option('--history', 'everything that was ever appended, instead of the current window')
    .option('--last <n>', 'only the newest entries', parseCount)
    .option('--full', 'shorten nothing')
    .option('--document', lowerFirst(sessionOperations.document.help))
  return withOptions(made, optionFields(contextOperations.window)).action(
    async (
      id: string | undefined,
      { history = false, last, asOf, full = false, document = false, ...common }: Options,
    ) =>
      inSession(shell, { ...common, ...defined({ session: id }) }, async (session, scope) => {
        if (document) return documentAnswer(session, { last, asOf })
        const then = defined({ asOf })
        const stats = await session.stats(then)
        const newest = last === undefined ? {} : { before: stats.messages + 1, limit: last }
        const all = history ? await session.history({ ...then, ...newest }) : await session.window(then)
        const entries = last === undefined ? all : all.slice(-last)
        const total = history ? stats.messages : all.length
        const [first] = await session.history({ ...then, limit: 1, after: 0 })
        const title = first === undefined ? undefined : importedTitle(first)
        return {
          value: { scope: scope.name, session: session.id, ...defined({ title }), stats, entries },
          rows: entries,
          text: (look) => {
            const folds = all.filter((entry) => 'sources' in entry).length
            const tokens = all.reduce((sum, entry) => sum + entry.tokens, 0)
            const notes = [
              ...(title === undefined ? [] : [terminalLine(title)]),
              counted(stats.messages, 'message'),
              ...(folds === 0 ? [] : [counted(folds, 'fold')]),
              `${counted(tokens, 'token')}${history ? ' shown' : ' live'}`,
              ...(stats.toolCalls === 0 ? [] : [counted(stats.toolCalls, 'tool call')]),
              `version ${number(stats.version)}`,
              ...(entries.length < total ? [`the last ${entries.length} of ${total}`] : []),
            ]
            const head = `${look.paint('bold', terminalLine(session.id))} ${look.paint('dim', `in ${terminalLine(scope.name)} · ${notes.join(' · ')}`)}`
            return entries.length === 0 ? head : `${head}\n\n${renderEntries(entries, { ...look, full })}`
          },
        }
      }),
  )
}

async function documentAnswer(
  session: Session,
  { last, asOf }: { readonly last: number | undefined; readonly asOf: Moment | undefined },
): Promise<CommandResult> {
  // Log and state count their versions apart: a document of the past is one of a time.
  if (typeof asOf === 'object' && 'version' in asOf) refuse('show a document', '--as-of', asOf, 'a time')
  const value = await session.document({
    ...defined({ recent: last, asOf }),
  })
  return { value, text: () => terminalJSON(value, 2) }
}
