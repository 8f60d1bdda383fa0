import type { PromptTasks } from '../../api/open-memory.ts'
import type { Identifier } from '../../domain/fold.ts'
import type { Draft } from '../../domain/message.ts'
import { messageText } from '../../log/message-text.ts'
import type { Clock } from '../../ports/clock.ts'
import type { LanguageModel, ModelUsage } from '../../ports/language-model.ts'
import { isRefusal } from '../../model/is-refusal.ts'
import { checkSummary, withVital } from './check-summary.ts'
import { type Tally, callModel } from '../../model/call-model.ts'
import { Deadline } from '../../model/deadline.ts'
import { type Entry, draftsOf, positionOf, totalTokens, trustOfEntries } from '../window/entry.ts'
import { draftTexts } from '../summary/ledger.ts'
import { quotedBlock } from '../summary/quoted-block.ts'
import { errorText } from '../../domain/error-text.ts'
import type { ModelFailure } from './model-failure.ts'
import { parseAnswer } from './parse-answer.ts'
import { instructionsFor, promptNamed, schemaFor } from './prompts/compose.ts'
import type { Prompt } from './prompts/prompt.ts'
import { recordOf, remarkOnSummary } from './prompts/record.ts'
import { retell } from './retell.ts'
import type { Spend } from '../../model/spend.ts'
import type { StagePrompt } from '../compaction/stage.ts'

/** A bound, not a tuning knob: what one compaction may cost at most. */
const CALLS_MAX = 2
/** Fits the windows of all current models, with room for the answer. */
const INPUT_TOKENS_MAX = 100_000
const CHARACTERS_PER_TOKEN = 4
/** The record is cut again, smaller, if it was estimated too low. */
const CUTS_MAX = 4
/** Besides the words themselves: field names and punctuation, and what a model thinks before it writes. */
const ANSWER_TOKENS_FACTOR = 1.5
const ANSWER_TOKENS_MORE = 1_024

export interface ModelSummaryRequest {
  readonly model: LanguageModel
  readonly prompt: StagePrompt
  /** The user's own prompts. */
  readonly tasks?: PromptTasks
  /** What would be folded. */
  readonly entries: readonly Entry[]
  /** What the rule itself would show: the model's words take the place of its longest text. */
  readonly standIn: readonly Draft[]
  /** Of what would be folded. The vital ones must be visible in the summary. */
  readonly identifiers: readonly Identifier[]
  /** Tokens of a text, as the window counts them. */
  readonly count: (text: string) => number | Promise<number>
}

export interface ModelLimits {
  /** For both calls together. The first answer that cannot be had by then is not waited for. */
  readonly deadlineMs: number
  readonly signal: AbortSignal
  readonly clock: Clock
  /** Shared by all compactions that draw on it. @default no limit */
  readonly spend?: Spend
  /** How often the model may be called. @default 2 */
  readonly callsMax?: number
  /** What the model is shown at most: longer texts lose their middle. @default 100,000 */
  readonly inputTokensMax?: number
}

interface Bill {
  readonly calls: number
  readonly ms: number
  /** Sum of what was reported; absent if nothing was. */
  readonly usage?: ModelUsage
}

export type ModelSummary =
  | ({ readonly ok: true; readonly text: string; readonly standIn: readonly Draft[] } & Bill)
  | ({ readonly ok: false; readonly reason: ModelFailure; readonly detail?: string } & Bill)

interface Failure {
  readonly ok: false
  readonly reason: ModelFailure
  /** What is worth telling a person: an error's message, or names. */
  readonly detail?: string
  /** What is worth telling the model. */
  readonly names?: readonly string[]
  /** The same question would get the same answer. */
  readonly final?: true
}

type Outcome = { readonly ok: true; readonly text: string } | Failure

/** What is asked, and by what the answer is judged. */
interface Question {
  readonly prompt: Prompt
  readonly system: string
  readonly record: string
  readonly source: string
  readonly vital: readonly Identifier[]
  /** What the summary may cost. */
  readonly tokensMax: number
}

/**
 * Asks a model for better words than the rule's own. Never throws and never waits longer than its deadline; calls the
 * model at most twice, the second time saying what was wrong with the first answer. Only an answer that passes every
 * check comes back, so whoever gets `ok: false` shows the rule's own stand-in and has lost nothing.
 */
export async function summariseWithModel(request: ModelSummaryRequest, limits: ModelLimits): Promise<ModelSummary> {
  const startedAt = limits.clock.now()
  const tally: Tally = { calls: 0, usage: undefined }
  const outcome = await summarise(request, limits, tally).catch((error: unknown): Failure => ({
    ok: false,
    reason: 'failed',
    detail: errorText(error),
  }))
  const { calls, usage } = tally
  const bill: Bill = { calls, ms: Math.max(0, limits.clock.now() - startedAt), ...(usage && { usage }) }
  if (outcome.ok)
    return { ok: true, text: outcome.text, standIn: retell(request.standIn, outcome.text, voiceOf(request)), ...bill }
  const detail = outcome.detail ?? outcome.names?.join(', ')
  return { ok: false, reason: outcome.reason, ...(detail !== undefined && { detail: detail.slice(0, 500) }), ...bill }
}

/**
 * How a model's words are shown: as quoted data where anything they are about is untrusted, since nobody can tell which of
 * them it inspired. A message that was only shortened keeps its own voice.
 */
function voiceOf({ prompt, entries }: ModelSummaryRequest): (text: string) => string {
  if (prompt.name === 'shorten-payload' || trustOfEntries(entries) > 0) return (text) => text
  return (text) => {
    const lines = text.split('\n')
    const kept = lines.filter((line) => line.startsWith('Kept: '))
    return [...kept, quotedBlock(lines.filter((line) => !kept.includes(line)))].join('\n')
  }
}

async function summarise(request: ModelSummaryRequest, limits: ModelLimits, tally: Tally): Promise<Outcome> {
  if (limits.signal.aborted) return fail('aborted')
  if (!(limits.deadlineMs > 0)) return fail('timeout')
  const deadline = new Deadline(limits.deadlineMs, limits.signal)
  try {
    const question = await ask(request, limits.inputTokensMax ?? INPUT_TOKENS_MAX)
    if ('reason' in question) return question
    let outcome = await tryOnce(request, limits, { deadline, tally, question })
    while (!outcome.ok && !outcome.final && tally.calls < Math.min(CALLS_MAX, limits.callsMax ?? CALLS_MAX)) {
      const again = await tryOnce(request, limits, { deadline, tally, question, wrong: outcome })
      if (!again.ok && again.reason === 'over-spend') break
      outcome = again
    }
    return outcome
  } finally {
    deadline.end()
  }
}

/** Puts the question together, unless no answer could be good enough. */
async function ask(request: ModelSummaryRequest, inputTokensMax: number): Promise<Question | Failure> {
  const { entries, count } = request
  const frameTokens = await count(retell(request.standIn, ' ', voiceOf(request)).map(messageText).join('\n'))
  const tokensMax = Math.min(Math.floor(request.prompt.tokensMax), totalTokens(entries) - frameTokens - 1)
  if (!(tokensMax >= 1)) return fail('longer')
  const vital = request.identifiers.filter((identifier) => identifier.vital)
  const names = [...new Set(vital.map(({ text }) => text))]
  if (vital.length > 0 && (await count(withVital('', vital))) > tokensMax) return { ...fail('lost-identifiers'), names }
  const prompt = promptNamed(request.prompt.name, request.tasks)
  const system = instructionsFor(prompt, tokensMax)
  let charactersMax = inputTokensMax * CHARACTERS_PER_TOKEN
  for (let cut = 0; cut < CUTS_MAX; cut++) {
    const record = recordOf(entries, names, charactersMax)
    if (record === undefined) break
    const tokens = await count(record)
    if (tokens <= inputTokensMax) return { prompt, system, record, source: sourceOf(entries), vital, tokensMax }
    charactersMax = Math.floor(charactersMax * Math.min(0.9, inputTokensMax / tokens))
  }
  return fail('too-large')
}

interface Attempt {
  readonly deadline: Deadline
  readonly tally: Tally
  readonly question: Question
  /** What the first answer was refused for. */
  readonly wrong?: Failure
}

async function tryOnce(request: ModelSummaryRequest, limits: ModelLimits, attempt: Attempt): Promise<Outcome> {
  const { deadline, tally, question, wrong } = attempt
  const call = await callModel(
    {
      system: question.system,
      prompt: `${question.record}${wrong === undefined ? '' : remarkOnSummary(wrong.reason, wrong.names)}`,
      schema: schemaFor(question.prompt),
      tokensMax: Math.ceil(question.tokensMax * ANSWER_TOKENS_FACTOR) + ANSWER_TOKENS_MORE,
    },
    { model: request.model, count: request.count, deadline, tally, ...(limits.spend && { spend: limits.spend }) },
  )
  if (!call.ok) return call
  const outcome = await judge(call.text, call.finish, request, question)
  return deadline.cause === 'aborted' ? { ...fail('aborted'), final: true } : outcome
}

async function judge(
  text: string,
  finish: string | undefined,
  request: ModelSummaryRequest,
  question: Question,
): Promise<Outcome> {
  if (finish === 'content-filter') return { ...fail('refused'), final: true }
  if (finish === 'error') return fail('failed')
  if (text.trim() === '') return fail('empty')
  const parsed = parseAnswer(text, question.prompt)
  if (!parsed.ok) return fail(parsed.reason === 'unparsable' && isRefusal(text) ? 'refused' : parsed.reason)
  const { source, system: instructions, vital, tokensMax } = question
  return checkSummary(parsed.told, { source, instructions, vital, tokensMax, count: request.count })
}

/** The text that a summary may draw on: unlike the record, uncut, and arguments also as they read without escapes. */
function sourceOf(entries: readonly Entry[]): string {
  return entries
    .flatMap((entry) => [
      String(positionOf(entry)),
      ...draftsOf(entry).flatMap((draft) => [
        draft.name ?? '',
        messageText(draft),
        ...draftTexts(draft).map(({ text }) => text),
      ]),
      ...(entry.type === 'fold' ? entry.fold.ledger.map(({ text }) => text) : []),
    ])
    .join('\n')
}

function fail(reason: ModelFailure): Failure {
  return { ok: false, reason }
}
