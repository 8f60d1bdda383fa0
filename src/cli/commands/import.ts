import type { Command } from 'commander'
import { fileSource } from '../../archive/files.ts'
import type { ArchiveSource } from '../../archive/read-records.ts'
import { checkArchive } from '../../archive/read-records.ts'
import type { Memory } from '../../memory/memory.ts'
import type { Answer } from '../answer.ts'
import { type CommonOptions, command, inMemory } from '../command.ts'
import { withProgress } from '../progress.ts'
import { counted } from '../render/layout.ts'
import type { Shell } from '../shell.ts'

type Options = CommonOptions & { readonly dryRun?: boolean }

export function importCommand(shell: Shell): Command {
  return command(
    'import',
    'Bring an archive in: what is here already stays, what is here with other content is refused',
    {
      group: 'The memory',
      of: 'scope',
      creates: true,
      examples: [
        'daybook import --create everything.daybook',
        'daybook import --dry-run everything.daybook',
        'gunzip -c ada.daybook.gz | daybook import --scope acme/ada -',
      ],
    },
  )
    .argument('<file>', 'an archive that "daybook export" wrote; - reads the pipe')
    .option('--dry-run', 'only check it, and say what is in it')
    .addHelpText(
      'after',
      '\nA file is checked to its end before anything is stored. Cut short, the same command goes on where it was; done again,\nit changes nothing. With --scope, an archive that has something outside of it is refused.',
    )
    .action(async (file: string, options: Options) =>
      inMemory(shell, options, (memory) =>
        withProgress(shell, 'Reading', (say) => importFile(memory, { shell, file, options, say })),
      ),
    )
}

interface Wanted {
  readonly shell: Shell
  readonly file: string
  readonly options: Options
  readonly say: (message: string) => void
}

/** The one place where it is decided what a file is. Formats of others are to be recognised here, before our own refuses them. */
async function importFile(memory: Memory, wanted: Wanted): Promise<Answer> {
  return importOurs(memory, wanted)
}

async function importOurs(memory: Memory, { shell, file, options, say }: Wanted): Promise<Answer> {
  const source = (): ArchiveSource =>
    file === '-' ? (shell.stdin as AsyncIterable<string | Uint8Array>) : fileSource(file)
  if (options.dryRun === true) {
    const found = await checkArchive(source())
    return {
      value: { dryRun: true, ...found },
      text: () =>
        [
          'The archive is whole:',
          ...Object.entries(found.records).map(([kind, many]) => `  ${counted(many, kind)}`),
        ].join('\n'),
    }
  }
  if (file !== '-') await checkArchive(source())
  const imported = await memory.import(source(), {
    ...(options.scope === undefined ? {} : { scope: options.scope }),
    onProgress: ({ records }) => say(`Importing: ${counted(records, 'record')}`),
  })
  return {
    value: imported,
    text: () =>
      `${counted(imported.sessions, 'conversation')}, ${counted(imported.messages, 'message')}: ${imported.stored === 0 ? 'all of it was here' : `${counted(imported.stored, 'record')} stored`}`,
  }
}
