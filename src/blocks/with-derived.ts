import type { Fact } from '../domain/fact.ts'
import { estimator } from '../tokens/estimate.ts'
import { profile } from './profile.ts'
import type { StoredBlock } from './stored-block.ts'

/** What is known in a scope, newest first; knowledge is passed in, since it is built beside blocks. */
export type ReadFacts = (scope: string, asOf?: number) => Promise<readonly Fact[]>

/** The blocks with the text of those that are derived from the facts of the scope from which they are seen. */
export async function withDerived(
  blocks: readonly StoredBlock[],
  factsOf: ReadFacts,
  scope: string,
  asOf?: number,
): Promise<readonly StoredBlock[]> {
  if (blocks.every(({ derivedFrom }) => derivedFrom === undefined)) return blocks
  const facts = await factsOf(scope, asOf)
  return blocks.map((block) => {
    if (block.derivedFrom === undefined) return block
    const { text, trust, sources } = profile(facts, block.limit)
    return { ...block, text, tokens: estimator().count(text), trust: `${block.trust[0] ?? '3'}${trust}`, sources }
  })
}
