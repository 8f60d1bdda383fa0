import { interleave } from '../domain/interleave.ts'
import type { KnowledgeAnswers, Asking, KnowledgeQuestion } from '../ports/knowledge-store.ts'

/** Asks the store: `const rows = yield* ask({ of: 'facts', … })`. */
export function* ask<Of extends KnowledgeQuestion['of']>(
  question: Extract<KnowledgeQuestion, { readonly of: Of }>,
): Asking<KnowledgeAnswers[Of]> {
  return (yield question) as KnowledgeAnswers[Of]
}

/** Thinks thoughts that do not wait for each other's answers side by side: what each asks next is asked together. */
export function askInParallel<Results extends readonly unknown[] | []>(thoughts: {
  readonly [Index in keyof Results]: Asking<Results[Index]>
}): Asking<Results> {
  return interleave<KnowledgeQuestion, Results>(thoughts)
}
