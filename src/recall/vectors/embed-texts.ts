import type { EmbedAnswer, Embedder } from '../../ports/embedder.ts'
import { type VectorFault, checkVectors } from './check-vectors.ts'
import { faultOfError } from './embed-error.ts'
import type { EmbedSettings } from './embed-settings.ts'
import { within } from '../../model/within.ts'

export type EmbedFailure =
  | VectorFault
  | 'aborted' // by the caller
  | 'timeout' // no answer within the deadline
  | 'over-spend' // the limit does not allow a call
  | 'refused' // the provider does not want this text
  | 'failed' // it threw

/** `null` where the embedder, which is otherwise in good order, has no vector for a text. */
export type Embedded =
  | { readonly ok: true; readonly vectors: readonly (Float32Array | null)[]; readonly dimensions: number }
  | { readonly ok: false; readonly reason: EmbedFailure; readonly detail: string; readonly final?: true }

/** What providers take without complaint; whoever has a longer text is found by its beginning. */
const TEXT_CHARACTERS_MAX = 8_000
const BACK_OFF_MS = 500
const BACK_OFF_MS_MAX = 30_000

/**
 * Asks for vectors until they are right: again after a pause, longer each time, and no more than so often. If the fault is in the
 * answer and not in the line, the texts are then asked for in halves, so that one text that no model can take does not keep all
 * the others from being found.
 */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
  dimensions: number | undefined,
  settings: EmbedSettings,
): Promise<Embedded> {
  const ask = { embedder, dimensions, settings }
  const whole = await askWithRetries(ask, texts, settings.attemptsMax)
  if (whole.ok || !isOfText(whole.reason) || texts.length === 1) return whole
  const parts = await askInHalves(ask, texts)
  // None at all: then it is not the texts.
  return parts.ok && parts.vectors.every((vector) => vector === null) ? whole : parts
}

interface Ask {
  readonly embedder: Embedder
  readonly dimensions: number | undefined
  readonly settings: EmbedSettings
}

async function askInHalves(ask: Ask, texts: readonly string[]): Promise<Embedded> {
  const middle = Math.ceil(texts.length / 2)
  const vectors: (Float32Array | null)[] = []
  let dimensions = ask.dimensions ?? 0
  for (const half of [texts.slice(0, middle), texts.slice(middle)]) {
    const single = half.length === 1
    let answer = await askWithRetries(ask, half, single ? 2 : 1)
    if (!answer.ok && isOfText(answer.reason))
      answer = single ? { ok: true, vectors: [null], dimensions } : await askInHalves(ask, half)
    if (!answer.ok) return answer
    dimensions = Math.max(dimensions, answer.dimensions)
    vectors.push(...answer.vectors)
  }
  return { ok: true, vectors, dimensions }
}

async function askWithRetries(ask: Ask, texts: readonly string[], attemptsMax: number): Promise<Embedded> {
  for (let attempt = 1; ; attempt++) {
    const answer = await askOnce(ask, texts)
    if (answer.ok || answer.final || attempt >= attemptsMax) return answer
    const { random, sleep, signal } = ask.settings
    const pause = Math.min(BACK_OFF_MS * 2 ** (attempt - 1), BACK_OFF_MS_MAX)
    await sleep(pause * (0.5 + random() / 2), signal)
    if (signal.aborted) return { ok: false, reason: 'aborted', detail: 'the caller has stopped waiting', final: true }
  }
}

async function askOnce({ embedder, dimensions, settings }: Ask, texts: readonly string[]): Promise<Embedded> {
  const cut = texts.map((text) => text.slice(0, TEXT_CHARACTERS_MAX).toWellFormed())
  const tokens = cut.reduce((sum, text) => sum + settings.countTokens(text), 0)
  const expense = settings.spend.take(tokens)
  if (expense === undefined)
    return { ok: false, reason: 'over-spend', detail: `no ${tokens} tokens left to spend`, final: true }
  const waited = await within(settings.deadlineMs, settings.signal, (signal) => embedder.embed({ texts: cut, signal }))
  if (!waited.ok) return waited.reason === 'failed' ? faultOfError(waited.error) : notWaited(waited.reason, settings)
  const answer = waited.value as Partial<EmbedAnswer> | null | undefined
  if (typeof answer?.tokens === 'number' && answer.tokens >= 0) settings.spend.settle(expense, answer.tokens)
  return checkVectors(answer?.vectors, texts.length, dimensions)
}

function notWaited(reason: 'aborted' | 'timeout', { deadlineMs }: EmbedSettings): Embedded {
  if (reason === 'aborted') return { ok: false, reason, detail: 'the caller has stopped waiting', final: true }
  return { ok: false, reason, detail: `no reply within ${deadlineMs} ms` }
}

/** Faults that another text might not have. */
function isOfText(reason: EmbedFailure): boolean {
  return !['aborted', 'timeout', 'over-spend', 'failed'].includes(reason)
}
