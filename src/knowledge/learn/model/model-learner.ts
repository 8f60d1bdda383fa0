import { errorText } from '../../../domain/error-text.ts'
import { type CallTerms, type Tally, callModel } from '../../../model/call-model.ts'
import { Deadline } from '../../../model/deadline.ts'
import type { Spend } from '../../../model/spend.ts'
import type { LanguageModel } from '../../../ports/language-model.ts'
import type { Learned, Learner, Material, Study } from '../lesson.ts'
import type { LearnFault } from './learn-fault.ts'
import { INSTRUCTIONS, type KnownFact, SCHEMA, questionOf, remarkOn } from './prompt.ts'
import { factsMax, readFacts } from './read-facts.ts'

/** A bound, not a tuning knob: the second time the model is told what was wrong with its first answer. */
const CALLS_MAX = 2
const TOKENS_PER_FACT = 120
const TOKENS_MORE = 1_024

/** What is known near some messages: about those they name, and about the speaker. */
export type KnownFacts = (scope: string, materials: readonly Material[]) => Promise<readonly KnownFact[]>

export interface ModelLearnerTerms {
  readonly model: LanguageModel
  /** For both calls of one lesson together. */
  readonly deadlineMs: number
  readonly spend: Spend
  /** Tokens of a text. */
  readonly count: CallTerms['count']
  readonly near: KnownFacts
  /** Serves when the model does not. */
  readonly instead: Learner
}

/**
 * Learns with a model. What it says is checked item by item; whatever it does, nothing is lost: after the second bad
 * answer, a failure, or at its limits, another learner serves, and the remarks say why.
 */
export function modelLearner(terms: ModelLearnerTerms): Learner {
  return async (materials, context) => {
    const asked = await ask(terms, materials, context)
    if (asked.ok) return asked.study
    context.signal.throwIfAborted()
    const study = await terms.instead(materials, context)
    return { ...study, remarks: [...study.remarks, `patterns served: ${asked.remark}`] }
  }
}

type Asked = { readonly ok: true; readonly study: Study } | { readonly ok: false; readonly remark: string }

async function ask(
  terms: ModelLearnerTerms,
  materials: readonly Material[],
  { scope, signal }: Parameters<Learner>[1],
): Promise<Asked> {
  const deadline = new Deadline(terms.deadlineMs, signal)
  try {
    const { model, count, spend } = terms
    const tally: Tally = { calls: 0, usage: undefined }
    const prompt = questionOf(materials, await terms.near(scope, materials))
    let fault: LearnFault | undefined
    let detail = ''
    while (tally.calls < CALLS_MAX) {
      const request = {
        system: INSTRUCTIONS,
        schema: SCHEMA,
        tokensMax: factsMax(materials) * TOKENS_PER_FACT + TOKENS_MORE,
      }
      const remark = fault === undefined ? '' : remarkOn(fault)
      const outcome = await tryOnce(
        { ...request, prompt: `${prompt}${remark}` },
        { model, count, spend, deadline, tally },
        materials,
      )
      if (outcome.ok) return { ok: true, study: { learned: outcome.learned, remarks: remarksOn(outcome.refused) } }
      // The first fault says more than that there was no money for a second try.
      if (fault === undefined || outcome.reason !== 'over-spend') ({ reason: fault, detail = '' } = outcome)
      if (outcome.final === true) break
    }
    return { ok: false, remark: detail === '' ? String(fault) : `${String(fault)}: ${detail}` }
  } catch (error) {
    return { ok: false, remark: errorText(error) }
  } finally {
    deadline.end()
  }
}

type Outcome =
  | { readonly ok: true; readonly learned: readonly Learned[]; readonly refused: number }
  | { readonly ok: false; readonly reason: LearnFault; readonly detail?: string; readonly final?: true }

async function tryOnce(
  request: Parameters<typeof callModel>[0],
  terms: CallTerms,
  materials: readonly Material[],
): Promise<Outcome> {
  const call = await callModel(request, terms)
  if (!call.ok) return call
  if (call.finish === 'content-filter') return { ok: false, reason: 'refused', final: true }
  if (call.finish === 'error') return { ok: false, reason: 'failed' }
  return readFacts(call.text, materials)
}

function remarksOn(refused: number): readonly string[] {
  return refused === 0 ? [] : [`refused of the model: ${refused} without a quote or a word of its message`]
}
