import type { Command } from 'commander'
import { type CommonOptions, command, inMemory } from '../command.ts'
import type { Shell } from '../shell.ts'
import { signHead } from '../signed-head.ts'
import { terminalJSON } from '../visible.ts'

export function headCommand(shell: Shell): Command {
  return command('head', 'Print the last position and hash of the log, for "verify --head"', {
    group: 'The memory',
    reads: true,
    examples: ['daybook head > monday.json', 'daybook head --sign-key head.pem > monday.json'],
  })
    .option('--sign-key <file>', 'sign it with this Ed25519 key (PEM); otherwise it is labelled as unsigned')
    .addHelpText(
      'after',
      '\nKeep the statement on another machine: "daybook verify --head monday.json" then reports whether anything was cut off the end.',
    )
    .action(async (options: CommonOptions & { readonly signKey?: string }) =>
      inMemory(shell, options, async (memory) => {
        const value = await signHead(await memory.head(), options.signKey)
        return { value, text: () => terminalJSON(value, 2) }
      }),
    )
}
