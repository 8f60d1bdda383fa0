import { type Trust, highestTrust } from '../domain/trust.ts'
import type { Asking } from '../ports/knowledge-store.ts'
import { type KnowledgeEdit, factSources } from './knowledge-edit.ts'

/** What a fact is trusted for by those who still say it: like the best of them, and not at all when nobody does. */
export function* trustOfSources(draft: KnowledgeEdit, fact: string): Asking<Trust> {
  const { rows } = yield* factSources(draft, fact, Number.MAX_SAFE_INTEGER)
  return highestTrust(rows.map(({ trust }) => trust))
}
