import { MemoryError } from '../domain/error.ts'
import { type Moment, parseTime } from '../domain/moment.ts'
import { rootOf, scopeChain } from '../domain/scope-path.ts'
import type { Asking } from '../ports/knowledge-store.ts'
import { ask } from './ask.ts'
import type { Knowledge } from './knowledge.ts'

/** What is asked of: a version of what the root knows (absent: now), and the time at which it should be true. */
export interface Viewpoint {
  readonly version?: number
  readonly at: number
}

/**
 * Where a question stands. What was known then is asked for what was true then, unless told otherwise: so `asOf` gives
 * exactly what was answered at that time.
 */
export function* viewpoint(
  knowledge: Knowledge,
  scope: string,
  options: { readonly asOf?: Moment; readonly at?: Date | string },
): Asking<Viewpoint> {
  const root = rootOf(scope)
  const { asOf, at } = options
  const given = at === undefined ? undefined : parseTime('read facts', 'at', at)
  if (asOf === undefined) {
    const newest = yield* ask({ of: 'mark', root })
    return { at: given ?? Math.max(knowledge.clock.now(), newest?.at ?? 0) }
  }
  if (typeof asOf === 'object' && 'version' in asOf) {
    if (asOf.version === 0) return { version: 0, at: given ?? 0 }
    const mark = yield* ask({ of: 'nthMark', scopes: scopeChain(scope), nth: asOf.version })
    if (mark === undefined) throw noSuchVersion(asOf.version, yield* newestVersion(scope))
    return { version: mark.version, at: given ?? mark.at }
  }
  const time = parseTime('read facts', 'asOf', asOf)
  const mark = yield* ask({ of: 'mark', root, at: time })
  return { version: mark?.version ?? 0, at: given ?? time }
}

/** The newest version as a scope counts it: by its own changes and those of its ancestors. */
export function* newestVersion(scope: string): Asking<number> {
  const versions = [Number.MAX_SAFE_INTEGER]
  const [count = 0] = yield* ask({ of: 'changeCounts', scopes: scopeChain(scope), versions })
  return count
}

function noSuchVersion(received: number, last: number): MemoryError {
  return new MemoryError('input/invalid', `Cannot read facts: asOf.version is ${received}, expected at most ${last}`, {
    option: 'asOf.version',
    received,
    last,
  })
}
