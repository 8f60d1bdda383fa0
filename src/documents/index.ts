export { openDocuments } from './open-documents.ts'
export type { Documents, DocumentsOptions, SaveOptions } from './documents.ts'
export { type ImportedDocument, importDocument } from './import-document.ts'
export {
  type CompactDocumentOptions,
  type CompactedDocument,
  compactDocument as compact,
} from '../state/document/compact.ts'
export { newDocument } from '../state/document/document.ts'
export type { ContextDocument, HistoryEntry } from '../api/document.ts'
export { parseDocument } from '../state/document/parse.ts'
