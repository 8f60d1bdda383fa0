import type { ArchiveImportOptions, ArchiveSource, ExportOptions, Imported } from '../api/archive.ts'
import { MemoryError } from '../domain/error.ts'
import { archiveOperations, wholeArchiveOperations } from '../surface/archive.ts'
import { checkCall } from '../surface/check-call.ts'
import { chunksOf } from './chunks-of.ts'
import type { Transport } from './transport.ts'

/** An archive as it arrives. A connection that is lost in the middle is an error: the archive is incomplete. */
export function exportRemote(transport: Transport, options: ExportOptions): AsyncGenerator<string> {
  transport.checkOpen()
  checkCall(wholeArchiveOperations.export, options)
  return pieces(transport, options)
}

async function* pieces(transport: Transport, { scope, session, onProgress }: ExportOptions): AsyncGenerator<string> {
  const { body } = await (scope === undefined
    ? transport.send(wholeArchiveOperations.export, {})
    : transport.send(archiveOperations.export, { names: { scope }, query: { session } }))
  const decoder = new TextDecoder()
  let [records, bytes] = [0, 0]
  try {
    for await (const piece of chunksOf(body)) {
      const text = decoder.decode(piece, { stream: true })
      bytes += piece.length
      records += text.split('\n').length - 1
      yield text
      onProgress?.({ records, bytes })
    }
  } catch (error) {
    throw MemoryError.is(error)
      ? error
      : new MemoryError('server/unavailable', 'Cannot export: the connection was lost in the middle', {}, error)
  }
}

/** Sends an archive as it is read, once. If it fails, send it again: only what is missing is stored. */
export async function importRemote(
  transport: Transport,
  source: ArchiveSource,
  options: ArchiveImportOptions,
): Promise<Imported> {
  checkCall(wholeArchiveOperations.import, source, options)
  const { scope, onProgress } = options
  const imported = await (scope === undefined
    ? transport.upload<Imported>(wholeArchiveOperations.import, {}, source)
    : transport.upload<Imported>(archiveOperations.import, { names: { scope } }, source))
  onProgress?.(imported)
  return imported
}
