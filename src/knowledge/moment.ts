import { MemoryError } from '../domain/error.ts'
import { type Moment, parseTime } from '../domain/moment.ts'
import { rootOf } from '../domain/scope-path.ts'
import type { Asking } from '../ports/knowledge-store.ts'
import { ask } from './ask.ts'
import type { Knowledge } from './knowledge.ts'

/** What is asked of: a version of what is known (absent: now), and the time at which it should be true. */
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
    const mark = yield* ask({ of: 'mark', root, version: asOf.version })
    if (asOf.version > 0 && mark?.version !== asOf.version)
      throw new MemoryError(
        'input/invalid',
        `Cannot read facts: asOf.version is ${asOf.version}, expected at most ${mark?.version ?? 0}`,
        { option: 'asOf.version', received: asOf.version, last: mark?.version ?? 0 },
      )
    return { version: asOf.version, at: given ?? mark?.at ?? 0 }
  }
  const time = parseTime('read facts', 'asOf', asOf)
  const mark = yield* ask({ of: 'mark', root, at: time })
  return { version: mark?.version ?? 0, at: given ?? time }
}
