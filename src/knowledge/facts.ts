import { defined } from '../domain/defined.ts'
import type { FactHistoryOptions, FactsOptions, FactOptions } from '../api/facts.ts'
import type { Fact, FactObject, FactState, FactVersion } from '../domain/fact.ts'
import type { Role } from '../domain/message.ts'
import { parseObject } from '../domain/new-fact.ts'
import { normalPredicate } from '../domain/normal-form.ts'
import { scopeChain } from '../domain/scope-path.ts'
import { OPEN_END, OPEN_START } from '../domain/span.ts'
import type { Asking, FactFilter, FactQuery } from '../ports/knowledge-store.ts'
import { ask } from './ask.ts'
import { countRevisions } from './count-revisions.ts'
import { ANY } from './knowledge-edit.ts'
import { SOURCES_SHOWN_MAX, showFact, showFacts, stateOf } from './fact-from-row.ts'
import { factsFrom } from './facts-from.ts'
import { nameKey, objectKey } from './keys.ts'
import type { Knowledge } from './knowledge.ts'
import { type KnownFact, readFact } from './known-fact.ts'
import { type Viewpoint, viewpoint } from './moment.ts'
import { type NameSpace, keysOfEntity, resolveNames } from './names.ts'
import { prevailing } from './prevailing.ts'
import { sourceIn } from './stated-time.ts'

const FACTS_PER_PAGE = 100
const FACTS_PER_SEARCH = 500

/** Facts of a scope and its ancestors. Where a predicate holds one value, only the one that prevails in the chain. */
export function facts(knowledge: Knowledge, scope: string, options: FactsOptions): Promise<readonly Fact[]> {
  return knowledge.store.read(scope, function* read() {
    const view = yield* viewpoint(knowledge, scope, options)
    const chain = scopeChain(scope)
    return yield* showFacts(chain, yield* select(chain, view, options), view)
  })
}

function* select(chain: readonly string[], view: Viewpoint, options: FactsOptions): Asking<readonly KnownFact[]> {
  const { limit = FACTS_PER_PAGE, tag, role } = options
  const states = statesOf(options)
  const space = spaceOf(chain, view)
  const onlyCurrent = states.every((state) => state === 'current')
  const selection = yield* selectionOf(space, options)
  const where = boundsOf(states, view.at)
  // Larger pages when most rows may not match.
  const isSearch = tag !== undefined || role !== undefined || options.object !== undefined
  const size = isSearch ? Math.max(limit, FACTS_PER_SEARCH) : limit
  const found: KnownFact[] = []
  let { after } = options
  for (;;) {
    const rows = yield* ask({
      of: 'facts',
      scopes: chain,
      by: selection.by(after, size),
      where,
      limit: size,
      newestFirst: options.order !== 'oldest',
      ...defined({ version: view.version, after }),
    })
    const matching = rows
      .map(readFact)
      .filter((fact) => selection.accepts(fact) && states.includes(stateOf(fact, view.at)))
      .filter(({ body }) => tag === undefined || body.tags.includes(tag))
    // A question for what is true now has one result; with other states, every statement is shown.
    const shown = onlyCurrent ? yield* prevailing(space, view, matching) : matching
    for (const fact of role === undefined ? shown : yield* learnedFromRole(shown, role)) {
      found.push(fact)
      if (found.length === limit) return found
    }
    if (selection.isLast(rows.length, size, after)) return found
    after = selection.next(rows.at(-1)?.id, size, after)
  }
}

/** Those with a message of a role among their newest sources. */
function* learnedFromRole(found: readonly KnownFact[], role: Role): Asking<readonly KnownFact[]> {
  if (found.length === 0) return []
  const sources = yield* ask({ of: 'sources', facts: found, limit: SOURCES_SHOWN_MAX })
  return found.filter((_, index) =>
    sources[index]?.rows.some(({ body }) => {
      const source = sourceIn(body)
      return source.type === 'message' && source.role === role
    }),
  )
}

export function spaceOf(chain: readonly string[], { version }: Viewpoint): NameSpace {
  return { scopes: chain, ...defined({ version }) }
}

/** The keys that facts about a name are under. */
export function* keysOfName(space: NameSpace, name: string): Asking<readonly string[]> {
  const key = nameKey(name)
  const entity = (yield* resolveNames(space, [key])).get(key)
  return entity === undefined ? [key] : yield* keysOfEntity(space, entity)
}

interface Selection {
  /** What to ask for after a fact. */
  readonly by: (after: string | undefined, size: number) => FactQuery['by']
  readonly isLast: (rows: number, size: number, after: string | undefined) => boolean
  /** The fact after which the next page begins. */
  readonly next: (last: string | undefined, size: number, after: string | undefined) => string | undefined
  readonly accepts: (fact: KnownFact) => boolean
}

function* selectionOf(space: NameSpace, options: FactsOptions): Asking<Selection> {
  const { subject, source } = options
  const predicate = options.predicate === undefined ? undefined : normalPredicate(options.predicate)
  const object = options.object === undefined ? undefined : parseObject('object', options.object, 'read facts')
  const subjects = subject === undefined ? undefined : yield* keysOfName(space, subject)
  const objects = object === undefined ? undefined : yield* objectKeys(space, object)
  const accepts = (fact: KnownFact): boolean =>
    (subjects?.includes(fact.subject) ?? true) &&
    (predicate === undefined || fact.predicate === predicate) &&
    (objects?.includes(fact.objectKey) ?? true)
  if (source !== undefined) return ofIds(yield* factsFrom(space.scopes, source), options.order !== 'oldest', accepts)
  return {
    by: () => {
      if (subjects !== undefined) return { subjects, ...defined({ predicate }) }
      if (objects !== undefined) return { objects }
      return predicate === undefined ? { all: true } : { predicate }
    },
    isLast: (rows, size) => rows < size,
    next: (last) => last,
    accepts,
  }
}

/** Facts that are known by their ids: a page is looked up by the ids that belong to it. */
function ofIds(ids: ReadonlySet<string>, newestFirst: boolean, accepts: Selection['accepts']): Selection {
  const sorted = [...ids].toSorted((a, b) => (a < b !== newestFirst ? -1 : 1))
  const page = (after: string | undefined, size: number): readonly string[] => {
    const from = after === undefined ? 0 : sorted.findIndex((id) => (newestFirst ? id < after : id > after))
    return from < 0 ? [] : sorted.slice(from, from + size)
  }
  return {
    by: (after, size) => ({ ids: page(after, size) }),
    isLast: (_, size, after) => page(after, size).length < size,
    next: (_, size, after) => page(after, size).at(-1),
    accepts,
  }
}

function* objectKeys(space: NameSpace, object: FactObject): Asking<readonly string[]> {
  if (typeof object !== 'object' || !('entity' in object)) return [objectKey(object)]
  return (yield* keysOfName(space, object.entity)).map((key) => objectKey(object, key))
}

function statesOf({ state, includeClosed = false }: FactsOptions): readonly FactState[] {
  if (state !== undefined) return typeof state === 'string' ? [state] : state
  return includeClosed ? ['current', 'closed', 'upcoming'] : ['current']
}

/** As much of the states as an index can tell; the rest is told row by row. */
function boundsOf(states: readonly FactState[], at: number): FactFilter {
  const standings = states.map((state) => (state === 'disputed' || state === 'retracted' ? state : ('held' as const)))
  const sorted = standings.toSorted()
  const held = standings.every((standing) => standing === 'held')
  const quarantined = states.includes('quarantined')
  return {
    standing: [sorted[0] ?? 'held', sorted.at(-1) ?? 'held'],
    trust: held ? [quarantined ? 0 : 1, quarantined && states.length === 1 ? 0 : 3] : [0, 3],
    valid: states.length === 1 && states[0] === 'current' ? [at, at] : [OPEN_END, OPEN_START - 1],
  }
}

/** One fact of the scope or an ancestor, whatever its state. */
export function factById(
  knowledge: Knowledge,
  scope: string,
  id: string,
  then: FactOptions,
): Promise<Fact | undefined> {
  return knowledge.store.read(scope, function* read() {
    const view = yield* viewpoint(knowledge, scope, then)
    const scopes = scopeChain(scope)
    const rows = yield* ask({
      of: 'facts',
      scopes,
      by: { ids: [id] },
      where: ANY,
      limit: 1,
      ...defined({ version: view.version }),
    })
    return (yield* showFacts(scopes, rows.map(readFact), view))[0]
  })
}

/** The versions of a fact, oldest first, each with the sources it had. */
export function factHistory(
  knowledge: Knowledge,
  scope: string,
  id: string,
  { limit = FACTS_PER_PAGE }: FactHistoryOptions,
): Promise<readonly FactVersion[]> {
  return knowledge.store.read(scope, function* read() {
    const chain = scopeChain(scope)
    for (const one of chain) {
      const versions = (yield* ask({ of: 'history', scope: one, fact: id, limit })).map(readFact)
      if (versions.length > 0) return yield* countRevisions(chain, yield* showVersions(versions))
    }
    return []
  })
}

function* showVersions(versions: readonly KnownFact[]): Asking<readonly FactVersion[]> {
  const shown: FactVersion[] = []
  for (const [index, version] of versions.entries()) {
    // A source alone makes no version: it belongs to the one it was added to.
    const last = version.until === OPEN_END ? {} : { version: version.until - 1 }
    const [sources] = yield* ask({ of: 'sources', facts: [version], limit: FACTS_PER_PAGE, ...last })
    const next = versions[index + 1]
    shown.push({
      ...showFact(version, version.recordedAt, sources ?? { count: 0, rows: [] }),
      knownFrom: new Date(version.recordedAt).toISOString(),
      knownTo: next === undefined ? null : new Date(next.recordedAt).toISOString(),
    })
  }
  return shown
}
