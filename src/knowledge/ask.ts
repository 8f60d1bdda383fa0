import type { Answers, Asking, Question } from '../ports/knowledge-store.ts'

/** Asks the store: `const rows = yield* ask({ of: 'facts', … })`. */
export function* ask<Of extends Question['of']>(question: Extract<Question, { readonly of: Of }>): Asking<Answers[Of]> {
  return (yield question) as Answers[Of]
}
