import type { ArchiveImportOptions, ArchiveSource, ExportOptions, Imported } from '../api/archive.ts'
import { wholeArchiveOperations } from '../surface/archive.ts'
import { checkCall } from '../surface/check-call.ts'
import type { ArchiveWiring } from './wiring.ts'

/** The archive of what was asked for. Nothing is read before the first piece is asked for, except the arguments. */
export function exportFrom(parts: ArchiveWiring, options: ExportOptions): AsyncIterable<string> {
  parts.work.checkOpen()
  checkCall(wholeArchiveOperations.export, options)
  return pieces(parts, options)
}

async function* pieces(parts: ArchiveWiring, options: ExportOptions): AsyncGenerator<string> {
  // Loaded when it is wanted: few programs ever export.
  const { exportArchive } = await import('./export-archive.ts')
  for await (const piece of exportArchive(parts.store, options)) {
    yield piece
    parts.work.checkOpen()
  }
}

export async function importInto(
  parts: ArchiveWiring,
  source: ArchiveSource,
  options: ArchiveImportOptions,
): Promise<Imported> {
  parts.work.checkOpen()
  checkCall(wholeArchiveOperations.import, source, options)
  return parts.work.begin(imported(parts, source, options))
}

async function imported(parts: ArchiveWiring, source: ArchiveSource, options: ArchiveImportOptions): Promise<Imported> {
  const { importArchive } = await import('./import-archive.ts')
  try {
    return await importArchive(parts.store, source, options)
  } finally {
    // What was not learned from where it came from is learned from here.
    parts.runner.nudge()
  }
}
