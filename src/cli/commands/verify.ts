import type { Command } from 'commander'
import { type CommonOptions, command, inMemory } from '../command.ts'
import { counted } from '../render/layout.ts'
import { withProgress } from '../progress.ts'
import type { Shell } from '../shell.ts'
import { terminalLine } from '../visible.ts'

const REMEDIES = { restore: 'restore a backup', rebuild: 'run daybook rebuild' } as const

export function verifyCommand(shell: Shell): Command {
  return command('verify', 'Check the stored data and report anything that changed', {
    group: 'The memory',
    reads: true,
    examples: ['daybook verify', 'daybook verify --memory agent.db --json'],
  })
    .option('--tighten', 'let only the owner read and write the file, if others may')
    .action(async (options: CommonOptions & { readonly tighten?: true }) => {
      const warnings: string[] = []
      await inMemory(
        shell,
        options,
        async (memory) => {
          const report = await withProgress(shell, 'Reading everything', () => memory.verify())
          return {
            value: { ...report, warnings },
            exit: report.ok ? 'ok' : 'damaged',
            text: (look) =>
              [
                `${counted(report.messages, 'message')} in ${counted(report.sessions, 'conversation')}${report.rows === 0 ? '' : `, ${counted(report.rows, 'other row')}`}: ${report.ok ? look.paint('green', 'all as written') : look.paint('red', 'damaged')}`,
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
