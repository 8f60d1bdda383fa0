import type { ForgetReceipt } from '../domain/forget-receipt.ts'
import { MemoryError } from '../domain/error.ts'
import type { ForgetOptions } from '../api/facts.ts'
import { forgottenName } from '../log/forgotten.ts'
import type { ContentPlace, ScopeContent } from '../ports/erasure-store.ts'
import { overwritePages } from './carry-out.ts'
import { findSession } from './find-target.ts'
import { forgetKnowledge } from './forget-knowledge.ts'
import { forgetLog } from './forget-log.ts'
import { forgetState } from './forget-state.ts'
import type { PagedForgetOptions } from './paged-forget-options.ts'
import { emptyReceipt, sumReceipts } from './receipt.ts'
import type { ForgettingWiring } from './wiring.ts'

const PLACES_PER_PAGE = 200
/** Facts and entities that are destroyed by one order. */
const KNOWN_PER_ORDER = 50

/** Sessions first, since facts that they taught go with them; entities before facts, since the facts about one go with it. */
const KINDS: readonly ScopeContent[] = ['session', 'state', 'entity', 'fact']

/**
 * All that a scope and those below it have: sessions and states one by one, entities and facts in batches, and the pages of the file are
 * overwritten once, at the end. If the process dies, the next one finishes what it had begun, and calling it again destroys the rest.
 */
export async function forgetEverything(
  parts: ForgettingWiring,
  scope: string,
  { reason = 'asked', dryRun = false }: ForgetOptions,
): Promise<ForgetReceipt> {
  const request = { id: parts.log.newId(), scope, at: parts.log.clock.now() }
  const options: PagedForgetOptions = { reason, dryRun, forks: true, pages: 'later' }
  const facts = new Set<string>()
  const sessions = new Set<string>()
  let whole: ForgetReceipt = { ...emptyReceipt(request, reason), dryRun }
  for (const kind of KINDS)
    for await (const batch of batchesOf(kind, placesOf(parts, kind, scope))) {
      // In a dry run a fork is still there after the session that it came from was counted with it.
      const [name = ''] = batch.names
      if (kind === 'session' && sessions.has(nameIn(scope, { scope: batch.scope, name }))) continue
      const receipt = await forgetBatch(parts, kind, batch, options)
      if (receipt === undefined) continue
      for (const id of receipt.ids) facts.add(id)
      for (const session of receipt.sessions) sessions.add(nameIn(scope, { scope: batch.scope, name: session }))
      whole = sumReceipts(whole, { ...receipt, sessions: [], ids: [] })
    }
  const proposals = dryRun ? 0 : await parts.store.erasure.eraseDefinitions(scope, hashOfPredicate)
  const done = dryRun || (await overwritePages(parts))
  if (!done) parts.runner.nudge()
  return {
    ...whole,
    found: sessions.size + whole.state + whole.entities + facts.size > 0,
    sessions: [...sessions],
    // In a dry run, a fact is counted with its message, with each entity that it is about, and by itself.
    facts: facts.size,
    ids: [...facts],
    proposals: whole.proposals + proposals,
    remaining: 0,
    pending: done ? [] : ['pages'],
  }
}

function hashOfPredicate(scope: string, predicate: string): string {
  return forgottenName({ scope, session: '', kind: 'predicate', id: predicate })
}

/** The sessions of the scopes below are named with their scope: several may have one of the same name. */
function nameIn(scope: string, place: ContentPlace): string {
  return place.scope === scope ? place.name : `${place.scope}: ${place.name}`
}

async function* placesOf({ store }: ForgettingWiring, kind: ScopeContent, scope: string): AsyncGenerator<ContentPlace> {
  for (let after: ContentPlace | undefined = { scope: '', name: '' }; after !== undefined;) {
    const page: readonly ContentPlace[] = await store.erasure.contents(kind, scope, { after, limit: PLACES_PER_PAGE })
    yield* page
    after = page.length < PLACES_PER_PAGE ? undefined : page.at(-1)
  }
}

/** Places of one scope that are destroyed together. */
interface Batch {
  readonly scope: string
  readonly names: readonly string[]
}

async function* batchesOf(kind: ScopeContent, places: AsyncIterable<ContentPlace>): AsyncGenerator<Batch> {
  const most = kind === 'entity' || kind === 'fact' ? KNOWN_PER_ORDER : 1
  let batch: { scope: string; names: string[] } | undefined
  for await (const { scope, name } of places) {
    if (batch !== undefined && (batch.scope !== scope || batch.names.length >= most)) {
      yield batch
      batch = undefined
    }
    batch ??= { scope, names: [] }
    batch.names.push(name)
  }
  if (batch !== undefined) yield batch
}

/** `undefined` if it went with something before it. */
async function forgetBatch(
  parts: ForgettingWiring,
  kind: ScopeContent,
  { scope, names }: Batch,
  options: PagedForgetOptions,
): Promise<ForgetReceipt | undefined> {
  const [name = ''] = names
  try {
    if (kind === 'session')
      return await forgetLog(parts, scope, await findSession(parts, scope, { session: name }, options), options)
    if (kind === 'state') return await forgetState(parts, scope, name, options)
    return await forgetKnowledge(parts, scope, kind === 'entity' ? { entities: names } : { facts: names }, options)
  } catch (error) {
    if (MemoryError.is(error, 'log/not-found') || MemoryError.is(error, 'knowledge/not-found')) return undefined
    throw error
  }
}
