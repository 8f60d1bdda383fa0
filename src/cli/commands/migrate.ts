import { defined } from '../../domain/defined.ts'
import { existsSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { writeResult } from '../command-result.ts'
import { postgresOptions } from '../../surface/postgres.ts'
import { fieldsIn } from '../../surface/request-fields.ts'
import { type CommonOptions, command, inMemory } from '../command.ts'
import { CommandError } from '../exit-status.ts'
import { fieldsNamed, withOptions } from '../options-from.ts'
import { withProgress } from '../progress.ts'
import { counted, time } from '../render/layout.ts'
import { table } from '../render/table.ts'
import type { Shell } from '../shell.ts'
import { memoryLocation } from '../memory-location.ts'
import { moveProgress } from '../move-progress.ts'
import { memoryHere, withMemory } from '../with-memory.ts'

type Options = CommonOptions & { readonly to?: string; readonly owner?: string; readonly partitions?: number }

export function migrateCommand(shell: Shell): Command {
  const made = command('migrate', 'Bring a memory to the schema of this version, or move it to another database', {
    group: 'The memory',
    examples: [
      'daybook migrate',
      'daybook migrate --memory postgres://app@db/agents --owner postgres://admin@db/agents',
      'daybook migrate --memory agent.db --to postgres://app@db/agents --owner postgres://admin@db/agents',
      'daybook migrate --memory postgres://app@db/agents --to agent.db --json',
    ],
  })
    .option(
      '--to <location>',
      'move everything there: a file or a postgres:// address, empty or with an interrupted move',
      memoryLocation,
    )
    .addOption(
      new Option(
        '--owner <address>',
        'the address of the role that owns the tables: it creates them and grants the rights of the other role',
      ).env('DAYBOOK_OWNER'),
    )
    .addHelpText(
      'after',
      '\nEvery command brings the schema up to date by opening the memory. Without --to, this one does nothing else. With --to, the source is only read, and at the end it is compared with the target by hash. If the move is interrupted, the same command resumes it. Keys of a server and its audit trail are not moved. The search index is built again.',
    )
  return withOptions(made, fieldsNamed(fieldsIn(postgresOptions), 'partitions')).action((options: Options) =>
    options.to === undefined ? showSchema(shell, options) : move(shell, options, options.to),
  )
}

async function move(shell: Shell, options: Options, to: string): Promise<void> {
  const { memory: from = memoryHere(), owner, partitions } = options
  if (!from.includes('://') && !existsSync(from))
    throw new CommandError(
      'notFound',
      `Cannot move ${JSON.stringify(from)}: there is no such file. Pass the memory to move with --memory`,
    )
  const { moveMemory } = await import('../../archive/move.ts')
  const postgres = defined({ migrate: owner, partitions })
  const moved = await withProgress(shell, 'Moving', async (say) =>
    moveMemory(from, to, {
      ...(Object.keys(postgres).length === 0 ? {} : { to: { postgres } }),
      onProgress: moveProgress(say, await recordsIn(from)),
    }),
  )
  writeResult(shell, options, {
    value: moved,
    text: () =>
      `${counted(moved.sessions, 'conversation')}, ${counted(moved.messages, 'message')}: ${counted(moved.stored, 'record')} stored, both sides have the hash ${moved.sha256}`,
  })
}

/** About how many records a file has; 0 for another source, and for a file that only the move itself can open. */
async function recordsIn(from: string): Promise<number> {
  if (from.includes('://')) return 0
  const stats = await withMemory({ memory: from, readOnly: true }, (memory) => memory.stats()).catch(() => undefined)
  return stats === undefined ? 0 : stats.messages + stats.sessions + 2 * stats.facts
}

function showSchema(shell: Shell, options: Options): Promise<void> {
  const begun = new Date().toISOString()
  const postgres = defined({ migrate: options.owner, partitions: options.partitions })
  const memoryOptions = Object.keys(postgres).length === 0 ? {} : { postgres }
  return inMemory(
    shell,
    options,
    async (memory) => {
      const { version, partitions, migrations } = await memory.schema()
      const steps = migrations.map((step) => ({ ...step, now: step.appliedAt >= begun }))
      const taken = steps.filter(({ now }) => now).length
      return {
        value: { version, partitions, taken, migrations: steps },
        text: (look) =>
          [
            taken === 0 ? `Schema ${version}: up to date` : `Schema ${version}: ${taken} of ${version} steps taken now`,
            ...(partitions === 1 ? [] : [`Its large tables have ${partitions} partitions`]),
            ...table(
              ['step', 'name', 'taken'],
              steps.map(({ number, name, appliedAt, now }) => [`${number}`, name, now ? 'now' : time(appliedAt)]),
              { right: [0], width: look.width },
            ).map((line) => look.paint('dim', line)),
          ].join('\n'),
      }
    },
    memoryOptions,
  )
}
