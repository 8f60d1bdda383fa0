import type { Calibration } from '../../domain/calibration.ts'
import type { Draft, Message } from '../../domain/message.ts'
import type { Tokenizer } from '../../ports/tokenizer.ts'
import { calibrated } from '../../tokens/calibrate.ts'
import { countMessage } from '../../tokens/count-message.ts'
import { type MediaFormula, mediaFormula } from '../../tokens/media-formula.ts'
import { exactMediaTokens, mediaDifference } from '../../tokens/media-tokens.ts'
import { loadTokenizer } from '../../tokens/exact.ts'
import { tokenizerForModel } from '../../tokens/tokenizer-for-model.ts'
import { type Entry, draftsOf } from '../window/entry.ts'

/** How a model counts: what a message costs, and how much of a budget may be filled to be safe. */
export interface Scale {
  /** Who counts. */
  readonly counter: string
  /** Whether texts are counted as the model counts them. */
  readonly exact: boolean
  /** How it counts images, pages and sound. */
  readonly media: MediaFormula
  /** The part of a budget that counts may add up to; the rest is for what an estimate may be wrong by. */
  usable(budget: number): number
  /** What a context of so many counted tokens will cost at the most; `sure` of them need no margin. */
  cost(tokens: number, sure?: number): number
  /** How many tokens of a message are pictures that the model counts just so. */
  sure(draft: Draft): number
  weigh(draft: Draft): Promise<number>
  /** At once, unless it has to be counted. */
  weighEntry(entry: Entry): number | Promise<number>
}

/** Counts of messages that are already counted. By session, id and revision they are bounded: the oldest go first. */
export class CountCache {
  readonly #counts = new Map<string, number>()
  /** By object, for each way of counting: the next context has the same objects. */
  readonly #known = new Map<string, WeakMap<Draft, number>>()

  of(way: readonly unknown[]): WeakMap<Draft, number> {
    const key = JSON.stringify(way)
    const known = this.#known.get(key) ?? new WeakMap<Draft, number>()
    this.#known.set(key, known)
    return known
  }

  async get(key: string, count: () => number | Promise<number>): Promise<number> {
    const known = this.#counts.get(key)
    if (known !== undefined) return known
    const counted = await count()
    this.#counts.set(key, counted)
    if (this.#counts.size > COUNTS_MAX) this.#counts.delete(this.#counts.keys().next().value ?? '')
    return counted
  }
}

const COUNTS_MAX = 100_000

export interface ScaleRequest {
  readonly model: string | undefined
  /** Names the session: ids of messages are only its own. */
  readonly session: string
  /** The tokenizer whose counts are stored, and its count of one message. */
  readonly counter: string
  readonly count: (draft: Draft) => number | Promise<number>
  readonly calibration: (model: string) => Promise<Calibration | undefined>
  readonly cache: CountCache
}

/** The model's own tokenizer where it is public; otherwise the stored counts, corrected by what its provider reported. */
export async function scaleFor(terms: ScaleRequest): Promise<Scale> {
  const { model, counter, cache } = terms
  if (model === undefined) return plainScale(terms, {})
  const media = mediaFormula(model)
  const { encoding } = tokenizerForModel(model)
  if (encoding === counter) return { ...plainScale(terms, media), exact: true }
  if (encoding !== undefined) return exactScale(await loadTokenizer(encoding), media, cache, terms.session)
  const calibration = await terms.calibration(model)
  const cost = (tokens: number, sure = 0): number => {
    const { tokens: likely, margin } = calibrated(calibration, tokens - sure)
    return likely + margin + sure
  }
  return {
    ...plainScale(terms, media),
    cost,
    sure: (draft) => exactMediaTokens(draft, media),
    usable: (budget) => largestBelow(budget, cost),
  }
}

/** The stored counts, with media as the model counts it. */
function plainScale({ counter, count, cache }: ScaleRequest, media: MediaFormula): Scale {
  const weigh = remembered(
    cache.of(['stored', counter, media]),
    async (draft) => (await count(draft)) + mediaDifference(draft, media),
  )
  return {
    counter,
    exact: false,
    media,
    usable: (budget) => budget,
    cost: (tokens) => tokens,
    sure: () => 0,
    weigh,
    weighEntry: (entry) => {
      const drafts = draftsOf(entry)
      // Whoever counted may not be who counts now.
      const { tokens, tokenizer } = entry.type === 'fold' ? entry.fold : entry.message
      if (tokenizer !== counter) return weighAll(drafts, weigh)
      return drafts.reduce((sum, draft) => sum + mediaDifference(draft, media), tokens)
    },
  }
}

function exactScale(tokenizer: Tokenizer, media: MediaFormula, cache: CountCache, session: string): Scale {
  const known = cache.of(['exact', tokenizer.name, media])
  const weigh = remembered(known, async (draft) => countMessage(tokenizer, draft, media))
  const count = async (message: Message): Promise<number> => {
    // A message that is being streamed has more tokens each time, and the same revision.
    const { id, seq, revision, tokens } = message
    const counted = await cache.get(JSON.stringify([tokenizer.name, media, session, id, seq, revision, tokens]), () =>
      weigh(message),
    )
    known.set(message, counted)
    return counted
  }
  return {
    counter: tokenizer.name,
    exact: true,
    media,
    usable: (budget) => budget,
    cost: (tokens) => tokens,
    sure: () => 0,
    weigh,
    weighEntry: (entry) => {
      // A fold's id says what it hides, not what it shows: its words are counted again. There are few of them.
      if (entry.type === 'fold') return weighAll(entry.fold.standIn, weigh)
      return known.get(entry.message) ?? count(entry.message)
    },
  }
}

/** Counts an object once: a long system text would otherwise be counted several times for each context. */
function remembered(known: WeakMap<Draft, number>, count: (draft: Draft) => Promise<number>): Scale['weigh'] {
  return async (draft) => {
    const counted = known.get(draft) ?? (await count(draft))
    known.set(draft, counted)
    return counted
  }
}

async function weighAll(drafts: readonly Draft[], weigh: ScaleRequest['count']): Promise<number> {
  let tokens = 0
  for (const draft of drafts) tokens += await weigh(draft)
  return tokens
}

/** The most tokens whose cost stays within the budget. The cost rises with the tokens, so halving finds it. */
function largestBelow(budget: number, cost: (tokens: number) => number): number {
  let low = 0
  let high = Math.max(0, budget)
  while (high > 0 && cost(high) <= budget) [low, high] = [high, high * 2]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (cost(middle) <= budget) low = middle
    else high = middle - 1
  }
  return low
}
