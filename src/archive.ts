/** Taking a memory out, bringing one in, copies of it: `daybook/archive`. */
export type {
  ArchiveImportOptions,
  ArchiveSource,
  Backup,
  Copied,
  CopyProgress,
  ExportOptions,
  ExportProgress,
  ImportProgress,
  Imported,
  MoveOptions,
  RestoreOptions,
  Restored,
  SideOptions,
} from './api/archive.ts'
export { exportToFile, importFromFile } from './archive/files.ts'
export { factsMarkdown, sessionMarkdown } from './archive/markdown.ts'
export { type CheckedArchive, type Manifest, checkArchive } from './archive/read-records.ts'
export { moveMemory } from './archive/move.ts'
export { restore } from './archive/restore.ts'
