import type { Memory } from '../api/memory.ts'
import { type ConnectOptions, connectWith } from './connect-with.ts'

/**
 * A memory behind a server, with the same methods as one in a file: `connectMemory('http://127.0.0.1:3773', { key })`. The link
 * that `daybook serve` prints contains the key. Sends nothing until a method is called.
 */
export function connectMemory(url: string, options: ConnectOptions = {}): Memory {
  return connectWith(
    async (...given) => {
      const { importFile } = await import('../archive/import-file.ts')
      return importFile(...given)
    },
    url,
    options,
  )
}
