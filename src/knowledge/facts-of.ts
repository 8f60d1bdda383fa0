import type { Fact } from '../domain/fact.ts'
import { facts } from './facts.ts'
import type { Knowledge } from './knowledge.ts'

/** More do not fit into a profile. */
const FACTS_MAX = 300

/** The newest facts of a scope and its ancestors that are true, now or at a time. */
export function factsOf(knowledge: Knowledge, scope: string, asOf?: number): Promise<readonly Fact[]> {
  return facts(knowledge, scope, { limit: FACTS_MAX, ...(asOf === undefined ? {} : { asOf: new Date(asOf) }) })
}
