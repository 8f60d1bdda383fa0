import { checkOptions, nearest } from '../domain/check-options.ts'
import { type Dialect, dialects } from '../domain/dialect.ts'
import { refuse } from '../domain/refuse.ts'

/** Accepts the name of a dialect, and says which one was probably meant by another. */
export function checkDialect(attempt: string, option: string, value: unknown): asserts value is Dialect {
  if (dialects.some((dialect) => dialect === value)) return
  const meant = typeof value === 'string' ? nearest(value, dialects) : undefined
  refuse(
    attempt,
    option,
    value,
    meant === undefined ? `one of ${dialects.join(', ')}` : `a known dialect, did you mean "${meant}"?`,
  )
}

/**
 * Accepts what `lint` and `repair` take besides a transcript: a misspelt switch would be a rule that nobody checks.
 * Without shapes, which would add 4 kB to a page that bundles the dialects alone.
 */
export function checkLintOptions(attempt: string, options: unknown): void {
  checkOptions(attempt, options, ['unconfirmed', 'model', 'thinking', 'store', 'profile'])
  const { unconfirmed, model, thinking, store, profile } = options as Readonly<Record<string, unknown>>
  if (unconfirmed !== undefined && unconfirmed !== 'warning' && unconfirmed !== 'error')
    refuse(attempt, 'unconfirmed', unconfirmed, 'warning or error')
  if (model !== undefined && typeof model !== 'string') refuse(attempt, 'model', model, 'the name of a model')
  for (const [name, value] of Object.entries({ thinking, store }))
    if (value !== undefined && typeof value !== 'boolean') refuse(attempt, name, value, 'true or false')
  if (profile !== undefined && profile !== 'openai' && profile !== 'openai-compatible-strict')
    refuse(attempt, 'profile', profile, 'openai or openai-compatible-strict')
}

/** Accepts what `convert` takes besides a transcript. */
export function checkConvertOptions(options: unknown): void {
  checkOptions('convert', options, ['from', 'to', 'blobs', 'model'])
  const { from, to, blobs, model } = options as Readonly<Record<string, unknown>>
  checkDialect('convert', 'from', from)
  checkDialect('convert', 'to', to)
  if (blobs !== undefined && typeof (blobs as Partial<ReadonlyMap<string, unknown>> | null)?.get !== 'function')
    refuse('convert', 'blobs', blobs, 'a Map of bytes by hash')
  if (model !== undefined && typeof model !== 'string') refuse('convert', 'model', model, 'the name of a model')
}
