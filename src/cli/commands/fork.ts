import type { Command } from 'commander'
import type { Moment } from '../../domain/moment.ts'
import { type CommonOptions, command, inSession, parseMoment } from '../command.ts'
import type { Shell } from '../shell.ts'
import { terminalLine } from '../visible.ts'

type Options = CommonOptions & { readonly at?: number | Moment }

export function forkCommand(shell: Shell): Command {
  return command('fork', 'Start a conversation that shares the history of another up to a point', {
    group: 'Conversations',
    of: 'session',
    examples: [
      'daybook fork --scope acme/ada --session support-42 what-if',
      'daybook fork --scope acme/ada --session support-42 what-if --at 12',
    ],
  })
    .argument('<new>', 'the id of the new conversation')
    .option('--at <point>', 'a sequence number as 12, a version as v12, or a time (default: all of it)', pointOf)
    .action(async (newId: string, { at, ...common }: Options) =>
      inSession(shell, common, async (session, scope) => {
        const forked = await session.fork(newId, at === undefined ? {} : { at })
        const { messages } = await forked.stats()
        return {
          value: { scope: scope.name, session: newId, forkOf: session.id, messages },
          text: () => `${terminalLine(newId)} shares ${messages} messages of ${terminalLine(session.id)}`,
        }
      }),
    )
}

function pointOf(value: string): number | Moment {
  return /^\d{1,15}$/.test(value) ? Number(value) : parseMoment(value)
}
