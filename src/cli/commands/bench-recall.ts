import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { Met } from '../bench/expectations.ts'
import { type CommonOptions, command, inMemory } from '../command.ts'
import { table } from '../render/table.ts'
import type { Look } from '../look.ts'
import type { Shell } from '../shell.ts'
import { CommandError } from '../exit-status.ts'

/** Checks that recall still finds what somebody expected of it. */
export function benchRecallCommand(shell: Shell): Command {
  return command(
    'recall',
    'Ask the questions that were saved in the inspector, and report which expected results are found',
    {
      group: 'The memory',
      reads: true,
      embeds: true,
      lists: true,
      examples: ['daybook bench recall expectations.jsonl --memory agent.db'],
    },
  )
    .argument('<file>', 'one expectation per line')
    .action(async (file: string, _own: CommonOptions, self: Command) => {
      // `bench` has --json as well, and takes it wherever it is.
      const options = self.optsWithGlobals<CommonOptions>()
      const { meetExpectations, readExpectations } = await import('../bench/expectations.ts')
      const text = await readFile(file, 'utf8').catch(() => {
        throw new CommandError('notFound', `Cannot read ${JSON.stringify(file)}`)
      })
      const expectations = readExpectations(text)
      await inMemory(shell, options, async (memory) => {
        const met = await meetExpectations(memory, expectations)
        const missing = met.filter(({ places }) => places.includes(null)).length
        return {
          value: { questions: met.length, missing, met },
          rows: met,
          text: (look) => render(met, missing, look),
          exit: missing === 0 ? 'ok' : 'findings',
        }
      })
    })
}

function render(met: readonly Met[], missing: number, { width }: Look): string {
  const rows = met.map(({ scope, query, places }) => [
    query,
    scope,
    places.map((place) => (place === null ? 'not found' : String(place))).join(', '),
  ])
  const summary = `${met.length - missing} of ${met.length} questions find what is expected`
  return [...table(['question', 'scope', 'place'], rows, { width }), '', summary].join('\n')
}
