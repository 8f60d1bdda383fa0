import type { RememberedFact } from '../domain/fact.ts'
import type { ParsedFact } from '../domain/new-fact.ts'
import type { SourceChannel } from '../domain/trust.ts'
import type { Asking, KnowledgeDecision } from '../ports/knowledge-store.ts'
import { openEdit } from './knowledge-edit.ts'
import type { Knowledge } from './knowledge.ts'
import { stateFact } from './remember.ts'

/** What would become of facts if they were told: decided like `remember`, and not written. */
export function rehearse(
  knowledge: Knowledge,
  scope: string,
  facts: readonly ParsedFact[],
  channel: SourceChannel,
): Promise<readonly RememberedFact['outcome'][]> {
  return knowledge.store.change(scope, function* decide(): Asking<
    KnowledgeDecision<readonly RememberedFact['outcome'][]>
  > {
    const draft = yield* openEdit(knowledge, scope)
    const outcomes: RememberedFact['outcome'][] = []
    for (const given of facts) outcomes.push((yield* stateFact(draft, given, channel)).outcome)
    return { answer: outcomes }
  })
}
