import type { MemoryOptions } from '../api/open-memory.ts'
import { checkCall } from '../surface/check-call.ts'
import { openCalls } from '../surface/open-memory.ts'
import { randomFillSync } from 'node:crypto'
import { resolve } from 'node:path'
import { parseTime } from '../domain/moment.ts'
import { refuse } from '../domain/refuse.ts'
import { uuid7Maker } from '../domain/uuid7.ts'
import type { JobKind } from '../jobs/job-kind.ts'
import { Runner } from '../jobs/runner.ts'
import { logOn } from '../log/log-on.ts'
import type { FactsOf } from '../knowledge/facts-of.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import { type Teacher, learnKinds, teacherFor } from '../knowledge/learn/learning.ts'
import type { Clock } from '../ports/clock.ts'
import type { LanguageModel } from '../ports/language-model.ts'
import type { Store } from '../ports/store.ts'
import type { LanguageModelInput } from '../providers/language-model.ts'
import type { embeddingOf } from '../recall/vectors/embedding.ts'
import { countTextWith, messageCounter } from '../log/count-messages.ts'
import { emitter } from '../domain/emitter.ts'
import { forgetKind } from '../forgetting/forget-kind.ts'
import { retentionKind } from '../forgetting/retention-kind.ts'
import type { Memory } from '../api/memory.ts'
import { LocalMemory } from './memory.ts'
import { type Location, parseLocation } from '../opening/location.ts'
import { openStore } from '../opening/open-store.ts'
import type { Wiring } from './wiring.ts'
import { toRedactor } from '../log/redact.ts'
import { abandonedKind } from '../streams/abandoned-kind.ts'
import { Posting } from '../recall/posting.ts'
import { recallWiring } from './recall.ts'
import { WorkQueues } from '../domain/work-queues.ts'
import { OpenWork } from './work.ts'

const MESSAGE_BYTES_MAX = 16 * 1024 * 1024

/** The same for a store that is already open, or with another teacher, which stores what is learned: for tests. */
export async function openMemoryWith(
  location: string | Store<'stored'>,
  options: MemoryOptions = {},
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
    readOnly: options.readOnly,
    together: (work) => store.together(work),
  })
  const recall = recallWiring(searched, knowledge, { count, posting, ...(embedding && { vectors: embedding.source }) })
  // Resolved once: a later change of the working directory must not change what may be read.
  const roots = fileRoots.map((root) => resolve(root))
  const log = logOn(store, redactor, { clock, newId, random, ...counter, messageBytesMax, fileRoots: roots })
  const whole: { parts?: Wiring } = {}
  const runner = new Runner({
    store: store.jobs,
    kinds:
      options.readOnly === true
        ? []
        : [
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
    readOnly: options.readOnly ?? false,
    emit,
    knowledge,
    recall,
    factsOf: factsWith(knowledge),
    recallForContext: recallingWith({ log, store, recall, emit }),
    forgetting: new Set(),
    queues: new WorkQueues(),
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
  if (embedder === undefined) return undefined
  const { toEmbedder } = await import('../providers/embedder.ts')
  const [first, ...former] = (Array.isArray(embedder) ? embedder : [embedder]).map(toEmbedder)
  if (first === undefined) return undefined
  const { embeddingOf: make } = await import('../recall/vectors/embedding.ts')
  return make([first, ...former], embedding, parts)
}

/** Loaded for those who recall into a context. */
function recallingWith(parts: Pick<Wiring, 'log' | 'store' | 'recall' | 'emit'>): Wiring['recallForContext'] {
  return async (...asked) => (await import('../recall/recall-for-context.ts')).recallForContext(parts, ...asked)
}

/** Loaded for those who have a block that is derived from facts. */
function factsWith(knowledge: Knowledge): Wiring['factsOf'] {
  let reading: Promise<FactsOf> | undefined
  return async (scope, asOf) => {
    reading ??= import('../knowledge/facts-of.ts').then((module) => new module.FactsOf(knowledge))
    return (await reading).read(scope, asOf)
  }
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

/** Work on the whole memory, which is created after the runner. */
function keepingKinds(whole: { readonly parts?: Wiring }): readonly JobKind[] {
  const parts = (): Wiring => whole.parts ?? refuse('run a job', 'memory', undefined, 'one that is open')
  return [forgetKind(parts), retentionKind(parts), abandonedKind(parts)]
}

function wholeMilliseconds(clock: Clock): Clock {
  return { now: () => parseTime('read the clock', 'clock.now()', clock.now()) }
}

function placeOf(location: unknown): Location | Store<'stored'> {
  return isStore(location) ? location : parseLocation('open a memory', 'location', location)
}

function checked(place: Location | Store<'stored'>, options: MemoryOptions): MemoryOptions {
  checkCall('kind' in place && place.kind === 'postgres' ? openCalls.postgres : openCalls.file, options)
  return options
}

function isStore(location: unknown): location is Store<'stored'> {
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
