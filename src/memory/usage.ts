import type { Calibration } from '../domain/calibration.ts'
import { checkOptions } from '../domain/check-options.ts'
import { checkId } from '../domain/names.ts'
import { refuse } from '../domain/refuse.ts'
import { liveMessages } from '../log/history.ts'
import type { Address } from '../log/log.ts'
import { observe } from '../tokens/calibrate.ts'
import { REPLY_PRIMING_TOKENS } from '../tokens/count-message.ts'
import type { Parts } from './parts.ts'

/** What a provider said a request cost. */
export interface ReportedUsage {
  readonly model: string
  /** Input tokens as counted by the provider, cached ones included. */
  readonly inputTokens: number
  /**
   * What we estimated for the same request.
   *
   * @default the sum of the window's counts
   */
  readonly estimatedTokens?: number
}

/** Teaches the estimate for that model what its provider counts. Kept in the store, so every process learns from each. */
export async function reportUsage(parts: Parts, address: Address, reported: ReportedUsage): Promise<Calibration> {
  checkOptions('report usage', reported, ['model', 'inputTokens', 'estimatedTokens'])
  checkId('report usage', 'model', reported.model)
  for (const key of ['inputTokens', 'estimatedTokens'] as const) {
    const value = reported[key]
    if (value === undefined && key === 'estimatedTokens') continue
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
      refuse('report usage', key, value, 'a number of tokens')
  }
  const estimated = reported.estimatedTokens ?? (await windowTokens(parts, address))
  const key = { model: reported.model, tokenizer: parts.log.counter }
  return parts.store.calibrations.update(key, (current) =>
    observe(current, { estimated, reported: reported.inputTokens }, reported.model),
  )
}

/** What the window costs by the tokenizer of this memory; what another one counted is counted again. */
async function windowTokens({ store, log }: Parts, address: Address): Promise<number> {
  let tokens = REPLY_PRIMING_TOKENS
  for (const message of await liveMessages(store.log, address, { newest: false })) {
    tokens += message.tokenizer === log.counter ? message.tokens : await log.count(message)
  }
  return tokens
}
