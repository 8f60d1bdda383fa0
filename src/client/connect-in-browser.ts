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
    'Cannot import a file by its path here: there are no files, expected scope.importBatch(…) with what you read, or memory.import(…) for an archive',
    {},
  )
}
