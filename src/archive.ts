/** Taking a memory out, bringing one in, copies of it: `daybook/archive`. */
export { exportToFile, importFromFile } from './archive/files.ts'
export { factsMarkdown, sessionMarkdown } from './archive/markdown.ts'
export { checkArchive } from './archive/read-records.ts'
export { restore } from './memory/restore.ts'

export type { ExportOptions, ExportProgress } from './archive/export-archive.ts'
export type { Imported, ImportOptions, ImportProgress } from './archive/import-archive.ts'
export type { ArchiveSource, CheckedArchive, Manifest } from './archive/read-records.ts'
export type { Backup } from './memory/backup.ts'
export type { Restored, RestoreOptions } from './memory/restore.ts'
export type * from './ports/archive-store.ts'
