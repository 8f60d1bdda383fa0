import type {
  ArchiveEndLine,
  ArchiveImportOptions,
  ArchiveLine,
  ArchiveManifestLine,
  ArchiveRecordLine,
  ArchiveSource,
  ExportOptions,
  Imported,
  ScopeExportOptions,
} from '../api/archive.ts'
import { refuse } from '../domain/refuse.ts'
import { either, fieldPath, withRule } from '../shape/combine.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { FieldsOf, RequiredField, Shape } from '../shape/shape.ts'
import {
  aCallback,
  aJsonObject,
  aScope,
  aText,
  aWholeNumber,
  aWholeNumberFrom,
  anId,
  checkedBy,
  oneOf,
} from '../shape/values.ts'
import { noun } from './noun.ts'
import type { Operation } from './operation.ts'
import { SCOPE } from './paths.ts'

const NDJSON = 'application/x-ndjson'

const hash: RequiredField<string> = mustHave(aText, 'The hash of the line')

const archiveLine: Shape<ArchiveLine> = either(
  [
    anObject<ArchiveManifestLine>('ArchiveManifestLine', {
      hash,
      kind: mustHave(oneOf(['manifest']), 'It is the first line'),
      format: mustHave(aText, 'The name of the format'),
      version: mustHave(aWholeNumberFrom(1, 'a version'), 'The version of the format'),
      of: mustHave(
        anObject<ArchiveManifestLine['of']>(undefined, {
          scope: mayHave(aText, 'The scope'),
          session: mayHave(aText, 'The session'),
        }),
        'What was exported: a scope, one of its sessions, or the whole memory',
      ),
    }),
    anObject<ArchiveRecordLine>('ArchiveRecordLine', {
      hash,
      kind: mustHave(aText, 'What it is a record of, for example `session`, `message` or `fact`'),
      row: mustHave(aJsonObject, 'Its values by name'),
    }),
    anObject<ArchiveEndLine>('ArchiveEndLine', {
      hash,
      kind: mustHave(oneOf(['end']), 'It is the last line'),
      records: mustHave(aWholeNumber, 'How many lines there are before it'),
      sha256: mustHave(aText, 'The hash of all bytes before it'),
    }),
  ],
  { name: 'ArchiveLine' },
)

const scopeExportFields: FieldsOf<ScopeExportOptions> = {
  session: mayHave(anId, 'Only this session and those it was forked from', 'all sessions'),
  onProgress: mayHave(
    aCallback<NonNullable<ScopeExportOptions['onProgress']>>(),
    'Called now and then with how far it is',
  ),
}

const scopeExportOptions: Shape<ScopeExportOptions> = anObject('ScopeExportOptions', scopeExportFields)

const exportOptions: Shape<ExportOptions> = withRule(
  anObject<ExportOptions>('ExportOptions', {
    scope: mayHave(aScope, 'Only this scope and all scopes below', 'the whole memory'),
    ...scopeExportFields,
  }),
  (attempt, path, { scope, session }) => {
    if (session !== undefined && scope === undefined)
      refuse(attempt, fieldPath(path, 'scope'), scope, 'the scope of the session')
  },
)

const importFields: FieldsOf<ArchiveImportOptions> = {
  scope: mayHave(aScope, 'Refuse an archive that has something outside this scope', 'anything is imported'),
  onProgress: mayHave(
    aCallback<NonNullable<ArchiveImportOptions['onProgress']>>(),
    'Called now and then with how far it is',
  ),
}

const imported: Shape<Imported> = anObject('Imported', {
  records: mustHave(aWholeNumber, 'Records of the archive that were read'),
  bytes: mustHave(aWholeNumber, 'Bytes of the archive that were read'),
  stored: mustHave(aWholeNumber, 'Records that were stored'),
  forgotten: mustHave(aWholeNumber, 'Records that were not stored, because what they are about was forgotten here'),
  sessions: mustHave(aWholeNumber, 'Sessions in the archive, without those that were forgotten here'),
  messages: mustHave(aWholeNumber, 'Messages in the archive, without those of sessions that were forgotten here'),
})

/** The body of the request over HTTP. */
const source: RequiredField<ArchiveSource> = mustHave(
  checkedBy<ArchiveSource>({ kind: 'local' }, 'the pieces of an archive', (attempt, path, given) => {
    if (typeof given === 'object' && given !== null && (Symbol.asyncIterator in given || Symbol.iterator in given))
      return
    refuse(attempt, path, given, 'the pieces of an archive, for example createReadStream(file)')
  }),
  'The pieces of an archive, for example `createReadStream(file)`',
)

const exporting = {
  attempt: 'export',
  call: 'export',
  can: 'read',
  method: 'get',
  answer: archiveLine,
  writes: false,
  streams: { out: NDJSON },
} as const

// An archive brings facts with the trust that it says they have: only an admin may vouch for that.
const importing = {
  attempt: 'import',
  call: 'import',
  can: 'admin',
  method: 'post',
  takes: { source },
  answer: imported,
  writes: true,
  repeat: 'harmless',
  streams: { in: NDJSON, item: archiveLine },
  patient: true,
} as const

/** Archives of one scope. */
export const archiveOperations: Readonly<Record<'export' | 'import', Operation>> = noun('archive', {
  export: {
    ...exporting,
    help: 'Export a scope and all scopes below, or one session, as an archive',
    path: `${SCOPE}/archive`,
    options: scopeExportOptions,
  },
  import: {
    ...importing,
    help: 'Import an archive as it arrives: store what the scope does not have yet',
    path: `${SCOPE}/archive`,
  },
})

/** Archives of the whole memory. */
export const wholeArchiveOperations: Readonly<Record<'export' | 'import', Operation>> = noun('memory', {
  export: {
    ...exporting,
    help: 'Export the whole memory, a scope or a session as an archive',
    path: '/v1/archive',
    options: exportOptions,
  },
  import: {
    ...importing,
    help: 'Import an archive as it arrives: store what the memory does not have yet',
    path: '/v1/archive',
    options: anObject<ArchiveImportOptions>('ArchiveImportOptions', importFields),
  },
})
