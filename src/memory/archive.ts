import type { ExportOptions } from '../archive/export-archive.ts'
import type { Imported, ArchiveImportOptions } from '../archive/import-archive.ts'
import type { ArchiveSource } from '../archive/read-records.ts'
import { checkOptions } from '../domain/check-options.ts'
import { checkId, checkScope } from '../domain/names.ts'
import { refuse } from '../domain/refuse.ts'
import type { Wiring } from './wiring.ts'

/** The archive of what was asked for. Nothing is read before the first piece is asked for, except the arguments. */
export function exportFrom(parts: Wiring, options: ExportOptions): AsyncIterable<string> {
  parts.work.checkOpen()
  checkOptions('export', options, ['scope', 'session', 'onProgress'])
  const { scope, session, onProgress } = options
  if (scope !== undefined) checkScope('export', scope)
  if (session !== undefined) checkId('export', 'session', session)
  if (session !== undefined && scope === undefined) refuse('export', 'scope', scope, 'the scope of the session')
  checkListener('export', onProgress)
  return pieces(parts, options)
}

async function* pieces(parts: Wiring, options: ExportOptions): AsyncGenerator<string> {
  // Loaded when it is wanted: few programs ever export.
  const { exportArchive } = await import('../archive/export-archive.ts')
  for await (const piece of exportArchive(parts.store, options)) {
    yield piece
    parts.work.checkOpen()
  }
}

export async function importInto(
  parts: Wiring,
  source: ArchiveSource,
  options: ArchiveImportOptions,
): Promise<Imported> {
  parts.work.checkOpen()
  checkOptions('import', options, ['scope', 'onProgress'])
  if (options.scope !== undefined) checkScope('import', options.scope)
  checkListener('import', options.onProgress)
  if (!isSource(source))
    refuse('import', 'source', source, 'the pieces of an archive, as createReadStream(file) gives them')
  return parts.work.begin(imported(parts, source, options))
}

async function imported(parts: Wiring, source: ArchiveSource, options: ArchiveImportOptions): Promise<Imported> {
  const { importArchive } = await import('../archive/import-archive.ts')
  try {
    return await importArchive(parts.store, source, options)
  } finally {
    // What was not learned from where it came from is learned from here.
    parts.runner.nudge()
  }
}

function isSource(source: unknown): source is ArchiveSource {
  return typeof source === 'object' && source !== null && (Symbol.asyncIterator in source || Symbol.iterator in source)
}

function checkListener(attempt: string, listener: unknown): void {
  if (listener !== undefined && typeof listener !== 'function') refuse(attempt, 'onProgress', listener, 'a function')
}
