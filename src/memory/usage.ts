import type { Calibration } from '../domain/calibration.ts'
import { checkOptions } from '../domain/check-options.ts'
import { checkId } from '../domain/names.ts'
import { refuse } from '../domain/refuse.ts'
import type { Address } from '../log/log.ts'
import { observe } from '../tokens/calibrate.ts'
import { keyOf } from './context.ts'
import type { Parts } from './parts.ts'

/** What a provider said a request cost. */
export interface ReportedUsage {
  readonly model: string
  /** Input tokens as counted by the provider, cached ones included. */
  readonly inputTokens: number
  /**
   * What we counted for the same request, uncorrected.
   *
   * @default what the last context of this session was counted as, by this memory
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
  const estimated = reported.estimatedTokens ?? parts.contexts.counted.get(keyOf(address))
  if (estimated === undefined)
    refuse(
      'report usage',
      'estimatedTokens',
      estimated,
      'a number of tokens, or a context of this session built before',
    )
  const key = { model: reported.model, tokenizer: parts.log.counter }
  return parts.store.calibrations.update(key, (current) =>
    observe(current, { estimated, reported: reported.inputTokens }, reported.model),
  )
}
