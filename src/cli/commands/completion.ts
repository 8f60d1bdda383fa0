import { Argument, Command } from 'commander'
import { writeResult } from '../command-result.ts'
import { completionScript, shells } from '../completion.ts'
import type { Shell } from '../shell.ts'

export function completionCommand(shell: Shell): Command {
  return new Command('completion')
    .description('Print a script that completes commands and options in your shell')
    .helpGroup('Programs:')
    .addArgument(new Argument('<shell>', 'which one').choices(shells))
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  $ source <(daybook completion bash)\n  $ daybook completion fish > ~/.config/fish/completions/daybook.fish',
    )
    .action((name: (typeof shells)[number], options: { readonly json?: boolean }, self: Command) => {
      const script = completionScript(self.parent ?? self, name)
      writeResult(shell, options, { value: { shell: name, script }, text: () => script })
    })
}
