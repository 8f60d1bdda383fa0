import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { type CommonOptions, command, inMemory } from '../command.ts'
import { type Say, withProgress } from '../progress.ts'
import { counted, number } from '../render/layout.ts'
import type { Shell } from '../shell.ts'
import { terminalLine } from '../visible.ts'

const LOOKED_EVERY_MS = 200

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
        const made = await withProgress(shell, 'Copying and checking', async (say) => {
          const { bytes } = await memory.stats()
          const timer = setInterval(() => void reportCopy(file, bytes, say), LOOKED_EVERY_MS)
          return memory.backup(file).finally(() => clearInterval(timer))
        })
        return {
          value: made,
          text: () =>
            `${counted(made.messages, 'message')} in ${counted(made.sessions, 'conversation')}, ${number(made.bytes)} bytes, checked: ${terminalLine(made.file)}`,
        }
      }),
    )
}

/** A copy has another name until it is complete: its size says how far it is. */
async function reportCopy(file: string, total: number, say: Say): Promise<void> {
  const to = resolve(file)
  const names = await readdir(dirname(to)).catch(() => [])
  const partial = names.find((name) => name.startsWith(`${basename(to)}.partial-`))
  if (partial === undefined) return
  const done = (await stat(join(dirname(to), partial)).catch(() => undefined))?.size ?? 0
  say(done < total ? 'Copying' : 'Checking the copy', done < total ? { done, total, unit: 'bytes' } : undefined)
}
