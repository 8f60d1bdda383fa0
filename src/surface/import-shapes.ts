import type {
  ImportCounts,
  ImportLine,
  ImportLocation,
  ImportProblemLine,
  ImportProgressLine,
  ImportReport,
  ImportReportLine,
  Skipped,
} from '../api/imports.ts'
import { importFormats } from '../domain/import-format.ts'
import { skipReasons } from '../domain/skip-reason.ts'
import { aListOf, either } from '../shape/combine.ts'
import { aMapOf, anObject, mayHave, mustHave } from '../shape/object.ts'
import type { Shape } from '../shape/shape.ts'
import { aFlag, aJsonObject, aNull, aText, aWholeNumber, oneOf } from '../shape/values.ts'

export const aCountOfImports: Shape<ImportCounts> = anObject('ImportCounts', {
  new: mustHave(aWholeNumber, 'How many are new'),
  present: mustHave(aWholeNumber, 'How many were here already'),
})

const location: Shape<ImportLocation> = anObject('ImportLocation', {
  file: mustHave(aText, 'The file, relative to the path that was given; for an entry of a zip its name in the zip'),
  line: mayHave(aWholeNumber, 'The line, counted from 1, in files of JSON lines'),
  item: mayHave(aWholeNumber, 'The item, counted from 1, in files that are one list'),
  id: mayHave(aText, 'The id of a conversation or message in the file'),
})

const report: Shape<ImportReport> = anObject('ImportReport', {
  dryRun: mustHave(aFlag, 'Nothing was changed'),
  files: mustHave(
    aListOf(
      anObject<ImportReport['files'][number]>(undefined, {
        file: mustHave(aText, 'Its name'),
        format: mustHave(either([oneOf(importFormats), aNull]), 'Its format'),
        records: mustHave(aWholeNumber, 'How many records it has'),
      }),
    ),
    'The first files with their formats; null for files of unknown formats',
  ),
  fileCount: mustHave(aWholeNumber, 'How many files there are'),
  conversations: mustHave(aWholeNumber, 'How many conversations there are'),
  sessions: mustHave(
    aListOf(
      anObject<ImportReport['sessions'][number]>(undefined, {
        session: mustHave(aText, 'Its id'),
        messages: mustHave(aWholeNumber, 'How many messages it has'),
        title: mayHave(aText, 'Its title'),
        from: mayHave(aText, 'The session that it is a branch of'),
      }),
    ),
    'The first sessions; `from` names the session that a branch leaves',
  ),
  sessionCount: mustHave(aWholeNumber, 'How many sessions there are'),
  branchCount: mustHave(aWholeNumber, 'How many of the sessions are branches of others'),
  messages: mustHave(
    anObject<ImportReport['messages']>(undefined, {
      new: mustHave(aWholeNumber, 'How many are new'),
      present: mustHave(aWholeNumber, 'How many were here already'),
      changed: mustHave(aWholeNumber, 'How many are here with other content'),
    }),
    'How many messages are new, were here already, or are here with other content, which stays',
  ),
  facts: mustHave(aCountOfImports, 'How many facts are new, and how many were here already'),
  skipped: mustHave(
    aListOf(
      anObject<Skipped>('Skipped', {
        place: mustHave(location, 'Where it is'),
        reason: mustHave(oneOf(skipReasons), 'Why it is skipped'),
        message: mustHave(aText, 'What was found there'),
      }),
    ),
    'The first things that are not imported, or only in part',
  ),
  skippedCount: mustHave(aMapOf(aWholeNumber), 'How many things are skipped, by reason'),
  warnings: mayHave(
    aListOf(aText),
    'What was imported and may not be what you want, such as the memories of several users in one scope',
  ),
})

const progress: Shape<ImportProgressLine> = anObject('ImportProgressLine', {
  type: mustHave(oneOf(['progress']), 'What the line is'),
  file: mustHave(aText, 'The file that is being read'),
  conversations: mustHave(aWholeNumber, 'Conversations so far'),
  messages: mustHave(aWholeNumber, 'Messages so far'),
  bytes: mustHave(aWholeNumber, 'Bytes read so far, unpacked'),
})

const reported: Shape<ImportReportLine> = anObject('ImportReportLine', {
  type: mustHave(oneOf(['report']), 'What the line is'),
  report: mustHave(report, 'What was imported, or would be'),
})

const failed: Shape<ImportProblemLine> = anObject('ImportProblemLine', {
  type: mustHave(oneOf(['problem']), 'What the line is'),
  problem: mustHave(aJsonObject, 'What went wrong, as a problem document'),
})

/** One line of the response to an upload. */
export const anImportLine: Shape<ImportLine> = either([progress, reported, failed], { name: 'ImportLine' })
