import { MemoryError } from '../domain/error.ts'
import type { Scope } from '../memory/scope.ts'
import type { OperationName } from '../wire/operations.ts'
import type { Sending, Transport } from './transport.ts'

type Source = Parameters<Scope['import']>[0]
type ImportOptions = NonNullable<Parameters<Scope['import']>[1]>
type ExportOptions = NonNullable<Parameters<Scope['export']>[0]>
type Imported = Awaited<ReturnType<Scope['import']>>

/** An archive as it arrives. A connection that is lost in the middle is an error: what came is torn. */
export async function* exportRemote(
  transport: Transport,
  operation: OperationName,
  sending: Sending,
  onProgress: ExportOptions['onProgress'],
): AsyncGenerator<string> {
  transport.checkOpen()
  const { body } = await transport.send(operation, sending)
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
  operation: OperationName,
  sending: Sending,
  source: Source,
  onProgress: ImportOptions['onProgress'],
): Promise<Imported> {
  const imported = await transport.upload<Imported>(operation, sending, source)
  onProgress?.(imported)
  return imported
}
