import { MemoryError } from '../domain/error.ts'
import { quote } from '../domain/refuse.ts'
import type { Asking } from '../ports/knowledge-store.ts'
import { checkExpected } from './check-expected.ts'
import { type KnowledgeEdit, factOf, nameSpace } from './knowledge-edit.ts'
import type { KnownFact } from './known-fact.ts'
import { keysOfEntity } from './names.ts'

/** A fact of the own scope that somebody wants to change. */
export function* findFact(draft: KnowledgeEdit, attempt: string, id: string, expect?: number): Asking<KnownFact> {
  const fact = yield* factOf(draft, id)
  if (fact === undefined)
    throw new MemoryError(
      'knowledge/not-found',
      `Cannot ${attempt}: there is no fact ${quote(id)} in ${quote(draft.scope)}, expected the id of one of its own facts`,
      { fact: id, scope: draft.scope },
    )
  yield* checkExpected(draft, attempt, expect, fact)
  return fact
}

/** Every key under which facts about the same subject may be. */
export function subjectsOf(draft: KnowledgeEdit, { subject }: KnownFact): Asking<readonly string[]> {
  return subject === '' ? nobody() : keysOfEntity(nameSpace(draft), subject)
}

// oxlint-disable-next-line require-yield -- a program that needs no query has the same type as those that do
function* nobody(): Asking<readonly string[]> {
  return ['']
}
