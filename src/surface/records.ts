import type {
  RecordPart,
  RecordPartQuery,
  RecordUpload,
  RecordsOptions,
  SentRecord,
  SentRecordChange,
} from '../api/records.ts'
import { refuse } from '../domain/refuse.ts'
import { aListOf, either, withRule } from '../shape/combine.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { OptionalField, RequiredField, Shape } from '../shape/shape.ts'
import {
  aCountUpTo,
  aFlag,
  aJson,
  aNull,
  aText,
  aTextOf,
  aWholeNumber,
  anId,
  anIsoTime,
  oneOf,
} from '../shape/values.ts'
import { noun } from './noun.ts'
import type { Operation } from './operation.ts'
import { SCOPE } from './paths.ts'

const COLLECTION = `${SCOPE}/records/{collection}`
const RECORD = `${COLLECTION}/{key}`

const RECORDS_PER_PAGE_MAX = 1_000
const CHANGES_MAX = 1_000
const PART_CHARACTERS_MAX = 1_398_104

const kind: Shape<'json' | 'bytes'> = oneOf(['json', 'bytes'])
const aBase64: Shape<string> = aTextOf(0, PART_CHARACTERS_MAX)

const sentRecord: Shape<SentRecord> = anObject('SentRecord', {
  key: mustHave(aText, 'Its key'),
  version: mustHave(aWholeNumber, 'Which change of the collection wrote it'),
  at: mustHave(anIsoTime, 'When it was written'),
  bytes: mustHave(aWholeNumber, 'The size of its content'),
  kind: mustHave(kind, 'What its content is'),
  parts: mustHave(aWholeNumber, 'How many parts its content has; 0 if it is not in parts'),
  json: mayHave(aJson, 'The value, of a record that is JSON'),
  base64: mayHave(aText, 'The bytes in base64, of a record that is bytes'),
})

const recordUpload: Shape<RecordUpload> = anObject('RecordUpload', {
  id: mustHave(anId, 'The id that its parts were uploaded with'),
  parts: mustHave(aCountUpTo(1_024), 'How many parts it has'),
  bytes: mustHave(aWholeNumber, 'The size of all parts'),
  kind: mustHave(kind, 'What the content is'),
})

const expect: OptionalField<number> = mayHave(
  aWholeNumber,
  'Change it only if it still has this version; 0 if there must be no record',
  'whatever is there',
)

const sentChange: Shape<SentRecordChange> = withRule(
  anObject('SentRecordChange', {
    key: mustHave(anId, 'The key of the record'),
    expect,
    json: mayHave(aJson, 'The new value'),
    base64: mayHave(aBase64, 'The new bytes in base64'),
    upload: mayHave(recordUpload, 'Parts that were uploaded before'),
    delete: mayHave(oneOf([true]), 'Delete the record'),
  }),
  (attempt, path, value) => {
    const given = ['json', 'base64', 'upload', 'delete'].filter((name) => Object.hasOwn(value, name))
    if (given.length !== 1) refuse(attempt, path, value, 'one of json, base64, upload and delete')
  },
)

const recordsOptions: Shape<RecordsOptions> = anObject('RecordsOptions', {
  prefix: mayHave(aText, 'Only keys that begin with this text'),
  after: mayHave(anId, 'Only keys beyond this one, in the order of the list: the last key of the page before'),
  order: mayHave(
    oneOf(['ascending', 'descending']),
    'In which order of their keys, compared byte by byte in UTF-8',
    "'ascending'",
  ),
  limit: mayHave(aCountUpTo(RECORDS_PER_PAGE_MAX), 'At most this many records', '100'),
  contents: mayHave(aFlag, 'Include contents of at most 1 MiB', 'false'),
})

const partQuery: Shape<RecordPartQuery> = anObject('RecordPartQuery', {
  part: mustHave(aWholeNumber, 'Its number, starting at 0'),
  version: mustHave(aWholeNumber, 'The version of the record that it must be of'),
})

const recordPart: Shape<RecordPart> = anObject('RecordPart', {
  upload: mustHave(anId, 'The id of the upload'),
  part: mustHave(aWholeNumber, 'Its number, starting at 0'),
  base64: mustHave(aBase64, 'Its bytes in base64, at most 1 MiB of them'),
})

const collection: RequiredField<string> = mustHave(anId, 'The name of the collection')
const key: RequiredField<string> = mustHave(anId, 'The key of the record')

type Name = 'list' | 'read' | 'part' | 'upload' | 'change'

export const recordOperations: Readonly<Record<Name, Operation>> = noun('records', {
  list: {
    help: 'List the records of a collection in the order of their keys',
    attempt: 'list records',
    call: 'recordCalls.list',
    can: 'read',
    method: 'get',
    path: COLLECTION,
    takes: { collection },
    options: recordsOptions,
    answer: anObject<{ readonly records: readonly SentRecord[] }>(undefined, {
      records: mustHave(aListOf(sentRecord), 'The records'),
    }),
    as: 'records',
    writes: false,
  },
  read: {
    help: 'Read one record; a content in parts is left out',
    attempt: 'read a record',
    call: 'recordCalls.read',
    can: 'read',
    method: 'get',
    path: RECORD,
    takes: { collection, key },
    answer: sentRecord,
    missing: 'records/not-found',
    writes: false,
  },
  part: {
    help: 'Read one part of the content of a record',
    attempt: 'read a record',
    call: 'recordCalls.part',
    can: 'read',
    method: 'get',
    path: `${RECORD}/part`,
    takes: { collection, key },
    options: partQuery,
    answer: anObject<{ readonly base64: string }>(undefined, { base64: mustHave(aText, 'The bytes in base64') }),
    as: 'base64',
    writes: false,
  },
  upload: {
    help: 'Store one part of a content that a later change refers to',
    attempt: 'write a record',
    call: 'recordCalls.upload',
    can: 'write',
    method: 'put',
    path: `${RECORD}/part`,
    takes: { collection, key },
    options: recordPart,
    answer: anObject<object>(undefined, {}),
    writes: true,
    repeat: 'harmless',
  },
  change: {
    help: 'Write and delete records, all or none',
    attempt: 'change records',
    call: 'recordCalls.change',
    can: 'write',
    method: 'post',
    path: COLLECTION,
    takes: { collection, changes: mustHave(aListOf(sentChange, { max: CHANGES_MAX }), 'The changes, in order') },
    answer: anObject<{ readonly records: readonly (SentRecord | null)[] }>(undefined, {
      records: mustHave(
        aListOf(either([sentRecord, aNull])),
        'What was written, in the order given; null for a deletion',
      ),
    }),
    as: 'records',
    writes: true,
  },
})
