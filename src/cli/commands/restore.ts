import { type Command } from 'commander'
import { type CommonOptions, command } from '../command.ts'
import { writeResult } from '../command-result.ts'
import { CommandError } from '../exit-status.ts'
import { withProgress } from '../progress.ts'
import { counted } from '../render/layout.ts'
import type { Shell } from '../shell.ts'
import { terminalLine } from '../visible.ts'
import { FILE_DEFAULT, encryptionOf, fileKeyOf } from '../with-memory.ts'

export function restoreCommand(shell: Shell): Command {
  return command('restore', 'Restore a memory from a backup, after checking the whole backup', {
    group: 'The memory',
    examples: ['daybook restore monday.db --memory agent.db', 'daybook restore monday.db --memory agent.db --force'],
  })
    .argument('<backup>', 'a file that "daybook backup" wrote; it is not touched')
    .option('--force', 'replace a memory that exists; it is kept under another name')
    .action(async (backup: string, { force = false, ...common }: CommonOptions & { readonly force?: boolean }) => {
      const { memory: file = FILE_DEFAULT } = common
      if (file.includes('://') || file === ':memory:')
        throw new CommandError(
          'usage',
          `Cannot restore ${JSON.stringify(file)}: expected a file; PostgreSQL has pg_restore`,
        )
      const { restore } = await import('../../archive/restore.ts')
      const restored = await withProgress(shell, 'Checking', () =>
        restore(backup, file, { force, ...encryptionOf(fileKeyOf(common)) }),
      )
      writeResult(shell, common, {
        value: restored,
        text: () =>
          [
            `${counted(restored.messages, 'message')} in ${counted(restored.sessions, 'conversation')}, checked: ${terminalLine(restored.file)}`,
            ...(restored.former === null ? [] : [`what was there is now ${terminalLine(restored.former)}`]),
          ].join('\n'),
      })
    })
}
