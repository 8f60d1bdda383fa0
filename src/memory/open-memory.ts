import { randomFillSync } from 'node:crypto'
import { resolve } from 'node:path'
import { checkOptions } from '../domain/check-options.ts'
import { parseTime } from '../domain/moment.ts'
import { refuse } from '../domain/refuse.ts'
import { uuid7Maker } from '../domain/uuid7.ts'
import type { JobKind } from '../jobs/job-kind.ts'
import { Runner } from '../jobs/runner.ts'
import { InOrder } from '../log/in-order.ts'
import type { Log } from '../log/log.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import { type LearnOptions, type Teacher, learnKinds, teacherFor } from '../knowledge/learn/learning.ts'
import type { Clock } from '../ports/clock.ts'
import type { LanguageModel } from '../ports/language-model.ts'
import type { Store } from '../ports/store.ts'
import type { Tokenizer } from '../ports/tokenizer.ts'
import type { LanguageModelInput } from '../providers/language-model.ts'
import type { PostgresOptions } from '../stores/postgres/options.ts'
import type { EmbedderInput } from '../providers/embedder.ts'
import { checkCount, checkFlag, checkWait } from './check-arguments.ts'
import type { EmbeddingOptions, embeddingOf } from './embedding.ts'
import { checkEmbedding } from './check-embedding.ts'
import { checkLearning } from './check-learning.ts'
import { checkPostgres } from './check-postgres.ts'
import { checkSummaries } from './check-summaries.ts'
import { type TokenizerName, countTextWith, messageCounter } from '../log/count-messages.ts'
import type { EncryptionOptions } from './encryption.ts'
import { type Emit, emitter } from './events.ts'
import { forgetKind } from '../forgetting/forget-kind.ts'
import { retentionKind } from '../forgetting/retention-kind.ts'
import type { Memory } from '../api/memory.ts'
import { LocalMemory } from './memory.ts'
import { type Location, parseLocation } from './location.ts'
import { openStore } from './open-store.ts'
import type { Wiring } from './wiring.ts'
import { type Redactor, toRedactor } from '../log/redact.ts'
import { Posting } from '../recall/posting.ts'
import { recallWiring } from './recall.ts'
import type { SummaryOptions } from '../context/improver-for.ts'
import { Turns } from '../forgetting/turns.ts'
import { OpenWork } from './work.ts'

const MESSAGE_BYTES_MAX = 16 * 1024 * 1024

export interface MemoryOptions {
  /**
   * Who counts the tokens that are stored with each message: a fast estimate that errs upwards, an exact public
   * tokenizer (loaded when chosen, about 0.2 s), or your own.
   *
   * @default 'estimate'
   */
  readonly tokenizer?: TokenizerName | Tokenizer
  /**
   * Directories from which images and files may be read by path; relative paths start at the first.
   *
   * @default none
   */
  readonly fileRoots?: readonly string[]
  /**
   * Size of one message with its images and files, in bytes.
   *
   * @default 16 MiB
   */
  readonly messageBytesMax?: number
  /**
   * How long `recall` waits, in milliseconds, for messages that are not in its index yet. What is not there by then is reported as
   * `behind` and can be found later.
   *
   * @default 50
   */
  readonly recallWaitMs?: number
  /**
   * Writes better summaries than the built-in ones: an AI SDK model (v2 to v4) or a function. Everything works without.
   *
   * @default none
   */
  readonly model?: LanguageModelInput
  /** How much the model may be asked for. */
  readonly summaries?: SummaryOptions
  /**
   * How facts are learned from what is appended, after the append and in the background: by patterns, by a model (the one
   * above, or one of its own), or not at all.
   *
   * @default 'patterns'
   */
  readonly learn?: 'patterns' | 'model' | false | LearnOptions
  /**
   * Finds by meaning too: an AI SDK embedding model (v2 to v4) or a function. After a change of model, give the former one
   * behind the new one: it serves until everything is embedded anew.
   *
   * @default none
   */
  readonly embedder?: EmbedderInput | readonly EmbedderInput[]
  /**
   * Correct token estimates by the usage that callers report with `session.usage`. `false` ignores the reports, for a memory
   * whose callers you do not trust.
   *
   * @default true
   */
  readonly calibrate?: boolean
  /** How the embedder may be asked. */
  readonly embedding?: EmbeddingOptions
  /**
   * Sees every new message, fact and value of a state, with its notes and tasks, before anything of it is stored, and may change
   * or refuse it. `'secrets'` takes keys, tokens and passwords out of texts, by patterns that are hardly anything else.
   *
   * @default none
   */
  readonly redact?: 'secrets' | Redactor
  /**
   * Encrypts what is on the disk.
   *
   * @default nothing
   */
  readonly encryption?: EncryptionOptions
  /** Hears of compactions and of background work: before, after, and what each step did. */
  readonly onEvent?: Emit
  /** @default the system's */
  readonly clock?: Clock
  /** For a `postgres://` address, and only there: how its server is used. */
  readonly postgres?: PostgresOptions
  /** For the address of a server, and only there: a key that it made. */
  readonly key?: string
}

/**
 * Opens a memory: a file, which is created if it is missing, `:memory:` for one that ends with the process, a PostgreSQL
 * database (`postgres://…`; where it names several servers, as `postgres://app@one,two/name`, the one that takes writes), the
 * address of a server (`http://…`, with its `key`), or a store of your own.
 *
 * @throws {MemoryError} `store/…` if the file cannot be opened, is not ours, is damaged or was written by a newer version.
 */
export async function openMemory(location: string | Store, options: MemoryOptions = {}): Promise<Memory> {
  const place = placeOf(location)
  return 'kind' in place && place.kind === 'server'
    ? connect(place.address, options)
    : openMemoryWith(location, options)
}

/** Loaded when it is wanted: a program with its memory in a file needs no client. */
async function connect(address: string, options: MemoryOptions): Promise<Memory> {
  checkOptions('open a memory behind a server', options, ['key'])
  const { connectMemory } = await import('../client/connect-memory.ts')
  return connectMemory(address, options.key === undefined ? {} : { key: options.key })
}

/** The same, with somebody else to take what is learned. */
export async function openMemoryWith(
  location: string | Store,
  options: MemoryOptions,
  teacherOf?: (knowledge: Knowledge) => Teacher,
): Promise<Memory> {
  const place = placeOf(location)
  const { tokenizer = 'estimate', fileRoots = [], messageBytesMax = MESSAGE_BYTES_MAX } = checked(place, options)
  const clock = wholeMilliseconds(options.clock ?? { now: Date.now })
  const redactor = toRedactor(options.redact)
  const counter = await messageCounter(tokenizer)
  const emit = emitter(options.onEvent)
  const { searched, ...seen } = await openStore(place, options, clock, emit)
  const { store } = seen
  const random = randomPool()
  const newId = uuid7Maker(() => clock.now(), random)
  const knowledge = { store: store.knowledge, clock, newId }
  const teacher = (teacherOf ?? teacherFor)(knowledge)
  const count = await countTextWith(tokenizer)
  const chance = (): number => Buffer.from(random(4)).readUInt32LE() / 2 ** 32
  const embedding = await embeddingFor(options, { store: searched, clock, chance, emit })
  const posting = new Posting(() => recall(), {
    waitMs: options.recallWaitMs,
    together: (work) => store.together(work),
  })
  const recall = recallWiring(searched, knowledge, { count, posting, ...(embedding && { vectors: embedding.source }) })
  const base = { store: store.log, clock, order: new InOrder(), newId, random, ...counter, messageBytesMax }
  const log: Log = {
    ...base,
    // Resolved once: a later change of the working directory must not change what may be read.
    fileRoots: fileRoots.map((root) => resolve(root)),
    ...(redactor.message === undefined ? {} : { redact: (message) => redactor.message?.(message) ?? message }),
  }
  const whole: { parts?: Wiring } = {}
  const runner = new Runner({
    store: store.jobs,
    kinds: [
      ...(embedding === undefined ? [] : [embedding.kind(recall)]),
      ...(await learnKinds(options.learn, { ...searched, clock, count, teacher, model: options.model, toModel })),
      ...keepingKinds(whole),
    ],
    chance,
    newId,
    owner: newId(),
    emit,
  })
  whole.parts = {
    ...seen,
    work: new OpenWork(),
    runner,
    posting,
    contexts: {},
    improver: await improverOf(options, clock, count),
    calibrate: options.calibrate ?? true,
    emit,
    knowledge,
    recall,
    recallForContext: recallingWith({ log, store, recall, emit }),
    forgetting: new Set(),
    turns: new Turns(),
    redactor,
    log,
  }
  // What another process left behind, or was appended while nobody learned.
  runner.nudge()
  return new LocalMemory(whole.parts)
}

async function toModel(model: LanguageModelInput | undefined): Promise<LanguageModel> {
  return (await import('../providers/language-model.ts')).toLanguageModel(model)
}

/** Loaded for those who have an embedder. */
async function embeddingFor(
  { embedder, embedding = {} }: MemoryOptions,
  parts: Parameters<typeof embeddingOf>[2],
): Promise<ReturnType<typeof embeddingOf> | undefined> {
  return embedder === undefined ? undefined : (await import('./embedding.ts')).embeddingOf(embedder, embedding, parts)
}

/** Loaded for those who recall into a context. */
function recallingWith(parts: Pick<Wiring, 'log' | 'store' | 'recall' | 'emit'>): Wiring['recallForContext'] {
  return async (...asked) => (await import('../recall/recall-for-context.ts')).recallForContext(parts, ...asked)
}

/** Loaded for those who have a model. */
async function improverOf(
  { model, summaries = {} }: MemoryOptions,
  clock: Clock,
  count: (text: string) => Promise<number>,
): Promise<Wiring['improver']> {
  if (model === undefined) return undefined
  const { improverFor } = await import('../context/improver-for.ts')
  return improverFor(await toModel(model), summaries, clock, count)
}

/** Work on the whole memory, which is put together after the one who runs it. */
function keepingKinds(whole: { readonly parts?: Wiring }): readonly JobKind[] {
  const parts = (): Wiring => whole.parts ?? refuse('run a job', 'memory', undefined, 'one that is open')
  return [forgetKind(parts), retentionKind(parts)]
}

function wholeMilliseconds(clock: Clock): Clock {
  return { now: () => parseTime('read the clock', 'clock.now()', clock.now()) }
}

function placeOf(location: unknown): Location | Store {
  return isStore(location) ? location : parseLocation('open a memory', 'location', location)
}

function checked(place: Location | Store, options: MemoryOptions): MemoryOptions {
  checkOptions('open a memory', options, [
    'tokenizer',
    'fileRoots',
    'messageBytesMax',
    'recallWaitMs',
    'model',
    'embedder',
    'embedding',
    'summaries',
    'calibrate',
    'learn',
    'redact',
    'encryption',
    'onEvent',
    'clock',
    ...('kind' in place && place.kind === 'postgres' ? ['postgres'] : []),
  ])
  if (options.postgres !== undefined) checkPostgres(options.postgres)
  if (options.messageBytesMax !== undefined) checkCount('open a memory', 'messageBytesMax', options.messageBytesMax)
  if (options.recallWaitMs !== undefined) checkWait('open a memory', 'recallWaitMs', options.recallWaitMs)
  if (
    options.fileRoots !== undefined &&
    (!Array.isArray(options.fileRoots) || options.fileRoots.some((root) => typeof root !== 'string' || root === ''))
  ) {
    refuse('open a memory', 'fileRoots', options.fileRoots, 'an array of directories')
  }
  if (options.calibrate !== undefined) checkFlag('open a memory', 'calibrate', options.calibrate)
  checkLearning(options.learn, options.model)
  if (options.embedding !== undefined) checkEmbedding(options.embedding)
  if (options.summaries !== undefined) checkSummaries(options.summaries)
  if (options.onEvent !== undefined && typeof options.onEvent !== 'function')
    refuse('open a memory', 'onEvent', options.onEvent, 'a function')
  if (options.clock !== undefined && typeof options.clock?.now !== 'function')
    refuse('open a memory', 'clock', options.clock, 'an object with now()')
  return options
}

function isStore(location: unknown): location is Store {
  return typeof location === 'object' && location !== null && 'log' in location && 'close' in location
}

/** Asking the system for 16 bytes costs more than hashing a message: it is asked for many at once. */
function randomPool(): (bytes: number) => Uint8Array {
  let pool = Buffer.alloc(0)
  let used = 0
  return (bytes) => {
    if (used + bytes > pool.length) {
      pool = randomFillSync(Buffer.alloc(Math.max(8_192, bytes)))
      used = 0
    }
    used += bytes
    return pool.subarray(used - bytes, used)
  }
}
