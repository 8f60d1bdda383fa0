import type { Command } from 'commander'
import { type CommonOptions, command, inMemory } from '../command.ts'
import { withProgress } from '../progress.ts'
import { counted, number } from '../render/layout.ts'
import type { Shell } from '../shell.ts'
import { terminalLine } from '../visible.ts'

export function backupCommand(shell: Shell): Command {
  return command('backup', 'Copy a memory into a new file while it is in use, and check the copy', {
    group: 'The memory',
    reads: true,
    examples: ['daybook backup monday.db', 'daybook backup --memory agent.db /backups/agent-monday.db'],
  })
    .argument('<file>', 'a new file; nothing is overwritten')
    .addHelpText('after', '\nDo not use cp instead: the newest messages are still in the -wal file next to the memory.')
    .action(async (file: string, options: CommonOptions) =>
      inMemory(shell, options, async (memory) => {
        const made = await withProgress(shell, 'Copying and checking', () => memory.backup(file))
        return {
          value: made,
          text: () =>
            `${counted(made.messages, 'message')} in ${counted(made.sessions, 'conversation')}, ${number(made.bytes)} bytes, checked: ${terminalLine(made.file)}`,
        }
      }),
    )
}
