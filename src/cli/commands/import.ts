import { type Command, Option } from 'commander'
import { type ImportFormat, importFormats } from '../../archive/importers/format.ts'
import { type CommonOptions, command, inScope } from '../command.ts'
import { withProgress } from '../progress.ts'
import { importReport } from '../render/import-report.ts'
import { counted } from '../render/layout.ts'
import type { Shell } from '../shell.ts'
import { oneLine } from '../visible.ts'

type Options = CommonOptions & { readonly format?: ImportFormat; readonly as?: string; readonly dryRun?: boolean }

export function importCommand(shell: Shell): Command {
  return command('import', 'Bring in what other programs exported; again is no change', {
    group: 'The memory',
    of: 'scope',
    creates: true,
    examples: [
      'daybook import --scope acme/ada chatgpt-export.zip --dry-run',
      'daybook import --scope acme/ada ~/.claude/projects/my-project',
      'daybook import --scope acme/ada memory.jsonl --format mcp-memory --json',
    ],
  })
    .argument('<path>', 'a file, a folder or a zip')
    .addOption(new Option('--format <format>', 'read everything as this (default: by content)').choices(importFormats))
    .option('--as <session>', 'what a conversation is called that its file gives no name (default: after the file)')
    .option('--dry-run', 'say what would come in, and change nothing')
    .addHelpText(
      'after',
      '\nWhat comes in is trusted like a web page: facts from it wait until somebody endorses them.',
    )
    .action(async (path: string, options: Options) =>
      inScope(shell, options, async (scope) => {
        const { format, as: session, dryRun } = options
        const report = await withProgress(shell, 'Reading', (say) =>
          scope.import(path, {
            ...(format === undefined ? {} : { format }),
            ...(session === undefined ? {} : { session }),
            ...(dryRun === undefined ? {} : { dryRun }),
            onProgress: ({ file, conversations, messages }) =>
              say(`${oneLine(file)}: ${counted(conversations, 'conversation')}, ${counted(messages, 'message')}`),
          }),
        )
        return { value: { scope: scope.name, ...report }, text: (look) => importReport(report, look) }
      }),
    )
}
