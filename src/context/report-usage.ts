import type { ReportedUsage } from '../api/sessions.ts'
import type { Calibration } from '../domain/calibration.ts'
import { refuse } from '../domain/refuse.ts'
import { rootOf } from '../domain/scope-path.ts'
import type { Address } from '../log/log.ts'
import { nextTime } from '../state/change-row.ts'
import type { TokenUsage } from '../api/document.ts'
import { NO_TOKEN_USAGE, addTokenUsage } from '../state/token-usage.ts'
import { observe } from '../tokens/calibrate.ts'
import { countedKey } from './build-context.ts'
import type { ContextWiring } from './wiring.ts'

const USAGE_KEY = 'token_usage'

/**
 * Corrects the estimate for that model by what its provider counted. Stored twice, so that all processes use it: for the root
 * scope, whose contexts are measured by it, and for the session's own scope, whose reports alone may cause a compaction.
 */
export async function reportUsage(
  parts: ContextWiring,
  address: Address,
  reported: ReportedUsage,
): Promise<Calibration> {
  const counted = parts.contexts.memory?.counted
  const { estimated, sure } =
    reported.estimatedTokens !== undefined
      ? { estimated: reported.estimatedTokens, sure: 0 }
      : (counted?.get(countedKey(address, reported.model)) ??
        counted?.get(countedKey(address, undefined)) ?? { estimated: undefined, sure: 0 })
  if (estimated === undefined)
    throw refuse(
      'report usage',
      'estimatedTokens',
      estimated,
      'a number of tokens, or a context of this session built before',
    )
  await addUsage(parts, address, reported)
  const { model, inputTokens } = reported
  if (!parts.calibrate) return { model, samples: 0, ratio: 1, spread: 0, ignored: 1, lastIgnored: 'switched-off' }
  const scopes = new Set([rootOf(address.scope), address.scope])
  const [ofRoot] = await Promise.all(
    [...scopes].map((scope) =>
      parts.store.calibrations.update({ scope, model, tokenizer: parts.log.counter }, (current) =>
        observe(current, { estimated, reported: inputTokens - sure }, model),
      ),
    ),
  )
  return ofRoot as Calibration
}

/** The totals of the session, in its state: so they have a history, and every process adds to the same. */
async function addUsage({ store, log }: ContextWiring, address: Address, reported: ReportedUsage): Promise<void> {
  const { inputTokens, outputTokens = 0 } = reported
  await store.state.change(address, { section: 'value', keys: [USAGE_KEY] }, (head, rows) => {
    const text = rows.get(USAGE_KEY)?.value ?? null
    const before = text === null ? NO_TOKEN_USAGE : (JSON.parse(text) as TokenUsage)
    const value = JSON.stringify(addTokenUsage(before, inputTokens, outputTokens))
    return { answer: undefined, at: nextTime(head, log.clock.now()), rows: [{ key: USAGE_KEY, value }] }
  })
}
