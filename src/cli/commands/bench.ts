import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { type ResultOptions, writeResult } from '../command-result.ts'
import type { Measured } from '../bench/measure.ts'
import { parseCount } from '../command.ts'
import { withProgress } from '../progress.ts'
import { number, table } from '../render/layout.ts'
import type { Shell } from '../shell.ts'

type Options = ResultOptions & { readonly messages: number; readonly directory?: string }

export function benchCommand(shell: Shell): Command {
  return new Command('bench')
    .description('Measure this machine: durable appends, recall and context, in a file of its own')
    .helpGroup('The memory:')
    .option('--messages <n>', 'how many to append and search', parseCount, 1_000)
    .option('--directory <path>', 'on which disk (default: the one for temporary files)')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExamples:\n  $ daybook bench\n  $ daybook bench --messages 10000 --directory .')
    .action(async ({ messages, directory = tmpdir(), ...options }: Options) => {
      const { measure } = await import('../bench/measure.ts')
      const folder = await mkdtemp(join(directory, 'daybook-bench-'))
      try {
        const results = await withProgress(shell, 'Measuring', (say) =>
          measure(join(folder, 'bench.db'), messages, say),
        )
        writeResult(shell, options, { value: { messages, results }, text: () => renderMeasured(results) })
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })
}

function renderMeasured(results: readonly Measured[]): string {
  const rows = results.map(({ what, operations, perSecond, p50Ms, p99Ms }) => [
    what,
    number(operations),
    number(Math.round(perSecond)),
    p50Ms.toFixed(2),
    p99Ms.toFixed(2),
  ])
  return table(['', 'operations', 'a second', 'p50 ms', 'p99 ms'], rows, [1, 2, 3, 4]).join('\n')
}
