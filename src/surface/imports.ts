import type {
  BranchPoint,
  FactMapping,
  ImportBatch,
  ImportBatchOptions,
  ImportLimits,
  ImportOptions,
  ImportUploadOptions,
  ImportedBatch,
  ImportedMessage,
  MappedValue,
  Mapping,
} from '../api/imports.ts'
import { importFormats } from '../domain/import-format.ts'
import { checkId } from '../domain/names.ts'
import { refuse } from '../domain/refuse.ts'
import { aListOf, either, fieldPath, withRule } from '../shape/combine.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { FieldsOf, Form, Shape } from '../shape/shape.ts'
import { aCallback, aCount, aFlag, aNull, aText, anId, checkedBy, oneOf, someText } from '../shape/values.ts'
import { aNewFact } from './fact-shapes.ts'
import { aNewMessage } from './message-shapes.ts'
import { aCountOfImports, anImportLine } from './import-shapes.ts'
import { noun } from './noun.ts'
import type { CheckedCall, Operation } from './operation.ts'
import { SCOPE } from './paths.ts'

const aPointer: Shape<string> = checkedBy({ kind: 'text' }, 'a JSON pointer', (attempt, path, given) => {
  if (typeof given !== 'string' || !/^(?:\/(?:[^/~]|~[01])*)*$/.test(given))
    refuse(attempt, path, given, 'a JSON pointer such as "/profile/skills", or "" for the whole')
})

const aMappedValue: Shape<MappedValue> = either(
  [
    someText,
    anObject<{ readonly at: string }>(undefined, { at: mustHave(aPointer, 'Where it is in the item') }),
    anObject<{ readonly inRecord: string }>(undefined, {
      inRecord: mustHave(aPointer, 'Where it is in the record that has the item'),
    }),
  ],
  { wanted: 'a text, { "at": pointer } or { "inRecord": pointer }' },
)

const factMapping: Shape<FactMapping> = withRule(
  anObject<FactMapping>(
    'FactMapping',
    {
      each: mayHave(aPointer, 'A JSON pointer to the items: a list, or one item', 'the record itself'),
      text: mayHave(aMappedValue, 'The fact as a sentence'),
      subject: mayHave(aMappedValue, 'Who or what it is about'),
      predicate: mayHave(aMappedValue, 'What about it'),
      object: mayHave(
        either([
          aMappedValue,
          anObject<{ readonly entity: MappedValue }>(undefined, {
            entity: mustHave(aMappedValue, 'The name of a person or thing: a node of the graph'),
          }),
        ]),
        'What it says of its subject',
      ),
      tags: mayHave(aMappedValue, 'Its tags'),
      validFrom: mayHave(aMappedValue, 'When it began to be true'),
      validTo: mayHave(aMappedValue, 'When it ceased to be true'),
    },
    { what: 'field' },
  ),
  (attempt, path, fact) => {
    const { text, subject, predicate, object } = fact
    const isText = text !== undefined && predicate === undefined && object === undefined
    const isTriple = text === undefined && subject !== undefined && predicate !== undefined && object !== undefined
    if (!isText && !isTriple) refuse(attempt, path, fact, 'a text, or a subject with a predicate and an object')
  },
)

const mapping: Shape<Mapping> = anObject<Mapping>(
  'Mapping',
  {
    facts: mustHave(
      aListOf(factMapping, { min: 1, wanted: 'a list with at least one mapping' }),
      'How facts are read from each record',
    ),
  },
  { what: 'field', wanted: 'an object with a list of facts' },
)

const limits: Shape<Partial<ImportLimits>> = anObject<Partial<ImportLimits>>('ImportLimits', {
  recordBytesMax: mayHave(aCount, 'Bytes of one record: a line, or an item of a list', '64 MiB'),
  conversationBytesMax: mayHave(
    aCount,
    'Bytes of all records of one conversation, in formats that have one conversation per file',
    '256 MiB',
  ),
  bytesMax: mayHave(aCount, 'Bytes read in total, after unpacking', '16 GiB'),
  filesMax: mayHave(aCount, 'Files of a folder, or entries of a zip', '100,000'),
  ratioMax: mayHave(aCount, 'How many times larger than its packed size an entry of a zip may be', '200'),
  depthMax: mayHave(aCount, 'Levels of lists and objects in a record', '128'),
})

/** The options of `scope.import`, by name. */
export const importFields: FieldsOf<ImportOptions> = {
  format: mayHave(oneOf(importFormats), 'Read every file as this format', 'detected from the content of each file'),
  mapping: mayHave(mapping, 'Which fields of each record are facts, for exports with their own fields'),
  session: mayHave(anId, 'The name of a conversation that has none in its file', 'the name of the file'),
  dryRun: mayHave(aFlag, 'Report what would be imported and change nothing', 'false'),
  limits: mayHave(limits, 'How much an import may read'),
  onProgress: mayHave(
    aCallback<NonNullable<ImportOptions['onProgress']>>(),
    'Called after each conversation with how far it is',
  ),
}

const importOptions: Shape<ImportOptions> = withRule(
  anObject<ImportOptions>('ImportOptions', importFields),
  (attempt, path, { format, mapping: given }) => {
    if (given !== undefined && format !== undefined && format !== 'mem0')
      refuse(attempt, fieldPath(path, 'format'), format, 'none, or mem0, together with a mapping')
  },
)

const aPath: Shape<string> = checkedBy({ kind: 'text', min: 1 }, 'a path', (attempt, path, given) => {
  if (typeof given !== 'string' || given === '' || given.includes('\0'))
    refuse(attempt, path, given, 'the path of a file or folder')
})

/** `scope.import(path, options)`. The file is read where the call is made, so there is no request for it. */
export const importFileCall: CheckedCall = {
  attempt: 'import',
  takes: { path: mustHave(aPath, 'The path of a file, a folder or a zip') },
  options: importOptions,
}

/** A message with an id: without one, importing twice would store it twice. */
const importedMessage: Shape<ImportedMessage> = checkedBy(
  withId(aNewMessage.form),
  'a message',
  (attempt, path, given) => checkId(attempt, `${path}.id`, (given as { readonly id?: unknown } | null | undefined)?.id),
)

function withId(form: Form): Form {
  if (form.kind !== 'object') return form
  return { ...form, name: 'ImportedMessage', fields: { ...form.fields, id: mustHave(anId, 'Its id') } }
}

const batch: Shape<ImportBatch> = withRule(
  anObject<ImportBatch>(
    'ImportBatch',
    {
      session: mayHave(anId, 'The session that the messages are for'),
      from: mayHave(
        anObject<BranchPoint>(
          'BranchPoint',
          {
            session: mustHave(anId, 'The other session'),
            after: mustHave(
              either([anId, aNull]),
              'The id of its last message that both share; null if they share none',
            ),
          },
          { what: 'field' },
        ),
        'The message of another session after which this session begins as a fork of it',
      ),
      messages: mayHave(
        aListOf(importedMessage, { wanted: 'an array of messages' }),
        'Messages in order, each with its id',
      ),
      facts: mayHave(aListOf(aNewFact, { wanted: 'an array of facts' }), 'Facts'),
    },
    { what: 'field' },
  ),
  (attempt, path, { session, messages }) => {
    if ((session === undefined) !== (messages === undefined))
      refuse(attempt, fieldPath(path, 'session'), session, 'a session and its messages, or neither')
  },
)

const importedBatch: Shape<ImportedBatch> = anObject('ImportedBatch', {
  messages: mustHave(aCountOfImports, 'How many messages are new, and how many were here already'),
  changed: mustHave(aListOf(aText), 'Ids of messages that are here with other content'),
  forgotten: mayHave(aListOf(aText), 'Ids of messages that were forgotten here'),
  facts: mustHave(aCountOfImports, 'How many facts are new, and how many were here already'),
  refused: mayHave(oneOf([true]), 'Nothing was imported: the session with this id is another conversation'),
})

/** The options of an upload: those of `scope.import` that fit into a query. */
const uploadOptions: Shape<ImportUploadOptions> = anObject<ImportUploadOptions>('ImportUploadOptions', {
  format: importFields.format,
  session: importFields.session,
  dryRun: importFields.dryRun,
})

const aFileName: Shape<string> = checkedBy({ kind: 'text', min: 1 }, 'the name of a file', (attempt, path, given) => {
  if (typeof given !== 'string' || !/^(?!\.\.?$)[^/\\\0]{1,200}$/u.test(given))
    refuse(attempt, path, given, 'the name of a file, without folders')
})

export const importOperations: Readonly<Record<'batch' | 'file', Operation>> = noun('imports', {
  batch: {
    help: 'Import conversations and facts from another program. They are quarantined until somebody endorses them',
    attempt: 'import a batch',
    call: 'importBatch',
    can: 'write',
    method: 'post',
    path: `${SCOPE}/imports`,
    takes: { batch: mustHave(batch, 'Messages of one session, or facts') },
    options: anObject<ImportBatchOptions>('ImportBatchOptions', {
      dryRun: mayHave(aFlag, 'Report what would be imported and change nothing', 'false'),
    }),
    answer: importedBatch,
    writes: true,
    repeat: 'harmless',
  },
  file: {
    help: 'Import a file or a zip of another program, sent as bytes. Lines with progress come first, then the report',
    attempt: 'import a file',
    call: 'import',
    can: 'write',
    method: 'post',
    path: `${SCOPE}/imports/file`,
    takes: { name: mustHave(aFileName, 'The name of the file, which may name a conversation that has no name in it') },
    options: uploadOptions,
    answer: anImportLine,
    writes: true,
    repeat: 'harmless',
    patient: true,
    streams: { in: 'application/octet-stream', item: aText, out: 'application/x-ndjson' },
  },
})
