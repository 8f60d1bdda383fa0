import { MemoryError } from '../../../domain/error.ts'
import { trustOfMessage } from '../../../domain/trust.ts'
import { type CallOptions, type Tally, callModel } from '../../../model/call-model.ts'
import { Deadline } from '../../../model/deadline.ts'
import type { Spend } from '../../../model/spend.ts'
import type { LanguageModel } from '../../../ports/language-model.ts'
import type { LearnContext, Learned, Learner, Material, Study } from '../lesson.ts'
import type { LearnFault } from './learn-fault.ts'
import { INSTRUCTIONS, type ShownFact, SCHEMA, questionOf, remarkOnLesson } from './prompt.ts'
import { type ShownMessages, factsMax, readLearnedFacts } from './read-facts.ts'

/** A bound, not a tuning knob: the second time the model is told what was wrong with its first answer. */
const CALLS_MAX = 2
const TOKENS_PER_FACT = 120
const TOKENS_MORE = 1_024

/** What is known near some messages: about those they name, and about the speaker. */
export type KnownFacts = (scope: string, materials: readonly Material[]) => Promise<readonly ShownFact[]>

export interface ModelLearnerSettings {
  readonly model: LanguageModel
  /** For both calls about the same messages together. */
  readonly deadlineMs: number
  readonly spend: Spend
  /** Tokens of a text. */
  readonly count: CallOptions['count']
  readonly near: KnownFacts
  /** Serves when the model's answers are of no use, and on the last try. */
  readonly instead: Learner
}

/**
 * Learns with a model, which is asked about the messages of each trust level apart. Beside them it is shown the other side of the
 * conversation, so that "Yes, that is right" can be understood, but never a web page or an import. What it says is checked item by item. After the second bad answer another learner serves,
 * and the remarks say why. While the model cannot be had, nobody does before the last try: it is asked again later.
 *
 * @throws {MemoryError} `model/unavailable` if it cannot be had for now.
 */
export function modelLearner(settings: ModelLearnerSettings): Learner {
  return async (materials, context) => {
    const studies: Study[] = []
    const conversation = [...(await context.before()), ...materials]
    for (const level of Map.groupBy(materials, (material) => trustOfMessage(material)).values())
      studies.push(await studyLevel(settings, { materials: level, beside: besideOf(level, conversation) }, context))
    return {
      learned: studies.flatMap(({ learned }) => learned),
      remarks: studies.flatMap(({ remarks }) => remarks),
    }
  }
}

/** The messages of one trust level, and what is shown with them so that they can be understood. */
interface Level {
  readonly materials: readonly Material[]
  readonly beside: readonly Material[]
}

/** The other side of the conversation. What comes from tools and imports is shown to nobody, and sees nobody. */
function besideOf(level: readonly Material[], conversation: readonly Material[]): readonly Material[] {
  const isSpeech = (material: Material): boolean => trustOfMessage(material) > 0
  if (!level.every(isSpeech)) return []
  const own = new Set(level)
  return conversation.filter((material) => isSpeech(material) && !own.has(material))
}

async function studyLevel(settings: ModelLearnerSettings, level: Level, context: LearnContext): Promise<Study> {
  const asked = await ask(settings, level, context)
  if (asked.ok) return asked.study
  context.signal.throwIfAborted()
  if (asked.passing && !context.isLastTry)
    throw new MemoryError('model/unavailable', `Cannot learn with the model: found ${asked.remark}, expected a reply`)
  const study = await settings.instead(level.materials, context)
  return { ...study, remarks: [...study.remarks, `used patterns instead of the model: ${asked.remark}`] }
}

type Asked =
  | { readonly ok: true; readonly study: Study }
  | { readonly ok: false; readonly remark: string; readonly passing: boolean }

async function ask(
  settings: ModelLearnerSettings,
  { materials, beside }: Level,
  { scope, signal }: LearnContext,
): Promise<Asked> {
  const known = await settings.near(scope, materials)
  const prompt = questionOf(materials, beside, known)
  const deadline = new Deadline(settings.deadlineMs, signal)
  try {
    const { model, count, spend } = settings
    const tally: Tally = { calls: 0, usage: undefined }
    let fault: Failure | undefined
    while (tally.calls < CALLS_MAX) {
      const request = {
        system: INSTRUCTIONS,
        schema: SCHEMA,
        tokensMax: factsMax(materials) * TOKENS_PER_FACT + TOKENS_MORE,
      }
      const remark = fault === undefined ? '' : remarkOnLesson(fault.reason)
      const outcome = await tryOnce(
        { ...request, prompt: `${prompt}${remark}` },
        { model, count, spend, deadline, tally },
        { materials, beside, known },
      )
      if (outcome.ok) return { ok: true, study: { learned: outcome.learned, remarks: remarksOn(outcome.refused) } }
      // The first fault says more than that there was no money for a second try.
      if (fault === undefined || outcome.reason !== 'over-spend') fault = outcome
      if (outcome.final === true) break
    }
    return {
      ok: false,
      remark: [fault?.reason, fault?.kind].filter((word) => word !== undefined).join(': '),
      passing: fault?.passing === true,
    }
  } finally {
    deadline.end()
  }
}

interface Failure {
  readonly ok: false
  readonly reason: LearnFault
  /** Which one of its reason, without a word of what was asked or answered. */
  readonly kind?: string
  readonly passing?: true
  readonly final?: true
}

type Outcome = { readonly ok: true; readonly learned: readonly Learned[]; readonly refused: number } | Failure

async function tryOnce(
  request: Parameters<typeof callModel>[0],
  settings: CallOptions,
  shown: ShownMessages,
): Promise<Outcome> {
  const call = await callModel(request, settings)
  if (!call.ok) return call
  if (call.finish === 'content-filter') return { ok: false, reason: 'refused', final: true }
  if (call.finish === 'error') return { ok: false, reason: 'failed', passing: true }
  return readLearnedFacts(call.text, shown)
}

function remarksOn(refused: number): readonly string[] {
  return refused === 0
    ? []
    : [`not used from the model: ${refused} without a quote from the message, or with words that nobody said`]
}
