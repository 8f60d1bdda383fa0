import type { Fact } from '../domain/fact.ts'
import { rootOf, scopeChain } from '../domain/scope-path.ts'
import type { Asking, ChangeCursor } from '../ports/knowledge-store.ts'
import { ask } from './ask.ts'
import { factsWithSources, showFacts } from './fact-from-row.ts'
import type { Knowledge } from './knowledge.ts'
import { type KnownFact, readFact } from './known-fact.ts'
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
  return changesSince(knowledge, scope, { cursor, limit }, factsWithSources)
}

function changesSince(
  { store, clock }: Knowledge,
  scope: string,
  { cursor, limit }: { readonly cursor: FactCursor; readonly limit: number },
  show: (facts: readonly KnownFact[], at: number) => Asking<readonly Fact[]>,
): Promise<FactChanges> {
  return store.read(scope, function* read() {
    const changed = yield* ask({ of: 'changed', scope, after: cursor.changed, limit })
    const forgotten = yield* ask({ of: 'forgotten', scope, after: cursor.forgotten, limit })
    const [last, gone] = [changed.at(-1), forgotten.at(-1)]
    const newest = yield* ask({ of: 'mark', root: rootOf(scope) })
    return {
      facts: yield* show(changed.map(readFact), Math.max(clock.now(), newest?.at ?? 0)),
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

/** The same changes as the scope is shown them. Of facts that changed again, only the last change. */
export function shownFactChanges(
  knowledge: Knowledge,
  scope: string,
  cursor: FactCursor,
  limit: number,
): Promise<FactChanges> {
  return changesSince(knowledge, scope, { cursor, limit }, (facts, at) => showFacts(scopeChain(scope), facts, { at }))
}

/** Where a reader begins that has seen everything up to a version, as the scope counts them. */
export function factCursorAfter(knowledge: Knowledge, scope: string, version: number): Promise<FactCursor> {
  return knowledge.store.read(scope, function* read() {
    if (version === 0) return FACTS_FROM_THE_START
    const mark = yield* ask({ of: 'nthMark', scopes: scopeChain(scope), nth: version })
    const next = { version: (mark?.version ?? 0) + 1, id: '' }
    return mark === undefined ? FACTS_FROM_THE_START : { changed: next, forgotten: next }
  })
}
