import { defined } from '../domain/defined.ts'
import type { Memory } from '../api/memory.ts'
import type { MemoryOptions } from '../api/open-memory.ts'
import { checkCall } from '../surface/check-call.ts'
import { openCalls } from '../surface/open-memory.ts'
import { parseLocation } from '../opening/location.ts'

/**
 * Opens a memory: a file, which is created if it is missing, `:memory:` for one that ends with the process, a PostgreSQL
 * database (`postgres://…`; if it names several servers, such as `postgres://app@one,two/name`, the one that takes writes), or the
 * address of a server (`http://…`, with its `key`).
 *
 * @example
 * import { openMemory } from 'daybook'
 * await using memory = await openMemory(':memory:')
 * await memory.scope('acme/ada').session('support-42').append({ role: 'user', content: 'Hello' })
 *
 * @throws {MemoryError} `store/…` if the file cannot be opened, is not ours, is damaged or was written by a newer version.
 */
export async function openMemory(location: string, options: MemoryOptions = {}): Promise<Memory> {
  const place = parseLocation('open a memory', 'location', location)
  if (place.kind === 'server') return connect(place.address, options)
  // Loaded when it is wanted, like the client: half of what there is to load is needed only by one of the two.
  const { openMemoryWith } = await import('./open-memory-with.ts')
  return openMemoryWith(location, options)
}

async function connect(address: string, options: MemoryOptions): Promise<Memory> {
  checkCall(openCalls.server, options)
  const { connectMemory } = await import('../client/connect-memory.ts')
  return connectMemory(address, defined({ key: options.key }))
}
