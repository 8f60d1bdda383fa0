import type { PathOptions, GraphPath } from '../api/graph.ts'
import { rootOf, scopeChain } from '../domain/scope-path.ts'
import type { Asking } from '../ports/knowledge-store.ts'
import { ask } from './ask.ts'
import { entitiesByKey } from './entities.ts'
import { showFacts } from './fact-from-row.ts'
import { spaceOf } from './facts.ts'
import { nameKey } from './keys.ts'
import type { Knowledge } from './knowledge.ts'
import type { KnownFact } from './known-fact.ts'
import { type Viewpoint, viewpoint } from './moment.ts'
import { type NameSpace, resolveNames } from './names.ts'
import { neighbours } from './neighbours.ts'

const DEPTH_MAX = 6
/** Bounds of one search: past them it says that it did not look everywhere. */
const FACTS_PER_STEP_MAX = 10_000
const ENTITIES_MAX = 20_000
/** How many entities are looked around at once: a step that takes a while lets others have their turn. */
const ENTITIES_PER_READ = 200

/** How an entity was reached: over which fact, from which entity. Null for where the search began. */
type Reached = Map<string, { readonly fact: KnownFact; readonly from: string } | null>

/** The shortest way between two entities: from both ends towards the middle, the smaller front first. */
export async function path(
  knowledge: Knowledge,
  scope: string,
  ends: { readonly from: string; readonly to: string },
  options: PathOptions,
): Promise<GraphPath> {
  const chain = scopeChain(scope)
  // One version for all steps: what is written meanwhile must not bend the way.
  const view = await knowledge.store.read(scope, function* read(): Asking<Viewpoint> {
    const found = yield* viewpoint(knowledge, scope, options)
    if (found.version !== undefined) return found
    return { at: found.at, version: (yield* ask({ of: 'mark', root: rootOf(scope) }))?.version ?? 0 }
  })
  const space = spaceOf(chain, view)
  const [from, to] = await knowledge.store.read(scope, function* read() {
    const keys = [nameKey(ends.from), nameKey(ends.to)]
    const meaning = yield* resolveNames(space, keys)
    return keys.map((key) => meaning.get(key))
  })
  if (from === undefined || to === undefined) return { found: false, entities: [], facts: [], complete: true }
  const { way, complete } = await search(knowledge, space, view, { from, to, depth: options.maxDepth ?? DEPTH_MAX })
  return knowledge.store.read(scope, function* show() {
    return {
      found: way !== undefined,
      entities: way === undefined ? [] : yield* entitiesByKey(space, way.entities),
      facts: way === undefined ? [] : yield* showFacts(chain, way.facts, view),
      complete: complete || way !== undefined,
    }
  })
}

interface Way {
  readonly entities: readonly string[]
  readonly facts: readonly KnownFact[]
}

async function search(
  knowledge: Knowledge,
  space: NameSpace,
  view: Viewpoint,
  wanted: { readonly from: string; readonly to: string; readonly depth: number },
): Promise<{ readonly way: Way | undefined; readonly complete: boolean }> {
  const sides = [begin(wanted.from), begin(wanted.to)] as const
  if (wanted.from === wanted.to) return { way: { entities: [wanted.from], facts: [] }, complete: true }
  let complete = true
  for (let step = 0; step < wanted.depth; step++) {
    const [a, b] = sides
    const side = a.front.length <= b.front.length ? a : b
    if (side.front.length === 0) break
    complete = (await advance(knowledge, space, view, side)) && complete
    const other = side === a ? b : a
    const meeting = side.front.find((key) => other.reached.has(key))
    if (meeting !== undefined) return { way: join(a.reached, b.reached, meeting), complete }
    if (a.reached.size + b.reached.size > ENTITIES_MAX) return { way: undefined, complete: false }
  }
  return { way: undefined, complete }
}

interface Side {
  readonly reached: Reached
  front: readonly string[]
}

function begin(key: string): Side {
  return { reached: new Map([[key, null]]), front: [key] }
}

/** Moves one front a relation further. Answers whether it saw every relation there is. */
async function advance(knowledge: Knowledge, space: NameSpace, view: Viewpoint, side: Side): Promise<boolean> {
  const [scope = ''] = space.scopes
  const next: string[] = []
  let complete = true
  for (let done = 0; done < side.front.length; done += ENTITIES_PER_READ) {
    const slice = side.front.slice(done, done + ENTITIES_PER_READ)
    const near = await knowledge.store.read(scope, () => neighbours(space, view, slice, FACTS_PER_STEP_MAX))
    complete &&= !near.truncated
    for (const { fact, subject, object } of near.facts) {
      if (object === null) continue
      for (const [from, key] of [
        [subject, object],
        [object, subject],
      ] as const) {
        if (side.reached.has(key) || !slice.includes(from)) continue
        side.reached.set(key, { fact, from })
        next.push(key)
      }
    }
  }
  side.front = next
  return complete
}

function join(left: Reached, right: Reached, meeting: string): Way {
  const towards = walk(left, meeting)
  const away = walk(right, meeting)
  return {
    entities: [...towards.entities.toReversed(), ...away.entities.slice(1)],
    facts: [...towards.facts.toReversed(), ...away.facts],
  }
}

function walk(reached: Reached, start: string): Way {
  const entities = [start]
  const facts: KnownFact[] = []
  for (let step = reached.get(start); step !== undefined && step !== null; step = reached.get(step.from)) {
    facts.push(step.fact)
    entities.push(step.from)
  }
  return { entities, facts }
}
