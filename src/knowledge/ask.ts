import type { KnowledgeAnswers, Asking, KnowledgeQuestion } from '../ports/knowledge-store.ts'

/** Asks the store: `const rows = yield* ask({ of: 'facts', … })`. */
export function* ask<Of extends KnowledgeQuestion['of']>(
  question: Extract<KnowledgeQuestion, { readonly of: Of }>,
): Asking<KnowledgeAnswers[Of]> {
  return (yield question) as KnowledgeAnswers[Of]
}
