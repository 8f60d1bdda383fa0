import type { Fact } from '../../domain/fact.ts'
import { endpoints, queryText } from './endpoints.ts'
import { request } from './request.ts'

interface FactsPage {
  readonly facts: readonly Fact[]
  readonly next: string | null
}

const PAGE = 500

/** Facts of a scope page by page, up to a number; `more` says whether there are others. */
export async function readFacts(
  scope: string,
  fields: Readonly<Record<string, unknown>>,
  { factsMax, signal }: { readonly factsMax: number; readonly signal: AbortSignal },
): Promise<{ readonly facts: readonly Fact[]; readonly more: boolean }> {
  const facts: Fact[] = []
  let after: string | null | undefined
  do {
    const query = queryText({ ...fields, limit: Math.min(PAGE, factsMax - facts.length), after })
    const page = await request<FactsPage>(endpoints.scope(scope, `facts${query}`), { signal })
    facts.push(...page.facts)
    after = page.next
  } while (after !== null && facts.length < factsMax)
  return { facts, more: after !== null }
}
