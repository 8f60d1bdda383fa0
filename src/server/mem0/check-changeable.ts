import type { Message } from '../../domain/message.ts'
import { refuse } from '../../domain/refuse.ts'
import { keptOf } from './memory-json.ts'

/** @throws {MemoryError} `input/invalid` if a memory was added as immutable. */
export function checkChangeable(id: string, message: Message): void {
  if (keptOf(message)?.['immutable'] === true)
    refuse('update a memory', 'memory_id', id, 'a memory that was not added as immutable')
}
