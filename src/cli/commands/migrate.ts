import type { Command } from 'commander'
import { type CommonOptions, command, inMemory } from '../command.ts'
import { table, time } from '../render/layout.ts'
import type { Shell } from '../shell.ts'

export function migrateCommand(shell: Shell): Command {
  return command('migrate', 'Bring a memory to the schema of this version, and say which steps that took', {
    group: 'The memory',
    examples: ['daybook migrate', 'daybook migrate --memory agent.db --json'],
  })
    .addHelpText('after', '\nEvery command does this by opening the memory; this one does nothing else.')
    .action(async (options: CommonOptions) => {
      const begun = new Date().toISOString()
      await inMemory(shell, options, async (memory) => {
        const { version, migrations } = await memory.schema()
        const steps = migrations.map((step) => ({ ...step, now: step.appliedAt >= begun }))
        const taken = steps.filter(({ now }) => now).length
        return {
          value: { version, taken, migrations: steps },
          text: (look) =>
            [
              taken === 0
                ? `Schema ${version}: up to date`
                : `Schema ${version}: ${taken} of ${version} steps taken now`,
              ...table(
                ['step', 'name', 'taken'],
                steps.map(({ number, name, appliedAt, now }) => [`${number}`, name, now ? 'now' : time(appliedAt)]),
                [0],
              ).map((line) => look.paint('dim', line)),
            ].join('\n'),
        }
      })
    })
}
