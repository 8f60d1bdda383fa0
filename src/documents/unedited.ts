import { createHash } from 'node:crypto'
import type { ContextDocument } from '../api/document.ts'

/** Whether a file says what the last export of this scope wrote into it, so that the next one may replace it. */
export function isUnedited(scope: string, document: ContextDocument): boolean {
  return document.exported === exportHash(scope, document)
}

/** A hash of what a document says. Two scopes may have sessions of one name, so the scope is in it. */
export function exportHash(scope: string, document: ContextDocument): string {
  return createHash('sha256')
    .update(JSON.stringify([scope, contentOf(document)]))
    .digest('hex')
}

/** The content without what only its file has: the version, the time of saving and the hash of the export. */
export function contentOf(document: ContextDocument): string {
  const { version: _version, updated_at: _at, exported: _hash, ...rest } = document
  return JSON.stringify(rest)
}
