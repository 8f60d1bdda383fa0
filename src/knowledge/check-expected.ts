import { defined } from '../domain/defined.ts'
import { MemoryError } from '../domain/error.ts'
import type { Asking } from '../ports/knowledge-store.ts'
import { countRevisions } from './count-revisions.ts'
import type { KnowledgeEdit } from './knowledge-edit.ts'

/** What there is in place of what was expected; revision 0 is nothing. */
interface FoundRevision {
  readonly revision: number
  readonly id?: string
}

const NOTHING: FoundRevision = { revision: 0 }

/** Compare-and-set: nobody overwrites what they have not read. The expected revision is one that the scope was shown. */
export function* checkExpected(
  draft: KnowledgeEdit,
  attempt: string,
  expected: number | undefined,
  found: FoundRevision = NOTHING,
): Asking<void> {
  if (expected === undefined) return
  const [shown = found] = yield* countRevisions(draft.chain, [found], draft.mark.version)
  if (expected !== shown.revision) throw changedMeanwhile(attempt, expected, shown)
}

/** The same for a revision as it is stored. */
export function* checkUnchanged(
  draft: KnowledgeEdit,
  attempt: string,
  stored: number,
  found: FoundRevision,
): Asking<void> {
  if (stored === found.revision) return
  const [expected = NOTHING, shown = found] = yield* countRevisions(draft.chain, [{ revision: stored }, found])
  throw changedMeanwhile(attempt, expected.revision, shown)
}

function changedMeanwhile(
  attempt: string,
  expected: number,
  { revision: found, id: fact }: FoundRevision,
): MemoryError {
  return new MemoryError(
    'knowledge/conflict',
    `Cannot ${attempt}: expected ${expected === 0 ? 'nothing' : `revision ${expected}`}, found ${found === 0 ? 'nothing' : `revision ${found}`}, read it and try again`,
    { expected, found, ...defined({ fact }) },
  )
}
