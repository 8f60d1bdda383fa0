import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { type ResultOptions, writeResult } from '../command-result.ts'
import type { Measured } from '../bench/measure.ts'
import { parseCount } from '../command.ts'
import { benchRecallCommand } from './bench-recall.ts'
import { withProgress } from '../progress.ts'
import { number } from '../render/layout.ts'
import { table } from '../render/table.ts'
import type { Look } from '../look.ts'
import type { Plot } from '../render/plot.ts'
import type { Shell } from '../shell.ts'

type Options = ResultOptions & { readonly messages: number; readonly directory?: string }

export function benchCommand(shell: Shell): Command {
  return new Command('bench')
    .description('Measure this machine: durable appends, recall and context, in a file of its own')
    .helpGroup('The memory:')
    .option('--messages <n>', 'how many to append and search', parseCount, 1_000)
    .option('--directory <path>', 'the folder to measure in (default: the one for temporary files)')
    .option('--svg <file>', 'write the plot to a file, as a picture')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExamples:\n  $ daybook bench\n  $ daybook bench --messages 10000 --directory .')
    .addCommand(benchRecallCommand(shell))
    .action(async ({ messages, directory = tmpdir(), ...options }: Options) => {
      const { measure } = await import('../bench/measure.ts')
      const folder = await mkdtemp(join(directory, 'daybook-bench-'))
      try {
        const results = await withProgress(shell, 'Measuring', (say) =>
          measure(join(folder, 'bench.db'), messages, say),
        )
        writeResult(shell, options, {
          value: { messages, results },
          text: (look) => renderMeasured(results, look),
          plot: ratePlot(results),
        })
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })
}

function ratePlot(results: readonly Measured[]): Plot {
  const bars = results.map(({ what, p50Ms }) => ({ label: what, value: p50Ms, text: `${p50Ms.toFixed(2)} ms` }))
  return { title: 'How long half of the operations take at most', bars }
}

function renderMeasured(results: readonly Measured[], { width }: Look): string {
  const rows = results.map(({ what, operations, perSecond, p50Ms, p99Ms }) => [
    what,
    number(operations),
    number(Math.round(perSecond)),
    p50Ms.toFixed(2),
    p99Ms.toFixed(2),
  ])
  return table(['', 'operations', 'a second', 'p50 ms', 'p99 ms'], rows, { right: [1, 2, 3, 4], width }).join('\n')
}
