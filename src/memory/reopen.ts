import { type ReopenOptions, type ReopenedPage, reopen } from '../context/compaction/reopen.ts'
import { checkOptions } from '../domain/check-options.ts'
import { checkId } from '../domain/names.ts'
import type { Address } from '../log/log.ts'
import { checkCount, checkPosition } from './check-arguments.ts'
import { ContextMemory } from './context-memory.ts'
import type { Wiring } from './wiring.ts'

/** The original messages behind a fold, by page of characters. */
export async function reopenFold(
  parts: Wiring,
  address: Address,
  fold: string,
  options: ReopenOptions,
): Promise<ReopenedPage> {
  checkId('reopen', 'fold', fold)
  checkOptions('reopen', options, ['offset', 'limit'])
  if (options.offset !== undefined) checkPosition('reopen', 'offset', options.offset)
  if (options.limit !== undefined) checkCount('reopen', 'limit', options.limit)
  const { outlines } = ContextMemory.of(parts)
  return reopen(parts.store.log, address, fold, { ...options, outlines })
}
