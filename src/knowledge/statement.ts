import type { RememberedFact } from '../domain/fact.ts'
import type { ParsedFact } from '../domain/new-fact.ts'
import type { KnowledgeEdit } from './knowledge-edit.ts'
import type { Evidence } from './evidence.ts'
import type { KnownFact } from './known-fact.ts'

/** What became of a statement. */
export type StatementOutcome = Pick<RememberedFact, 'outcome' | 'closed' | 'disputedBy'> & { readonly id: string }

/** A fact whose names are resolved. */
export interface Statement {
  readonly given: ParsedFact
  readonly evidence: Evidence
  readonly subject: { readonly key: string; readonly name: string } | null
  /** Every key the subject's facts may be under. */
  readonly subjects: readonly string[]
  readonly object: KnownFact['body']['object']
  readonly objectKey: string
  readonly objectEntity: string | null
}

/** Makes evidence a fact's. */
export function attach(draft: KnowledgeEdit, fact: string, evidence: Evidence): void {
  draft.sources.push(...evidence.sources.map((source) => ({ ...source, fact })))
}
