import { defined } from '../../domain/defined.ts'
import type { Command } from 'commander'
import { fileSource } from '../../archive/files.ts'
import { isArchive } from '../../archive/is-archive.ts'
import { checkArchive } from '../../archive/read-records.ts'
import { type Dialect, dialects } from '../../domain/dialect.ts'
import { MemoryError } from '../../domain/error.ts'
import type { Diagnosis, Finding } from '../../doctor/finding.ts'
import { type CommonOptions, command, parseList } from '../command.ts'
import { type CommandResult, writeResult } from '../command-result.ts'
import { CommandError, type ExitStatus } from '../exit-status.ts'
import { withProgress } from '../progress.ts'
import { renderDiagnosis } from '../render/diagnosis.ts'
import { counted } from '../render/layout.ts'
import type { Shell } from '../shell.ts'
import { terminalLine } from '../visible.ts'
import { keysOf, withMemory } from '../with-memory.ts'

type Options = CommonOptions & {
  readonly fix?: boolean
  readonly out?: string
  readonly dialect?: string
  readonly ignore?: readonly string[]
  readonly strict?: boolean
  readonly patch: boolean
}

export function doctorCommand(shell: Shell): Command {
  return command('doctor', 'Find what is wrong with a transcript, a memory file or a memory, and repair a copy', {
    group: 'The memory',
    examples: [
      'daybook doctor transcript.json',
      'daybook doctor session.jsonl --fix --out clean.jsonl',
      'daybook doctor agent.db --dialect anthropic --json',
    ],
  })
    .argument('[file]', 'a transcript, JSON lines, a memory file, or a memory (default: that of --memory)')
    .option('--fix', 'write a repaired copy; the original stays as it is')
    .option('--out <file>', 'where the copy goes (default: beside the original, as name.repaired.json)')
    .option('--dialect <name>', `use this dialect instead of the detected one: ${dialects.join(', ')}`)
    .option('--ignore <rule>', 'a rule to skip; repeat the option, or separate rules with commas', parseList)
    .option('--strict', 'a warning counts as an error')
    .option('--no-patch', 'do not print what a repair would change')
    .action(async (file: string | undefined, options: Options) => {
      const target = file ?? options.memory
      const { isDatabase } = await import('../../doctor/read-file.ts')
      const memory =
        target === undefined || target.includes('://') || options.fileKey !== undefined || (await isDatabase(target))
      const answer = memory
        ? await ofMemory(shell, target, options)
        : (await isArchive(target))
          ? await ofArchive(shell, target, options)
          : await ofFile(shell, target, options)
      writeResult(shell, options, answer)
      if (answer.exit !== undefined) shell.end(answer.exit)
    })
}

async function ofFile(shell: Shell, file: string, options: Options): Promise<CommandResult> {
  const { diagnoseFile, repairFile } = await import('../../doctor/examine-file.ts')
  const dialect = dialectOf(options)
  const examine = { ...defined({ dialect }), ignore: options.ignore ?? [] }
  const out = defined({ out: options.out })
  return withProgress(shell, 'Examining', async () => {
    if (options.fix !== true) {
      const diagnosis = await diagnoseFile(file, examine)
      return { ...reportOf(diagnosis, options), exit: exitOf(diagnosis.findings, options) }
    }
    const { diagnosis, left, file: copy } = await repairFile(file, { ...examine, ...out })
    const said = reportOf(diagnosis, options)
    return {
      value: { ...diagnosis, copy: copy ?? null, left },
      exit: exitOf(left, options),
      text: (look) =>
        [
          said.text(look),
          copy === undefined
            ? 'Nothing to repair: no copy was written'
            : `Repaired copy: ${terminalLine(copy)}; ${left.length === 0 ? 'nothing is left' : `${counted(left.length, 'finding')} left for you to decide`}`,
        ].join('\n'),
    }
  })
}

async function ofMemory(shell: Shell, target: string | undefined, options: Options): Promise<CommandResult> {
  if (options.fix === true)
    throw new CommandError(
      'usage',
      'Cannot repair a memory: the log keeps what happened, expected "daybook forget" for what must go or "daybook rebuild" for what is derived',
    )
  const dialect = dialectOf(options)
  const { diagnoseMemory } = await import('../../doctor/diagnose-memory.ts')
  const diagnosis = await withProgress(shell, 'Reading everything', (say) =>
    withMemory({ ...keysOf(options), ...defined({ memory: target }) }, (memory) =>
      diagnoseMemory(memory, {
        ...(dialect === undefined ? {} : { dialects: [dialect] }),
        ignore: options.ignore ?? [],
        onProgress: (messages) => say(`Reading everything: ${counted(messages, 'message')}`),
      }),
    ),
  ).catch(asDamage)
  return { ...reportOf(diagnosis, options), exit: exitOf(diagnosis.findings, options) }
}

/** Its lines vouch for each other: there is nothing to find in a whole one, and nothing to be saved of another by guessing. */
async function ofArchive(shell: Shell, file: string, options: Options): Promise<CommandResult> {
  if (options.fix === true)
    throw new CommandError('usage', 'Cannot repair an archive: expected "daybook export" to write it again')
  const diagnosis = await withProgress(shell, 'Reading everything', async (): Promise<Diagnosis> => {
    try {
      const { records } = await checkArchive(fileSource(file))
      const many = Object.values(records).reduce((sum, count) => sum + count, 0)
      return { kind: 'archive', records: many, findings: [], more: 0, ok: true, patch: [] }
    } catch (error) {
      if (!MemoryError.is(error, 'archive/damaged')) throw error
      const { line } = error.details
      const place = typeof line === 'number' ? { line } : {}
      const finding: Finding = { rule: 'damage', topic: 'damage', severity: 'error', place, message: error.message }
      return { kind: 'archive', records: 0, findings: [finding], more: 0, ok: false, patch: [] }
    }
  })
  return { ...reportOf(diagnosis, options), exit: exitOf(diagnosis.findings, options) }
}

/** A memory that is too damaged to be opened is what the doctor was called for. */
function asDamage(error: unknown): Diagnosis {
  if (!MemoryError.is(error, 'store/corrupt')) throw error
  const finding: Finding = { rule: 'damage', topic: 'damage', severity: 'error', place: {}, message: error.message }
  return { kind: 'store', records: 0, findings: [finding], more: 0, ok: false, patch: [] }
}

function reportOf(diagnosis: Diagnosis, { patch }: Options): CommandResult {
  return { value: diagnosis, text: (look) => renderDiagnosis(diagnosis, look, patch) }
}

function exitOf(findings: readonly Finding[], { strict }: Options): ExitStatus {
  if (findings.some(({ rule }) => rule === 'damage')) return 'damaged'
  return findings.some(({ severity }) => severity === 'error' || strict === true) ? 'findings' : 'ok'
}

function dialectOf({ dialect }: Options): Dialect | undefined {
  const known = dialects.find((each) => each === dialect)
  if (dialect === undefined || known !== undefined) return known
  throw new CommandError('usage', `Cannot use the dialect ${JSON.stringify(dialect)}: expected ${dialects.join(', ')}`)
}
