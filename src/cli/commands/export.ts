import { defined } from '../../domain/defined.ts'
import type { Command } from 'commander'
import type { Memory } from '../../api/memory.ts'
import { exportToFile } from '../../archive/files.ts'
import { factsMarkdown, sessionMarkdown } from '../../archive/markdown.ts'
import { type CommonOptions, command, inMemory, inScope, scopePathOf } from '../command.ts'
import { CommandError } from '../exit-status.ts'
import { withProgress } from '../progress.ts'
import { counted, number } from '../render/layout.ts'
import type { Shell } from '../shell.ts'
import { terminalLine, terminalText } from '../visible.ts'
import { withMemory } from '../with-memory.ts'

type Options = CommonOptions & {
  readonly markdown?: boolean
  readonly documents?: string
  readonly force?: boolean
}

export function exportCommand(shell: Shell): Command {
  return command('export', 'Write an archive of everything, of a scope and those below it, or of one conversation', {
    group: 'The memory',
    reads: true,
    of: 'session',
    examples: [
      'daybook export everything.daybook',
      'daybook export --scope acme/ada ada.daybook',
      'daybook export --scope acme/ada --session support-42 - | gzip > support-42.daybook.gz',
      'daybook export --scope acme/ada --session support-42 --markdown',
      'daybook export --scope acme/ada --documents sessions/',
    ],
  })
    .argument('[file]', 'a new file; - writes to standard output')
    .option('--markdown', 'write Markdown for people: a conversation, or the facts of a scope')
    .option(
      '--documents <directory>',
      'one file per conversation of the scope, to read, edit and put under version control',
    )
    .option('--force', 'with --documents: also replace files that somebody edited')
    .addHelpText(
      'after',
      '\nTo check an archive, run "daybook import --dry-run". DAYBOOK_SCOPE and DAYBOOK_SESSION also limit what is exported.',
    )
    .action(async (file: string | undefined, options: Options) => {
      if (options.markdown === true) return writeMarkdown(shell, options)
      const { documents: directory } = options
      if (directory !== undefined)
        return inScope(shell, options, async (of) => {
          const { exportDocuments } = await import('../documents.ts')
          return withProgress(shell, 'Writing', () => exportDocuments(of, directory, options.force ?? false))
        })
      if (file === undefined)
        throw new CommandError('usage', 'Cannot export: pass a new file, or - to write to standard output')
      if (file === '-')
        return withMemory(options, async (memory) => write(shell, memory.export(await exported(memory, options))))
      return inMemory(shell, options, async (memory) => {
        const of = await exported(memory, options)
        const written = await withProgress(shell, 'Exporting', async (say) => {
          // About as many: facts have several records each. Past it, the line shows only what is done.
          const { messages, sessions, facts } = await memory.stats()
          const total = of.scope === undefined ? messages + sessions + 2 * facts : 0
          return exportToFile(memory, file, {
            ...of,
            onProgress: ({ records: done }) =>
              say(`Exporting: ${counted(done, 'record')}`, done < total ? { done, total, unit: 'records' } : undefined),
          })
        })
        return {
          value: written,
          text: () =>
            [
              `${counted(written.records, 'record')} in ${number(written.bytes)} bytes: ${terminalLine(written.file)}`,
              ...(options.fileKey === undefined && options.contentKey === undefined
                ? []
                : ['the archive is not encrypted: anybody who has the file can read it']),
            ].join('\n'),
        }
      })
    })
}

/** What the archive is of: everything, if neither a scope nor a session is given. */
async function exported(
  memory: Memory,
  { session, ...options }: Options,
): Promise<{ readonly scope?: string; readonly session?: string }> {
  if (session === undefined) return defined({ scope: options.scope })
  return { scope: await scopePathOf(memory, options), session }
}

/** Waits for whoever reads: a slow reader costs one piece of memory. */
async function write(shell: Shell, pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces)
    if (!shell.stdout.write(piece)) await new Promise((resolve) => shell.stdout.once('drain', resolve))
}

async function writeMarkdown(shell: Shell, options: Options): Promise<void> {
  await withMemory(options, async (memory) => {
    const { session } = options
    const handle = memory.scope(await scopePathOf(memory, options))
    return write(
      shell,
      safely(session === undefined ? factsMarkdown(handle) : sessionMarkdown(handle.session(session))),
    )
  })
}

/** A terminal obeys nothing that somebody once said. */
async function* safely(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) yield terminalText(piece)
}
