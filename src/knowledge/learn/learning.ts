import { defined } from '../../domain/defined.ts'
import type { LearnOptions } from '../../api/open-memory.ts'
import type { JobKind } from '../../jobs/job-kind.ts'
import type { Clock } from '../../ports/clock.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import type { LearnStore } from '../../ports/learn-store.ts'
import type { LogStore } from '../../ports/log-store.ts'
import type { LanguageModelInput } from '../../providers/language-model.ts'
import type { Knowledge } from '../knowledge.ts'
import { learnKind } from './learn-kind.ts'
import type { Learner, Teach } from './lesson.ts'
import type { KnownFacts } from './model/model-learner.ts'

const DEADLINE_MS = 60_000

/** Stores what is learned. */
export interface Teacher {
  readonly teach: Teach
  /** What is known near some messages, for a model to build on. */
  readonly near: KnownFacts
}

/** What learning needs of an open memory. */
export interface LearnWiring {
  readonly log: LogStore<'searchable'>
  readonly learning: LearnStore
  readonly clock: Clock
  readonly count: (text: string) => Promise<number>
  readonly teacher: Teacher
  /** The memory's own model, unless `learn` names another. */
  readonly model: LanguageModelInput | undefined
  /** Makes the port of the model that was chosen. Called only when a model is wanted. */
  readonly toModel: (model: LanguageModelInput | undefined) => Promise<LanguageModel>
}

/** The option `learn` of `openMemory`. */
export type Learn = 'patterns' | 'model' | false | LearnOptions

/** Stores what is learned as facts. */
export function teacherFor(knowledge: Knowledge): Teacher {
  return {
    teach: async (lesson) => (await import('./teach.ts')).teach(knowledge, lesson),
    near: async (scope, materials) => (await import('./near-facts.ts')).nearFacts(knowledge, scope, materials),
  }
}

/** Loads a learner with its first messages: most programs have none to learn from when they start. */
function onFirstUse(load: () => Promise<Learner>): Learner {
  let learner: Promise<Learner> | undefined
  return async (materials, context) => {
    learner ??= load()
    return (await learner)(materials, context)
  }
}

/** Learning as a kind of job, unless it is switched off. */
export async function learnKinds(learn: Learn = 'patterns', wiring: LearnWiring): Promise<readonly JobKind[]> {
  if (learn === false) return []
  const { log, learning, clock, count, teacher } = wiring
  const patterns = onFirstUse(async () => (await import('./patterns/pattern-learner.ts')).patternLearner())
  const settings = { log, learning, teach: teacher.teach }
  if (learn === 'patterns') return [learnKind({ ...settings, learner: patterns, asksModel: false })]
  const {
    deadlineMs = DEADLINE_MS,
    callsPerHourMax,
    tokensPerHourMax,
    model = wiring.model,
  } = learn === 'model' ? {} : learn
  const { Spend } = await import('../../model/spend.ts')
  const spend = new Spend(
    {
      ...defined({ callsMax: callsPerHourMax, tokensMax: tokensPerHourMax }),
    },
    clock,
  )
  const port = await wiring.toModel(model)
  const learner = onFirstUse(async () => {
    const { modelLearner } = await import('./model/model-learner.ts')
    return modelLearner({ model: port, deadlineMs, spend, count, near: teacher.near, instead: patterns })
  })
  return [learnKind({ ...settings, learner, asksModel: true })]
}
