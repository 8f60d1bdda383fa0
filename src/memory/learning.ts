import { checkOptions } from '../domain/check-options.ts'
import { refuse } from '../domain/refuse.ts'
import type { JobKind } from '../jobs/job-kind.ts'
import { learnKind } from '../knowledge/learn/learn-kind.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Learner, Teach } from '../knowledge/learn/lesson.ts'
import type { KnownFacts } from '../knowledge/learn/model/model-learner.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import type { LanguageModelInput } from '../providers/language-model.ts'
import { checkCount } from './check-arguments.ts'

const DEADLINE_MS = 60_000

/**
 * Learning with a model. While it cannot be had (no answer in time, an outage, too many calls), the messages wait and it is asked
 * again, for some two hours; then, and when its answers are of no use, patterns serve.
 */
export interface LearnOptions {
  /** @default the memory's own */
  readonly model?: LanguageModelInput
  /**
   * How long the model may take for up to 64 messages of one role, over both its calls. Nobody waits for it.
   *
   * @default 60,000
   */
  readonly deadlineMs?: number
  /**
   * Calls an hour. Counted in memory: each process counts its own, and begins at nothing when it starts.
   *
   * @default no limit
   */
  readonly callsPerHourMax?: number
  /** Tokens an hour, in and out, counted in the same way. @default no limit */
  readonly tokensPerHourMax?: number
}

/** Who takes what is learned. */
export interface Teacher {
  readonly teach: Teach
  /** What is known near some messages, for a model to build on. */
  readonly near: KnownFacts
}

interface Means {
  readonly store: Store
  readonly clock: Clock
  readonly count: (text: string) => Promise<number>
  readonly model: LanguageModelInput | undefined
}

type Learn = 'patterns' | 'model' | false | LearnOptions

/** Accepts the option `learn` of `openMemory`. */
export function checkLearning(learn: unknown, model: unknown): void {
  if (learn === undefined || learn === false || learn === 'patterns') return
  if (learn === 'model') {
    if (model === undefined) refuse('open a memory', 'learn', learn, 'a model to learn with, as the option model')
    return
  }
  if (typeof learn !== 'object') refuse('open a memory', 'learn', learn, "'patterns', 'model', false or options")
  checkOptions('open a memory: learn', learn, ['model', 'deadlineMs', 'callsPerHourMax', 'tokensPerHourMax'])
  const options = learn as LearnOptions
  for (const name of ['deadlineMs', 'callsPerHourMax', 'tokensPerHourMax'] as const)
    if (options[name] !== undefined) checkCount('open a memory', `learn.${name}`, options[name])
  if (options.model === undefined && model === undefined)
    refuse('open a memory', 'learn.model', options.model, 'a model to learn with')
}

/** Makes facts of what is learned. */
export function teacherFor(knowledge: Knowledge): Teacher {
  return {
    teach: async (lesson) => (await import('../knowledge/learn/teach.ts')).teach(knowledge, lesson),
    near: async (scope, materials) =>
      (await import('../knowledge/learn/near-facts.ts')).nearFacts(knowledge, scope, materials),
  }
}

/** Most programs append more often than there is something to learn: the learners are loaded when there is. */
function onFirstUse(load: () => Promise<Learner>): Learner {
  let learner: Promise<Learner> | undefined
  return async (materials, context) => {
    learner ??= load()
    return (await learner)(materials, context)
  }
}

/** Learning as a kind of job, unless it is not wanted. */
export async function learnKinds(
  learn: Learn = 'patterns',
  means: Means,
  teacher: Teacher,
): Promise<readonly JobKind[]> {
  if (learn === false) return []
  const { store, clock, count } = means
  const patterns = onFirstUse(async () =>
    (await import('../knowledge/learn/patterns/pattern-learner.ts')).patternLearner(),
  )
  const terms = { log: store.log, learning: store.learning, teach: teacher.teach }
  if (learn === 'patterns') return [learnKind({ ...terms, learner: patterns, asksModel: false })]
  const {
    deadlineMs = DEADLINE_MS,
    callsPerHourMax,
    tokensPerHourMax,
    model = means.model,
  } = learn === 'model' ? {} : learn
  const { Spend } = await import('../model/spend.ts')
  const { toLanguageModel } = await import('../providers/language-model.ts')
  const spend = new Spend(
    {
      ...(callsPerHourMax === undefined ? {} : { callsMax: callsPerHourMax }),
      ...(tokensPerHourMax === undefined ? {} : { tokensMax: tokensPerHourMax }),
    },
    clock,
  )
  const port = toLanguageModel(model)
  const learner = onFirstUse(async () => {
    const { modelLearner } = await import('../knowledge/learn/model/model-learner.ts')
    return modelLearner({ model: port, deadlineMs, spend, count, near: teacher.near, instead: patterns })
  })
  return [learnKind({ ...terms, learner, asksModel: true })]
}
