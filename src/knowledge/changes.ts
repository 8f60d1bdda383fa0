import type { Fact } from '../domain/fact.ts'
import { rootOf } from '../domain/scope-path.ts'
import type { ChangeCursor } from '../ports/knowledge-store.ts'
import { ask } from './ask.ts'
import { factsWithSources } from './fact-from-row.ts'
import type { Knowledge } from './knowledge.ts'
import { readFact } from './known-fact.ts'
import { newestVersion } from './moment.ts'

/** How far a reader has come. JSON, to be kept with what was made from it. */
export interface FactCursor {
  readonly changed: ChangeCursor
  readonly forgotten: ChangeCursor
}

export const FACTS_FROM_THE_START: FactCursor = {
  changed: { version: 0, id: '' },
  forgotten: { version: 0, id: '' },
}

export interface FactChanges {
  /** Facts of this very scope as they are now, whatever their state. Their revisions are versions of the root. */
  readonly facts: readonly Fact[]
  /** Ids of facts that were destroyed: whatever was made from them must go. */
  readonly forgotten: readonly string[]
  readonly cursor: FactCursor
  /** There is more to read from the cursor on. */
  readonly more: boolean
}

/** What changed in a scope's own facts since a cursor: for indexes that follow them. Each fact appears once, at its newest. */
export function factsChangedSince(
  knowledge: Knowledge,
  scope: string,
  cursor: FactCursor,
  limit: number,
): Promise<FactChanges> {
  return knowledge.store.read(scope, function* read() {
    const changed = yield* ask({ of: 'changed', scope, after: cursor.changed, limit })
    const forgotten = yield* ask({ of: 'forgotten', scope, after: cursor.forgotten, limit })
    const [last, gone] = [changed.at(-1), forgotten.at(-1)]
    const mark = yield* ask({ of: 'mark', root: rootOf(scope) })
    return {
      facts: yield* factsWithSources(changed.map(readFact), Math.max(knowledge.clock.now(), mark?.at ?? 0)),
      forgotten: forgotten.map(({ fact }) => fact),
      cursor: {
        changed: last === undefined ? cursor.changed : { version: last.revision, id: last.id },
        forgotten: gone === undefined ? cursor.forgotten : { version: gone.version, id: gone.fact },
      },
      more: changed.length === limit || forgotten.length === limit,
    }
  })
}

/** How many changes of what a scope and its ancestors know there were. */
export function knowledgeVersion(knowledge: Knowledge, scope: string): Promise<number> {
  return knowledge.store.read(scope, () => newestVersion(scope))
}
