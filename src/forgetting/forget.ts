import { blockPlace } from '../domain/block-place.ts'
import { MemoryError } from '../domain/error.ts'
import { quote } from '../domain/refuse.ts'
import type { ForgetOptions, ForgetTarget } from '../api/facts.ts'
import { recordPlace } from '../domain/record-place.ts'
import type { ForgetReceipt } from '../domain/forget-receipt.ts'
import { findMessage, findSession, hasOnlyState } from './find-target.ts'
import { forgetEverything } from './forget-everything.ts'
import { forgetKnowledge } from './forget-knowledge.ts'
import { forgetLog } from './forget-log.ts'
import { forgetState } from './forget-state.ts'
import type { ForgettingWiring } from './wiring.ts'

export async function forget(
  parts: ForgettingWiring,
  scope: string,
  what: ForgetTarget,
  options: ForgetOptions,
): Promise<ForgetReceipt> {
  if ('everything' in what) return forgetEverything(parts, scope, options)
  if ('subject' in what || 'fact' in what) return forgetKnowledge(parts, scope, what, options)
  if ('records' in what) return forgetRecords(parts, scope, what.records, options)
  if ('block' in what) return forgetBlock(parts, scope, what, options)
  if ('message' in what) return forgetLog(parts, scope, await findMessage(parts, scope, what), options)
  if (await hasOnlyState(parts, scope, what.session)) return forgetState(parts, scope, what.session, options)
  return forgetLog(parts, scope, await findSession(parts, scope, what, options), options)
}

/** A block with all its versions. */
async function forgetBlock(
  parts: ForgettingWiring,
  scope: string,
  { block, session = '' }: { readonly block: string; readonly session?: string },
  options: ForgetOptions,
): Promise<ForgetReceipt> {
  const place = blockPlace(session, block)
  if ((await parts.store.state.count({ scope, session: place })) === 0)
    throw new MemoryError(
      'state/not-found',
      `Cannot forget: there is no block ${quote(block)} in ${quote(session === '' ? scope : session)}, expected the name of one`,
      { block, scope, session },
    )
  return forgetState(parts, scope, place, options)
}

/** A collection of records. */
async function forgetRecords(
  parts: ForgettingWiring,
  scope: string,
  collection: string,
  options: ForgetOptions,
): Promise<ForgetReceipt> {
  const place = recordPlace(scope, collection)
  if ((await parts.store.state.count(place)) === 0)
    throw new MemoryError(
      'records/not-found',
      `Cannot forget: ${quote(scope)} has no records in ${quote(collection)}, expected a collection`,
      { scope, collection },
    )
  return forgetState(parts, scope, place.session, options)
}
