import type { Memory } from '../api/memory.ts'
import { MemoryError } from '../domain/error.ts'
import { type ConnectOptions, connectWith } from './connect-with.ts'

/** The same without files: for browsers, Workers and edge runtimes. */
export function connectInBrowser(url: string, options: ConnectOptions = {}): Memory {
  return connectWith(noFiles, url, options)
}

async function noFiles(): Promise<never> {
  throw new MemoryError(
    'input/invalid',
    'Cannot import a file by its path here: a browser has no file paths. Read the file and pass its content to scope.importBatch(…), or memory.import(…) for an archive',
    {},
  )
}
