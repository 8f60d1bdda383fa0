import { resolve } from 'node:path'
import { refuse } from '../domain/refuse.ts'
import { nodeDisk } from './disk.ts'
import { Documents, type DocumentsOptions } from './documents.ts'

/** Documents in a directory, one file a session. Nothing is read or made before it is asked for. */
export function openDocuments(directory: string, options: DocumentsOptions = {}): Documents {
  if (typeof directory !== 'string' || directory === '' || directory.includes('\0'))
    refuse('open documents', 'directory', directory, 'the path of a directory')
  // Resolved once: a later change of the working directory must not change where files are.
  return new Documents(resolve(directory), options, nodeDisk)
}
