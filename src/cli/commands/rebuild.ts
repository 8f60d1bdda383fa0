import type { Command } from 'commander'
import { type CommonOptions, command, inMemory } from '../command.ts'
import { withProgress } from '../progress.ts'
import { recallAll } from '../recall-all.ts'
import type { Shell } from '../shell.ts'
import { terminalLine } from '../visible.ts'

export function rebuildCommand(shell: Shell): Command {
  return command('rebuild', 'Rebuild the search index from the log', {
    group: 'The memory',
    of: 'scope',
    examples: ['daybook rebuild', 'daybook rebuild --scope acme/ada'],
  })
    .addHelpText(
      'after',
      '\nWith --scope, the index of that scope is rebuilt now. Without it, the next recall of each scope rebuilds its index in the background.',
    )
    .action(async (options: CommonOptions) =>
      inMemory(shell, options, async (memory) => {
        const scope = options.scope ?? null
        await withProgress(shell, 'Deleting the search index', () => memory.rebuild())
        if (scope !== null) {
          await recallAll(shell, () => memory.scope(scope).recall('a'))
          await memory.scope(scope).recall('a', { fresh: true })
        }
        return {
          value: { rebuilt: true, posted: scope },
          text: () =>
            scope === null
              ? 'Deleted; the next recall rebuilds it'
              : `Rebuilt the search index of ${terminalLine(scope)}`,
        }
      }),
    )
}
