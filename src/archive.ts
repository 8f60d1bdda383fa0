/** Taking a memory out, bringing one in, copies of it: `daybook/archive`. */
export type {
  ArchiveImportOptions,
  ArchiveSource,
  Backup,
  ExportOptions,
  ExportProgress,
  ImportProgress,
  Imported,
} from './api/archive.ts'
export { exportToFile, importFromFile } from './archive/files.ts'
export { factsMarkdown, sessionMarkdown } from './archive/markdown.ts'
export { type CheckedArchive, type Manifest, checkArchive } from './archive/read-records.ts'
export { type MoveOptions, type Moved, type SideOptions, moveMemory } from './memory/move.ts'
export { type RestoreOptions, type Restored, restore } from './memory/restore.ts'

export type { CopyProgress } from './archive/copy-archive.ts'
export type * from './ports/archive-store.ts'
