import { scopeChain } from '../domain/scope-path.ts'
import { OPEN_START } from '../domain/span.ts'
import type { Asking } from '../ports/knowledge-store.ts'
import { ask } from './ask.ts'
import { type KnowledgeEdit, editBelow, isSingle } from './knowledge-edit.ts'
import type { KnownFact } from './known-fact.ts'
import { keysOfEntity } from './names.ts'
import { resettle } from './place-fact.ts'

/** After a value of this scope is gone: what deeper scopes say, and only it stood against, is applied there. */
export function* resettleBelow(draft: KnowledgeEdit, { subject, predicate }: KnownFact): Asking<void> {
  if (!isSingle(draft, predicate)) return
  for (const scope of yield* ask({ of: 'disputedBelow', scope: draft.scope, predicate })) {
    const subjects = subject === '' ? [''] : yield* keysOfEntity({ scopes: scopeChain(scope) }, subject)
    const slot = yield* ask({ of: 'slot', scopes: [scope], subjects, predicate, endingAfter: OPEN_START - 1 })
    if (slot.some(({ standing }) => standing === 'disputed'))
      yield* resettle(yield* editBelow(draft, scope), subjects, predicate)
  }
}
