import { defined } from '../domain/defined.ts'
import { type KnowledgeEdit, putFact } from './knowledge-edit.ts'
import type { KnownFact } from './known-fact.ts'

/** Makes a fact retracted, by somebody of this trust. */
export function markRetracted(draft: KnowledgeEdit, fact: KnownFact, reason: string | undefined, trust: number): void {
  const { reason: _, ...body } = fact.body
  const was = fact.standing === 'retracted' ? 'held' : fact.standing
  putFact(draft, {
    ...fact,
    standing: 'retracted',
    body: { ...body, ...defined({ reason }), retracted: { at: draft.mark.at, trust, was } },
  })
}
