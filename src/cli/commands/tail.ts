import { defined } from '../../domain/defined.ts'
import type { Command } from 'commander'
import type { Message } from '../../domain/message.ts'
import { type CommonOptions, command, inSession, parsePosition } from '../command.ts'
import { lookOf } from '../look.ts'
import { renderEntries } from '../render/session.ts'
import type { Shell } from '../shell.ts'
import { terminalJSON } from '../visible.ts'

const LAST_DEFAULT = 10

type Options = CommonOptions & { readonly last: number; readonly full?: boolean }

export function tailCommand(shell: Shell): Command {
  return command('tail', 'Follow a conversation: print new messages as they are appended, until Ctrl-C', {
    group: 'Conversations',
    of: 'session',
    lists: true,
    examples: ['daybook tail --scope acme/ada support-42', 'daybook tail --scope acme/ada support-42 --last 0 --jsonl'],
  })
    .argument('[session]', 'the same as --session')
    .option('--last <n>', 'begin with the newest messages', parsePosition, LAST_DEFAULT)
    .option('--full', 'shorten nothing')
    .action(async (id: string | undefined, { last, full = false, ...given }: Options) => {
      const stop = new AbortController()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
      const json = given.json === true || given.jsonl === true
      const print = (message: Message): void => {
        const text = json
          ? terminalJSON(message)
          : `${renderEntries([message], { ...lookOf(shell.stdout, shell.env), full })}\n`
        shell.stdout.write(`${text}\n`)
      }
      await inSession(shell, { ...given, ...defined({ session: id }) }, async (session) => {
        const { messages } = await session.stats()
        const after = Math.max(0, messages - last)
        for await (const message of session.watch({ after, signal: stop.signal })) print(message)
        return { value: null, rows: [], text: () => '' }
      })
    })
}
