import { checkOptions } from '../domain/check-options.ts'
import { MemoryError } from '../domain/error.ts'
import { checkId, checkScope } from '../domain/names.ts'
import { refuse } from '../domain/refuse.ts'
import type { Memory } from '../memory/memory.ts'
import type { Transport } from './transport.ts'

type ImportOptions = NonNullable<Parameters<Memory['import']>[1]>
type ExportOptions = NonNullable<Parameters<Memory['export']>[0]>
type Imported = Awaited<ReturnType<Memory['import']>>

/** An archive as it arrives. A connection that is lost in the middle is an error: what came is torn. */
export function exportRemote(transport: Transport, options: ExportOptions): AsyncGenerator<string> {
  transport.checkOpen()
  checkOptions('export', options, ['scope', 'session', 'onProgress'])
  const { scope, session } = options
  if (scope !== undefined) checkScope('export', scope)
  if (session !== undefined) checkId('export', 'session', session)
  if (session !== undefined && scope === undefined) refuse('export', 'scope', scope, 'the scope of the session')
  return pieces(transport, options)
}

async function* pieces(transport: Transport, { scope, session, onProgress }: ExportOptions): AsyncGenerator<string> {
  const { body } = await (scope === undefined
    ? transport.send('memory.export', {})
    : transport.send('archive.export', { names: { scope }, query: { session } }))
  const decoder = new TextDecoder()
  let [records, bytes] = [0, 0]
  try {
    for await (const piece of body ?? []) {
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

/** Sends an archive as it is read. It is sent once: whoever has it can send it again, and only what is missing is stored. */
export async function importRemote(
  transport: Transport,
  source: Parameters<Memory['import']>[0],
  options: ImportOptions,
): Promise<Imported> {
  checkOptions('import', options, ['scope', 'onProgress'])
  const { scope, onProgress } = options
  if (scope !== undefined) checkScope('import', scope)
  if (typeof source !== 'object' || source === null)
    refuse('import', 'source', source, 'the pieces of an archive, as createReadStream(file) gives them')
  const imported = await (scope === undefined
    ? transport.upload<Imported>('memory.import', {}, source)
    : transport.upload<Imported>('archive.import', { names: { scope } }, source))
  onProgress?.(imported)
  return imported
}
