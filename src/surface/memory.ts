import type { Backup } from '../api/archive.ts'
import type { Settled } from '../api/jobs.ts'
import type {
  AuditPosition,
  Damage,
  ForgottenReport,
  HeadReport,
  IndexReport,
  KnowledgePosition,
  MemoryHead,
  MemoryStats,
  MigrationStep,
  Sample,
  SampleFound,
  Schema,
  SessionPosition,
  StatePosition,
  StatedRows,
  VerifyOptions,
  VerifyReport,
} from '../api/upkeep.ts'
import type { ScopeSummary, ScopesOptions, ScopesPage } from '../api/scopes.ts'
import { checkSample } from '../domain/check-sample.ts'
import type { ForgetReceipt } from '../domain/forget-receipt.ts'
import { aListOf, either } from '../shape/combine.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { RequiredField, Shape } from '../shape/shape.ts'
import {
  aCount,
  aCallback,
  aFlag,
  aNull,
  aNumber,
  aScope,
  aText,
  aWholeNumber,
  anId,
  anIsoTime,
  checkedBy,
  oneOf,
} from '../shape/values.ts'
import { aFilePath } from './restore.ts'
import { noun } from './noun.ts'
import type { Operation } from './operation.ts'

const count = (help: string): RequiredField<number> => mustHave(aWholeNumber, help)

const settled: Shape<Settled> = anObject('Settled', {
  waiting: count('Jobs that wait for their next attempt'),
  failed: count('Jobs that failed and wait for a person'),
})

const damage: Shape<Damage> = anObject('Damage', {
  scope: mustHave(aText, 'The scope; empty if it belongs to none, such as the audit trail'),
  session: mustHave(aText, 'The session; empty if it belongs to none'),
  seq: mustHave(either([aWholeNumber, aNull]), 'The position of the message; null if it is about no single message'),
  what: mustHave(
    oneOf(['message', 'revision', 'amendment', 'chain', 'order', 'blob', 'session', 'audit', 'row', 'index', 'head']),
    'What is damaged',
  ),
  data: mustHave(
    oneOf(['primary', 'derived']),
    'Primary data cannot be made again from anything else; derived data can',
  ),
  message: mustHave(aText, 'What was found, in words'),
  remedy: mustHave(
    oneOf(['restore', 'rebuild']),
    'What to do: restore a backup, or rebuild what is derived from the log',
  ),
})

const verifyReport: Shape<VerifyReport> = anObject('VerifyReport', {
  ok: mustHave(aFlag, 'Nothing is wrong'),
  file: mustHave(aListOf(aText), "What the database's own check of its file found"),
  rows: count('Rows of other tables that were read: facts, state, keys and everything else that is not the log'),
  sessions: count('Sessions that were read'),
  messages: count('Messages that were read, without forgotten ones'),
  forgotten: count('Tombstones of forgotten messages'),
  sealed: mayHave(
    aWholeNumber,
    'Encrypted messages whose key is missing: only their place in the hash chain was checked',
  ),
  index: mayHave(
    anObject<IndexReport>('IndexReport', {
      scopes: count('Scopes whose index was compared'),
      skipped: count('Scopes that were not compared, because not everything in them is indexed yet'),
    }),
    'What the search index was compared with',
  ),
  head: mayHave(
    anObject<HeadReport>('HeadReport', {
      at: mustHave(anIsoTime, 'When the statement was made'),
      sessions: count('Sessions in the statement'),
      forgotten: count('Sessions of the statement that were forgotten since'),
      rows: count('Rows of other tables in the statement'),
      gone: count('Rows of the statement that are gone where something was forgotten or replaced since'),
    }),
    'What the given statement of heads was compared with',
  ),
  damage: mustHave(aListOf(damage), 'Every place where stored data has changed since it was written'),
})

const memoryHead: Shape<MemoryHead> = anObject(
  'MemoryHead',
  {
    format: mustHave(oneOf(['daybook-head-2']), 'The format of the statement'),
    at: mustHave(anIsoTime, 'When it was made'),
    sessions: mustHave(
      aListOf(
        anObject<SessionPosition>('SessionPosition', {
          key: count('The number of the session in this database'),
          scope: mustHave(aText, 'Its scope'),
          session: mustHave(aText, 'Its id'),
          seq: count('The position of its last message'),
          version: count('Its version'),
          link: mustHave(aText, 'The last link of its hash chain, in hexadecimal'),
        }),
      ),
      'The end of each session, oldest session first',
    ),
    knowledge: mustHave(
      aListOf(
        anObject<KnowledgePosition>('KnowledgePosition', {
          root: mustHave(aText, 'The root scope'),
          version: count('The version'),
        }),
      ),
      'The newest version of the facts of each root scope',
    ),
    state: mustHave(
      aListOf(
        anObject<StatePosition>('StatePosition', {
          scope: mustHave(aText, 'Its scope'),
          session: mustHave(aText, 'The session or the place that it belongs to'),
          version: count('Its version'),
        }),
      ),
      'How often each state was changed: of sessions, their blocks, blocks of scopes, and collections of records',
    ),
    audit: mustHave(
      either([
        anObject<AuditPosition>('AuditPosition', {
          number: count('Its number'),
          chain: mustHave(aText, 'Its hash'),
        }),
        aNull,
      ]),
      'The last entry of the audit trail; null if there is none',
    ),
    rows: mustHave(
      aListOf(
        anObject<StatedRows>('StatedRows', {
          table: mustHave(aText, 'The table'),
          scope: mustHave(aText, 'Their scope; empty if they belong to none'),
          session: mustHave(
            aText,
            'Their session or place, or the number of their session; empty if they belong to none',
          ),
          hashes: mustHave(aText, 'Hashes of 6 bytes each, one after the other, in base64'),
        }),
      ),
      'Rows of other tables: facts, state, keys, and what was forgotten',
    ),
  },
  { wanted: 'a statement that head() returned' },
)

const verifyOptions: Shape<VerifyOptions> = anObject('VerifyOptions', {
  head: mayHave(
    memoryHead,
    'A statement that `head` returned earlier: proves that nothing was cut off the end since',
    'none',
  ),
  index: mayHave(aFlag, 'Compare the search index with one that is made from the log, in memory', 'true'),
  onProgress: mayHave(
    aCallback<NonNullable<VerifyOptions['onProgress']>>(),
    'Called after each session with how far it is',
  ),
})

const forgottenReport: Shape<ForgottenReport> = anObject('ForgottenReport', {
  ok: mustHave(aFlag, 'Nothing was found, and nothing is left to do'),
  id: mustHave(aText, 'The id of the receipt'),
  samples: count('How many samples were looked for'),
  pending: mustHave(aFlag, 'Pages of deleted rows may still be in the file: see `pending` of the receipt'),
  found: mustHave(
    aListOf(
      anObject<SampleFound>('SampleFound', {
        sample: count('Which of the samples, counted from 0'),
        form: mustHave(aText, 'In which form: `utf-8`, `json`, `utf-16`, `folded`, `stem` or `float32`'),
        where: mustHave(aText, 'A table and column, or a file and an offset'),
        scope: mayHave(aText, 'The scope of the row, if it has one'),
        session: mayHave(aText, 'The session of the row, if it has one'),
      }),
    ),
    'Where samples were found, at most 1,000 places',
  ),
})

const schema: Shape<Schema> = anObject('Schema', {
  version: count('Its version: how many migrations were applied'),
  partitions: count('How many partitions the large tables have: 1, unless a PostgreSQL database was created with more'),
  migrations: mustHave(
    aListOf(
      anObject<MigrationStep>('MigrationStep', {
        number: count('Its number'),
        name: mustHave(aText, 'Its name'),
        appliedAt: mustHave(anIsoTime, 'When it was applied'),
      }),
    ),
    'The migrations, oldest first',
  ),
})

const memoryStats: Shape<MemoryStats> = anObject('MemoryStats', {
  store: mustHave(aText, 'The database, for example `sqlite 3.50.2` or `postgres 17.2`'),
  schemaVersion: count('The version of its schema'),
  vectorSearch: mustHave(
    aText,
    'What compares vectors: an index of the database such as `pgvector 0.8.0`, or this `process`, exactly',
  ),
  sessions: count('Sessions in all scopes'),
  messages: count('Messages in all scopes'),
  facts: count('Facts in all scopes'),
  bytes: count('The size of the database in bytes'),
})

const backup: Shape<Backup> = anObject('Backup', {
  file: mustHave(aText, 'The file'),
  bytes: count('Its size in bytes'),
  sessions: count('Sessions in it'),
  messages: count('Messages in it'),
})

/** Only its id is needed: a receipt of another version is good enough. */
const receipt: Shape<Pick<ForgetReceipt, 'id'>> = anObject<Pick<ForgetReceipt, 'id'>>(
  undefined,
  { id: mustHave(anId, 'The id of this forgetting') },
  { wanted: 'the receipt that forget returned', open: true },
)

const aNumberList: Shape<readonly number[]> = aListOf(aNumber())

const aSample: Shape<Sample> = checkedBy(
  either([aText, aNumberList]).form,
  'a text, bytes, or a vector of numbers',
  checkSample,
)

const scopesOptions: Shape<ScopesOptions> = anObject('ScopesOptions', {
  under: mayHave(aScope, 'Only this scope and all below it', 'every scope'),
  limit: mayHave(aCount, 'At most this many scopes', '100'),
  after: mayHave(aText, 'The `next` of the page before'),
})

const scopesPage: Shape<ScopesPage> = anObject('ScopesPage', {
  scopes: mustHave(
    aListOf(
      anObject<ScopeSummary>('ScopeSummary', {
        scope: mustHave(aText, 'Its path, for example `acme/ada`'),
        sessions: count('How many sessions it has itself, without the scopes below it'),
        messages: count('How many messages these sessions have'),
        facts: count('How many facts it has itself'),
        updatedAt: mustHave(anIsoTime, 'When something in it last changed'),
      }),
    ),
    'The scopes',
  ),
  next: mustHave(either([aText, aNull]), 'The `after` of the next page; null on the last'),
})

const admin = { can: 'admin', method: 'post', writes: true, patient: true } as const

type Name = 'scopes' | 'settled' | 'verify' | 'head' | 'verifyForgotten' | 'rebuild' | 'schema' | 'stats' | 'backup'

/** What is done with the whole memory. */
export const memoryOperations: Readonly<Record<Name, Operation>> = noun('memory', {
  scopes: {
    help: 'List the scopes that have sessions or facts, in the order of their paths',
    attempt: 'list scopes',
    call: 'scopes',
    can: 'read',
    method: 'get',
    path: '/v1/scopes',
    options: scopesOptions,
    answer: scopesPage,
    narrows: 'under',
    writes: false,
  },
  settled: {
    help: 'Wait until no background work is due',
    attempt: 'wait for background work',
    call: 'settled',
    can: 'read',
    method: 'post',
    path: '/v1/settled',
    answer: settled,
    writes: false,
    patient: true,
  },
  verify: {
    ...admin,
    help: 'Check the stored data and report anything that has changed',
    attempt: 'verify',
    call: 'verify',
    path: '/v1/verify',
    options: verifyOptions,
    answer: verifyReport,
    repeat: 'harmless',
  },
  head: {
    help: 'State where each session, the facts of each root scope and the audit trail end',
    attempt: 'state the heads',
    call: 'head',
    can: 'admin',
    method: 'get',
    path: '/v1/head',
    answer: memoryHead,
    writes: false,
    patient: true,
  },
  verifyForgotten: {
    ...admin,
    help: 'Look for samples of what was forgotten in every table and every byte of the files',
    attempt: 'verify what was forgotten',
    call: 'verifyForgotten',
    path: '/v1/verify-forgotten',
    takes: {
      receipt: mustHave(receipt, 'The receipt that `forget` returned'),
      samples: mustHave(
        aListOf(aSample, { min: 1, wanted: 'an array with at least one sample' }),
        'Texts, words, vectors or bytes that were in what was forgotten and nowhere else',
      ),
    },
    answer: forgottenReport,
    repeat: 'harmless',
  },
  rebuild: {
    ...admin,
    help: 'Rebuild the search index from the log',
    attempt: 'rebuild',
    call: 'rebuild',
    path: '/v1/rebuild',
    answer: anObject<Record<never, never>>(undefined, {}),
    repeat: 'harmless',
  },
  schema: {
    help: "Show the version of the database's schema, and when each migration was applied",
    attempt: 'read the schema',
    call: 'schema',
    can: 'admin',
    method: 'get',
    path: '/v1/schema',
    answer: schema,
    writes: false,
  },
  stats: {
    help: 'Show how much there is in all scopes, and what it is stored in',
    attempt: 'read statistics',
    call: 'stats',
    can: 'admin',
    method: 'get',
    path: '/v1/stats',
    answer: memoryStats,
    writes: false,
  },
  backup: {
    ...admin,
    help: "Copy the memory into a new file of the server's backup directory, and check the copy",
    attempt: 'back up',
    call: 'backup',
    path: '/v1/backup',
    takes: { file: mustHave(aFilePath, 'The path of the new file; over HTTP its name') },
    answer: backup,
  },
})
