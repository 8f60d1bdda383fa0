import { existsSync } from 'node:fs'
import { defined } from '../../domain/defined.ts'
import { stat } from 'node:fs/promises'
import type { Command } from 'commander'
import type { ImportFormat } from '../../domain/import-format.ts'
import type { ImportReport, Mapping } from '../../api/imports.ts'
import type { ArchiveSource } from '../../api/archive.ts'
import { fileSource } from '../../archive/files.ts'
import { isArchive } from '../../archive/is-archive.ts'
import { checkArchive } from '../../archive/read-records.ts'
import type { CommandResult } from '../command-result.ts'
import { type CommonOptions, command, inMemory, inScope } from '../command.ts'
import { CommandError } from '../exit-status.ts'
import { lowerFirst, withOptions } from '../options-from.ts'
import { withProgress } from '../progress.ts'
import { readInput } from '../read-input.ts'
import { importReport } from '../render/import-report.ts'
import { counted } from '../render/layout.ts'
import type { Shell } from '../shell.ts'
import { importFields } from '../../surface/imports.ts'
import { placeOptions } from '../place-options.ts'
import { terminalLine } from '../visible.ts'
import { FILE_DEFAULT } from '../with-memory.ts'

type Options = CommonOptions & {
  readonly format?: ImportFormat
  readonly mapping?: string
  readonly as?: string
  readonly dryRun?: boolean
  readonly documents?: boolean
}

const STANDARD_INPUT = '-'

export function importCommand(shell: Shell): Command {
  const made = command('import', "Import an archive or another tool's export. Importing twice changes nothing", {
    group: 'Core',
    of: 'scope',
    creates: true,
    examples: [
      'daybook import --create everything.daybook',
      'gunzip -c ada.daybook.gz | daybook import --scope acme/ada -',
      'daybook import --scope acme/ada chatgpt-export.zip --dry-run',
      'daybook import --scope acme/ada ~/.claude/projects/my-project',
      'daybook import --scope acme/ada memory.jsonl --format mcp-memory --json',
      'daybook import --scope acme/ada mem0-export.json --mapping mapping.json --dry-run',
      'daybook import --scope acme/ada --documents sessions/',
    ],
  })
    .argument('<path>', 'an archive (- reads standard input), or a file, folder or zip from another program')
    .option(
      '--documents',
      'the path is a document or a directory of documents; their messages are trusted like those appended here',
    )
    .addHelpText(
      'after',
      '\nAn archive is checked to its end before anything is stored. If the import is interrupted, the same command resumes it. With --scope, an archive that has something outside the scope is refused. Imports of other tools are trusted like a web page: their facts wait until somebody endorses them.',
    )
  const { format, dryRun, mapping, session } = importFields
  return withOptions(made, { format, dryRun })
    .option('--mapping <file>', `a JSON file: ${lowerFirst(mapping.help)}`)
    .option('--as <session>', `${lowerFirst(session.help)} (default: ${session.default})`)
    .action(async (path: string, given: Options) => {
      const options = given.dryRun === true ? creatingNothing(given) : given
      if (options.documents === true) return importOwnDocuments(shell, path, options)
      const ours = path === STANDARD_INPUT || (!isNamed(options) && (await isArchive(path)))
      await (ours ? importOurs(shell, path, options) : importForeign(shell, path, options))
    })
}

async function importOurs(shell: Shell, path: string, options: Options): Promise<void> {
  const source = (): ArchiveSource =>
    path === STANDARD_INPUT ? (shell.stdin as AsyncIterable<string | Uint8Array>) : fileSource(path)
  await inMemory(shell, options, (memory) =>
    withProgress(shell, 'Reading', async (say): Promise<CommandResult> => {
      const total = path === STANDARD_INPUT ? 0 : (await stat(path)).size
      if (options.dryRun === true) return wholeArchive(await checkArchive(source()))
      if (path !== STANDARD_INPUT) await checkArchive(source())
      const imported = await memory.import(source(), {
        ...defined({ scope: options.scope }),
        onProgress: ({ records, bytes }) =>
          say(`Importing ${counted(records, 'record')}`, { done: bytes, total, unit: 'bytes' }),
      })
      const { forgotten } = imported
      const left = forgotten === 0 ? '' : `, ${counted(forgotten, 'record')} left out, because they were forgotten here`
      const stored =
        imported.stored === 0 && forgotten === 0
          ? 'everything was already stored'
          : `${counted(imported.stored, 'record')} stored${left}`
      return {
        value: imported,
        text: () =>
          `${counted(imported.sessions, 'conversation')}, ${counted(imported.messages, 'message')}: ${stored}`,
      }
    }),
  )
}

async function importOwnDocuments(shell: Shell, path: string, options: Options): Promise<void> {
  if (options.dryRun === true || isNamed(options))
    throw new CommandError('usage', 'Cannot import documents with --dry-run, --format or --mapping: expected none')
  await inScope(shell, options, async (scope) => {
    const { importDocuments } = await import('../documents.ts')
    return withProgress(shell, 'Reading', () => importDocuments(scope, path, options.as))
  })
}

function wholeArchive(found: Awaited<ReturnType<typeof checkArchive>>): CommandResult {
  const lines = Object.entries(found.records).map(([kind, many]) => `  ${kind}: ${many}`)
  return { value: { dryRun: true, ...found }, text: () => ['The archive is complete:', ...lines].join('\n') }
}

async function importForeign(shell: Shell, path: string, options: Options): Promise<void> {
  await inScope(shell, options, async (scope) => {
    const { format, as: session, dryRun } = options
    const mapping = options.mapping === undefined ? undefined : await readMapping(shell, options.mapping)
    const total = await unpackedSize(path)
    const report = await withProgress(shell, 'Reading', (say) =>
      scope.import(path, {
        ...defined({ format, mapping, session, dryRun }),
        onProgress: ({ file, conversations, messages, bytes }) =>
          say(
            `${terminalLine(file)}: ${counted(conversations, 'conversation')}, ${counted(messages, 'message')}`,
            total === undefined ? undefined : { done: bytes, total, unit: 'bytes' },
          ),
      }),
    )
    return {
      value: { scope: scope.name, ...report },
      exit: isFutile(report) ? 'failed' : 'ok',
      text: (look) => [importReport(report, look), ...nextSteps(report, placeOptions(shell, options))].join('\n'),
    }
  })
}

/** How many bytes will be read, if that is known before: a zip or a folder says it only at its end. */
async function unpackedSize(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() === true && !path.toLowerCase().endsWith('.zip') ? found.size : undefined
}

/** What was imported is not learned from yet, and its facts wait for a person: nothing else says so. */
function nextSteps({ dryRun, messages, facts }: ImportReport, place: string): readonly string[] {
  if (dryRun || messages.new + facts.new === 0) return []
  return [
    ...(messages.new === 0 ? [] : [`To learn facts from these messages now: daybook jobs settle${place}`]),
    `Imported facts are not used before they are endorsed: daybook endorse${place} --imported`,
  ]
}

/** A dry run into a memory that would be created compares with an empty one, and leaves no file. */
function creatingNothing(options: Options): Options {
  const { memory = FILE_DEFAULT, create, fileKey: _file, contentKey: _content, keys: _keys, ...others } = options
  return create !== true || memory.includes('://') || existsSync(memory) ? options : { ...others, memory: ':memory:' }
}

/** What a file is to be read as was said: then it is not looked for. */
function isNamed({ format, mapping }: Options): boolean {
  return format !== undefined || mapping !== undefined
}

async function readMapping(shell: Shell, file: string): Promise<Mapping> {
  const text = await readInput(shell, file)
  try {
    return JSON.parse(text) as Mapping
  } catch {
    throw new CommandError('usage', `Cannot read the mapping ${JSON.stringify(file)}: it is not JSON`)
  }
}

/** Something was there, and nothing of it came in or was here before: that is no success, whoever asks in a script. */
function isFutile({ messages, facts, skippedCount }: ImportReport): boolean {
  const known = messages.new + messages.present + messages.changed + facts.new + facts.present
  return known === 0 && Object.keys(skippedCount).length > 0
}
