import type { Asking, KnowledgeQuestion } from '../../ports/knowledge-store.ts'

/** Runs a thought to its end, answering each question at once. */
export function answerAll<Result>(asking: Asking<Result>, answer: (question: KnowledgeQuestion) => unknown): Result {
  let step = asking.next()
  while (step.done !== true) step = asking.next(answer(step.value))
  return step.value
}
