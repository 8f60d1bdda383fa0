import { defined } from '../../domain/defined.ts'
import type { Command } from 'commander'
import type { VerifyOptions, VerifyReport } from '../../api/upkeep.ts'
import { memoryOperations } from '../../surface/memory.ts'
import { CommandError } from '../exit-status.ts'
import { type CommonOptions, command, inMemory } from '../command.ts'
import { counted, number } from '../render/layout.ts'
import { optionFields, withOptions } from '../options-from.ts'
import { withProgress } from '../progress.ts'
import { readHead } from '../signed-head.ts'
import type { Shell } from '../shell.ts'
import { terminalLine } from '../visible.ts'

type Options = CommonOptions & {
  readonly tighten?: true
  readonly head?: string
  readonly signKey?: string
  readonly index: boolean
}

const REMEDIES = { restore: 'restore a backup', rebuild: 'run daybook rebuild' } as const

export function verifyCommand(shell: Shell): Command {
  const made = command('verify', 'Check the stored data and report anything that changed', {
    group: 'The memory',
    reads: true,
    examples: [
      'daybook verify',
      'daybook verify --memory agent.db --json',
      'daybook verify --head monday.json --sign-key head.pem',
    ],
  })
    .option('--tighten', 'let only the owner read and write the file, if others may')
    .option('--head <file>', 'a file written by `daybook head`: also check that nothing was cut off the end since then')
    .option('--sign-key <file>', 'the key that must have signed the statement, public or private (PEM)')
  // A statement is a file here, and may be signed.
  const { head: _, ...fields } = optionFields(memoryOperations.verify)
  return withOptions(made, fields).action(async (options: Options) => {
    const warnings: string[] = []
    const stated = await statedIn(options)
    await inMemory(
      shell,
      options,
      async (memory) => {
        const report = await withProgress(shell, 'Reading everything', async (say) => {
          const { messages: total } = await memory.stats()
          return memory.verify({
            index: options.index,
            ...stated?.options,
            onProgress: ({ messages: done }) =>
              done < total
                ? say('Reading messages', { done, total, unit: 'messages' })
                : say('Checking all other tables'),
          })
        })
        return {
          value: { ...report, ...defined({ signedBy: stated?.signedBy }), warnings },
          exit: report.ok ? 'ok' : 'damaged',
          text: (look) =>
            [
              `${counted(report.messages, 'message')} in ${counted(report.sessions, 'conversation')}${report.rows === 0 ? '' : `, ${counted(report.rows, 'other row')}`}: ${report.ok ? look.paint('green', 'all as written') : look.paint('red', 'damaged')}`,
              ...headLines(report, stated?.signedBy),
              ...indexLines(report),
              ...report.file.map((problem) => `  file: ${terminalLine(problem)}`),
              ...report.damage.map(({ scope, session, what, data, message, remedy }) => {
                const place = what === 'audit' ? 'audit trail' : `${terminalLine(scope)} ${terminalLine(session)}`
                return `  ${place.trim() === '' ? 'memory' : place.trim()}: ${terminalLine(message)} (${data}: ${REMEDIES[remedy]})`
              }),
              ...warnings.map((warning) => `  warning: ${terminalLine(warning)}`),
            ].join('\n'),
        }
      },
      {
        tightenMode: options.tighten === true,
        onEvent: (event) => {
          if (event.type === 'store-warning') warnings.push(event.message)
        },
      },
    )
  })
}

async function statedIn({
  head: file,
  signKey,
}: Options): Promise<{ readonly options: VerifyOptions; readonly signedBy: string | null } | undefined> {
  if (file === undefined) {
    if (signKey !== undefined) throw new CommandError('usage', 'Cannot use --sign-key alone: expected --head <file>')
    return undefined
  }
  const { head, signedBy } = await readHead(file, signKey)
  return { options: { head }, signedBy }
}

function headLines({ head }: VerifyReport, signedBy: string | null | undefined): readonly string[] {
  if (head === undefined) return []
  const signature = signedBy === null ? 'unsigned' : `signed by ${signedBy}`
  const forgotten = head.forgotten === 0 ? '' : `, ${number(head.forgotten)} of them forgotten since`
  return [
    `Compared with ${counted(head.sessions, 'conversation')} and ${counted(head.rows, 'other row')} of ${head.at} (${signature})${forgotten}`,
    ...(head.gone === 0
      ? []
      : [`${counted(head.gone, 'row')} gone where something was forgotten or replaced since: make a new statement`]),
  ]
}

function indexLines({ index }: VerifyReport): readonly string[] {
  if (index === undefined || index.skipped === 0) return []
  return [`The search index of ${counted(index.skipped, 'scope')} was not compared: not everything is indexed yet`]
}
