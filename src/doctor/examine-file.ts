import { open } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import { MemoryError } from '../domain/error.ts'
import { quote } from '../domain/refuse.ts'
import type { Diagnosis } from './finding.ts'
import { type FileLimits, readFileLines } from './read-file.ts'
import { type DoctorOptions, type RepairedDocument, repairLines } from './repair-document.ts'
import { systemProblem } from '../domain/system-problem.ts'

export interface RepairFileOptions extends DoctorOptions, FileLimits {
  /** Where the copy goes. Never over a file that is there. @default beside the original, for example `name.repaired.json` */
  readonly out?: string
}

export interface RepairedFile extends Omit<RepairedDocument, 'text'> {
  /** The copy; none was made when nothing had to be changed. */
  readonly file?: string
}

/**
 * What is wrong with a file, see `diagnose`. The file is only read.
 *
 * @throws {MemoryError} `input/unreadable-file`, `input/too-large`.
 */
export async function diagnoseFile(file: string, options: DoctorOptions & FileLimits = {}): Promise<Diagnosis> {
  const { lineBytesMax: _, fileBytesMax: __, ...examine } = options
  return repairLines(await readFileLines(file, options), examine).diagnosis
}

/**
 * Writes a repaired copy of a file and leaves the original as it is. Durable when it resolves.
 *
 * @throws {MemoryError} `input/unreadable-file`, `input/too-large`; `input/invalid` if `out` is there already.
 */
export async function repairFile(file: string, options: RepairFileOptions = {}): Promise<RepairedFile> {
  const { out = beside(file), lineBytesMax: _, fileBytesMax: __, ...examine } = options
  const { text, ...rest } = repairLines(await readFileLines(file, options), examine)
  if (!rest.changed) return rest
  await writeNew(out, text)
  return { ...rest, file: out }
}

function beside(file: string): string {
  const extension = extname(file)
  return `${file.slice(0, file.length - extension.length)}.repaired${extension}`
}

/** Readable by its owner only: what others may read of the original is not known to be what they may read of this. */
async function writeNew(file: string, text: string): Promise<void> {
  try {
    const handle = await open(file, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    const folder = await open(dirname(file), 'r')
    await folder.sync().finally(() => folder.close())
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new MemoryError(
      'input/invalid',
      `Cannot write the repaired copy ${quote(file)}: ${systemProblem(error)}`,
      { file, code },
      error,
    )
  }
}
