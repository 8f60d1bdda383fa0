import { defined } from '../domain/defined.ts'
import { setImmediate } from 'node:timers/promises'
import type { Damage, IndexReport } from '../api/upkeep.ts'
import { MemoryError } from '../domain/error.ts'
import type { IntegrityStore } from '../ports/integrity-store.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { Store } from '../ports/store.ts'
import { type IndexDigests, indexDigests } from './index-digests.ts'
import { type PostWiring, postWords } from './post-words.ts'
import { postSessions } from './post-sessions.ts'

const SCOPES_PER_PAGE = 100
const SESSIONS_PER_PAGE = 200
/** The index may grow while it is read. */
const ATTEMPTS_MAX = 3

/** What the index is compared with. */
export interface IndexCheck {
  readonly store: Pick<Store, 'integrity' | 'log' | 'recall'>
  /** Loads what the index is made with. */
  readonly posting: () => Promise<Omit<PostWiring, 'pause'>>
  /** An empty store, in which the index is made again; nothing if there is none. */
  readonly openScratch: () => Promise<Store | undefined>
}

/** Makes the search index of each scope again from the log, in memory, and compares it with the stored one. */
export async function verifyIndex(
  check: IndexCheck,
): Promise<{ readonly index: IndexReport; readonly damage: readonly Damage[] }> {
  const damage: Damage[] = []
  const counts = { scopes: 0, skipped: 0 }
  let scratch: Store | undefined
  try {
    for await (const scope of scopesOf(check.store.log)) {
      const isIndexed = (await check.store.recall.unposted([scope])).length === 0
      if (isIndexed) scratch ??= await check.openScratch()
      const parts = isIndexed && scratch !== undefined ? await partsThatDiffer(check, scratch, scope) : undefined
      counts[parts === undefined ? 'skipped' : 'scopes'] += 1
      damage.push(...(parts ?? []).map((part) => damageOf(scope, part)))
    }
    damage.push(...(await strayRows(check.store.integrity)))
    return { index: counts, damage }
  } finally {
    await scratch?.close()
  }
}

/** Rows whose owner was deleted: their scope looks as if it was not indexed yet, or as if they were not there. */
async function strayRows(store: Pick<IntegrityStore, 'strayIndexRows'>): Promise<readonly Damage[]> {
  const damage: Damage[] = []
  for (
    let from: Parameters<IntegrityStore['strayIndexRows']>[0] | undefined = { table: 0, after: -1 };
    from !== undefined;
  ) {
    const page: Awaited<ReturnType<IntegrityStore['strayIndexRows']>> = await store.strayIndexRows(from)
    for (const { table, owner, key } of page.strays)
      damage.push(damageOf('', `rows of ${table} belong to row ${key} of ${owner}, which is missing`))
    from = page.next
    await setImmediate()
  }
  return damage
}

async function* scopesOf(log: LogStore): AsyncGenerator<string> {
  for (let after: string | undefined; ;) {
    const page = await log.scopes(null, { limit: SCOPES_PER_PAGE, after })
    for (const { scope } of page) yield scope
    after = page.at(-1)?.scope
    if (page.length < SCOPES_PER_PAGE) return
  }
}

/** `undefined` if somebody writes all the time, or the log itself is damaged: then there is nothing to compare with. */
async function partsThatDiffer(
  check: IndexCheck,
  scratch: Store,
  scope: string,
): Promise<readonly string[] | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const wanted = await rebuilt(await check.posting(), scratch, scope).catch(unlessClosed)
    if (wanted === undefined) return undefined
    const stored = await indexDigests(check.store.integrity, scope).catch(unlessClosed)
    if (stored === undefined) return ['it cannot be read']
    const differing = differences(stored, wanted)
    if (differing.length === 0) return []
    // A difference counts if nobody changed anything meanwhile.
    const isSame = differences(stored, await indexDigests(check.store.integrity, scope)).length === 0
    if (isSame && (await check.store.recall.unposted([scope])).length === 0) return differing
  }
  return undefined
}

/** Damage may make any read fail; what of the log is damaged is reported by those who read the log. */
function unlessClosed(error: unknown): undefined {
  if (MemoryError.is(error, 'store/closed')) throw error
  return undefined
}

async function rebuilt(posting: Omit<PostWiring, 'pause'>, scratch: Store, scope: string): Promise<IndexDigests> {
  await scratch.recall.clear()
  const recall = { ...scratch.recall, forks: (path: string, key: number) => posting.recall.forks(path, key) }
  const parts: PostWiring = { ...posting, recall, pause: () => setImmediate() }
  await postSessions(parts, scope, await sessionsOf(posting.log, scope))
  // There are no sessions in the scratch store, so this posts the facts.
  await postWords(parts, scope)
  return indexDigests(scratch.integrity, scope)
}

async function sessionsOf(log: LogStore, scope: string): Promise<readonly string[]> {
  const names: string[] = []
  for (let before: number | undefined; ;) {
    const page = await log.sessions({ scope }, { limit: SESSIONS_PER_PAGE, ...defined({ before }) })
    names.push(...page.map(({ name }) => name))
    before = page.at(-1)?.key
    if (page.length < SESSIONS_PER_PAGE) return names.toReversed()
  }
}

function differences(one: IndexDigests, other: IndexDigests): readonly string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter(
    (part) => (one.get(part) ?? 0n) !== (other.get(part) ?? 0n),
  )
}

function damageOf(scope: string, part: string): Damage {
  return {
    scope,
    session: '',
    seq: null,
    what: 'index',
    data: 'derived',
    message: `The search index is not what the log gives: ${part}`,
    remedy: 'rebuild',
  }
}
