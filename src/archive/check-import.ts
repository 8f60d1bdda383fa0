import { importFormats } from './importers/format.ts'
import { checkMapping } from './importers/mapping.ts'
import type { ImportOptions } from './import-file.ts'
import { importLimits } from './source/limits.ts'
import { checkOptions } from '../domain/check-options.ts'
import { checkId } from '../domain/names.ts'
import { refuse } from '../domain/refuse.ts'

/** Refuses what cannot be meant, here or behind a server: reading begins on this side. */
export function checkImport(path: unknown, options: ImportOptions): void {
  if (typeof path !== 'string' || path === '' || path.includes('\0'))
    refuse('import', 'path', path, 'the path of a file or folder')
  checkOptions('import', options, ['format', 'mapping', 'session', 'dryRun', 'limits', 'onProgress'])
  const { format, mapping, session, dryRun, limits, onProgress } = options
  if (format !== undefined && !importFormats.includes(format))
    refuse('import', 'format', format, importFormats.join(', '))
  if (mapping !== undefined) checkMapping(mapping)
  if (mapping !== undefined && format !== undefined && format !== 'mem0')
    refuse('import', 'format', format, 'none, or mem0, beside a mapping')
  if (session !== undefined) checkId('import', 'session', session)
  if (dryRun !== undefined && typeof dryRun !== 'boolean') refuse('import', 'dryRun', dryRun, 'true or false')
  if (limits !== undefined) {
    checkOptions('import', limits, Object.keys(importLimits), 'limit')
    for (const [name, value] of Object.entries(limits))
      if (!Number.isSafeInteger(value) || value < 1)
        refuse('import', `limits.${name}`, value, 'a positive whole number')
  }
  if (onProgress !== undefined && typeof onProgress !== 'function')
    refuse('import', 'onProgress', onProgress, 'a function')
}
