import type { EmbeddingOptions, LearnOptions, MemoryOptions, PromptTasks, SummaryOptions } from '../api/open-memory.ts'
import { promptNames } from '../domain/prompt-name.ts'
import { refuse } from '../domain/refuse.ts'
import { tokenizerNames } from '../domain/tokenizer-name.ts'
import { aListOf, either, withRule } from '../shape/combine.ts'
import { anObject, mayHave } from '../shape/object.ts'
import type { FieldsOf, Shape } from '../shape/shape.ts'
import {
  aCallback,
  aCount,
  aFlag,
  aNumber,
  anInstance,
  checkedBy,
  oneOf,
  someText,
  unchecked,
} from '../shape/values.ts'
import { encryptionOptions } from './encryption.ts'
import type { CheckedCall } from './operation.ts'
import { postgresOptions } from './postgres.ts'

const ATTEMPT = 'open a memory'

const aTokenizer: Shape<NonNullable<MemoryOptions['tokenizer']>> = checkedBy(
  { kind: 'local' },
  'a tokenizer',
  (attempt, path, given) => {
    if (tokenizerNames.includes(given as (typeof tokenizerNames)[number])) return
    if (typeof given !== 'object' || given === null)
      refuse(attempt, path, given, `${tokenizerNames.join(', ')} or a tokenizer`)
    if (!('name' in given && typeof given.name === 'string' && 'count' in given && typeof given.count === 'function'))
      refuse(attempt, path, given, 'an object with name and count(text)')
  },
)

const aClock: Shape<NonNullable<MemoryOptions['clock']>> = checkedBy(
  { kind: 'local' },
  'a clock',
  (attempt, path, given) => {
    if (typeof (given as MemoryOptions['clock'] | null)?.now !== 'function')
      refuse(attempt, path, given, 'an object with now()')
  },
)

const aRedactor: Shape<NonNullable<MemoryOptions['redact']>> = checkedBy(
  { kind: 'local' },
  'a redactor',
  (attempt, path, given) => {
    if (given === 'secrets') return
    if (typeof given !== 'object' || given === null)
      refuse(attempt, path, given, "'secrets', or an object with message, fact or state")
    for (const [name, value] of Object.entries(given))
      if (!['message', 'fact', 'state'].includes(name) || typeof value !== 'function')
        refuse(attempt, `${path}.${name}`, value, 'message, fact or state, each a function')
  },
)

const aTask: Shape<string | null> = checkedBy({ kind: 'text' }, 'a text, or null', (attempt, path, given) => {
  if (typeof given !== 'string' && given !== null) refuse(attempt, path, given, 'a text, or null')
})

/** As long as a timer can wait. */
const aWait: Shape<number> = checkedBy(
  { kind: 'number', whole: true, min: 0, max: 2 ** 31 - 1 },
  'whole milliseconds, 0 or greater',
  (attempt, path, given) => {
    if (!Number.isSafeInteger(given) || Number(given) < 0 || Number(given) >= 2 ** 31)
      refuse(attempt, path, given, 'whole milliseconds, 0 or greater')
  },
)

const aLimit: Shape<number> = aNumber({ min: 0 }, 'a number, 0 or greater')

const summaries: Shape<SummaryOptions> = anObject('SummaryOptions', {
  deadlineMs: mayHave(aCount, 'How long a compaction waits for the model in total, in milliseconds', '10,000'),
  callsPerHourMax: mayHave(aLimit, 'At most this many calls per hour', 'no limit'),
  tokensPerHourMax: mayHave(aLimit, 'At most this many tokens per hour, in and out', 'no limit'),
  prompts: mayHave(
    anObject<PromptTasks>(
      undefined,
      Object.fromEntries(
        promptNames.map((name) => [name, mayHave(aTask, 'Your own instructions')]),
      ) as unknown as FieldsOf<PromptTasks>,
    ),
    'Your own instructions for a kind of summary',
  ),
  signal: mayHave(anInstance(AbortSignal, 'an AbortSignal'), 'Stops using the model permanently'),
})

const model: Shape<NonNullable<MemoryOptions['model']>> = unchecked('a model')

const learn: Shape<NonNullable<MemoryOptions['learn']>> = either(
  [
    oneOf(['patterns', 'model', false]),
    anObject<LearnOptions>('LearnOptions', {
      model: mayHave(model, 'The model', "the memory's own"),
      deadlineMs: mayHave(
        aCount,
        'How long the model may take for up to 64 messages of one role, in milliseconds',
        '60,000',
      ),
      callsPerHourMax: mayHave(aCount, 'At most this many calls per hour', 'no limit'),
      tokensPerHourMax: mayHave(
        aCount,
        'At most this many tokens per hour, in and out, counted in the same way',
        'no limit',
      ),
    }),
  ],
  { wanted: "'patterns', 'model', false or options" },
)

const embedding: Shape<EmbeddingOptions> = anObject('EmbeddingOptions', {
  batch: mayHave(aCount, 'How many texts one call has', '64'),
  deadlineMs: mayHave(aCount, 'How long one call may take in the background, in milliseconds', '30,000'),
  callsPerHourMax: mayHave(aCount, 'At most this many calls per hour', 'no limit'),
  tokensPerHourMax: mayHave(aCount, 'At most this many tokens per hour', 'no limit'),
})

type LocalOptions = Omit<MemoryOptions, 'postgres' | 'key'>

/** What every memory on this machine may be opened with. */
export const localMemoryFields: FieldsOf<LocalOptions> = {
  tokenizer: mayHave(
    aTokenizer,
    'What counts the tokens that are stored with each message: a fast estimate that is rather too high than too low, an exact public tokenizer (loaded when chosen, about 0.2 s), or your own',
    "'estimate'",
  ),
  fileRoots: mayHave(
    aListOf(someText, { wanted: 'an array of directories' }),
    'Directories from which images and files may be read by path',
    'none',
  ),
  messageBytesMax: mayHave(aCount, 'How large one message may be, with its images and files, in bytes', '16 MiB'),
  recallWaitMs: mayHave(
    aWait,
    'How long `recall` waits, in milliseconds, for messages that are not in its index yet',
    '50',
  ),
  model: mayHave(
    model,
    'A model that writes better summaries than the built-in ones: an AI SDK model (v2 to v4) or a function',
    'none',
  ),
  summaries: mayHave(summaries, 'How the model is used for summaries'),
  learn: mayHave(
    learn,
    'How facts are learned from messages, in the background: by patterns, by a model (the one above, or another), or not at all',
    "'patterns'",
  ),
  embedder: mayHave(
    unchecked<NonNullable<MemoryOptions['embedder']>>('an embedder'),
    'Finds by meaning too: an AI SDK embedding model (v2 to v4) or a function',
    'none',
  ),
  embedding: mayHave(embedding, 'How the embedder is used'),
  calibrate: mayHave(aFlag, 'Correct token estimates by the usage that callers report with `session.usage`', 'true'),
  tightenMode: mayHave(aFlag, 'Let only the owner read and write the files of the memory, if others may', 'false'),
  readOnly: mayHave(aFlag, 'Read a file that must not change, or one on a read-only medium', 'false'),
  redact: mayHave(
    aRedactor,
    'Sees every new message, fact and value of a state before any of it is stored, and may change or refuse it',
    'none',
  ),
  encryption: mayHave(encryptionOptions, 'Encrypts what is on the disk', 'nothing'),
  onEvent: mayHave(
    aCallback<NonNullable<MemoryOptions['onEvent']>>(),
    'Called for compactions and background work: before, after, and what each step did',
  ),
  clock: mayHave(aClock, 'The clock', "the system's"),
}

function checked<T extends LocalOptions>(shape: Shape<T>): Shape<T> {
  return withRule(shape, (attempt, _path, { learn: chosen, model: given, readOnly, tightenMode }) => {
    if (readOnly === true && tightenMode === true) refuse(attempt, 'tightenMode', true, 'false beside readOnly: true')
    if (given !== undefined) return
    if (chosen === 'model') refuse(attempt, 'learn', chosen, 'the option model beside it: the model to learn with')
    if (typeof chosen === 'object' && chosen.model === undefined)
      refuse(attempt, 'learn.model', undefined, 'a model to learn with')
  })
}

/** What `openMemory` takes, by where the memory is. The location itself is parsed. */
export const openCalls: Readonly<Record<'file' | 'postgres' | 'server', CheckedCall>> = {
  file: { attempt: ATTEMPT, options: checked(anObject<LocalOptions>('MemoryOptions', localMemoryFields)) },
  postgres: {
    attempt: ATTEMPT,
    options: checked(
      anObject<Omit<MemoryOptions, 'key'>>('MemoryOptions', {
        ...localMemoryFields,
        postgres: mayHave(postgresOptions, 'How the PostgreSQL server is used, for `postgres://` addresses only'),
      }),
    ),
  },
  server: {
    attempt: 'open a memory behind a server',
    options: anObject<Pick<MemoryOptions, 'key'>>('MemoryOptions', {
      key: mayHave(
        unchecked<string>('a key'),
        'A key that the server made, for `http://` and `https://` addresses only',
      ),
    }),
  },
}
