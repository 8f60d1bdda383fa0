import type { Scope } from '../../api/scope.ts'
import { defined } from '../../domain/defined.ts'
import type { Fact } from '../../domain/fact.ts'

const FACTS_PER_PAGE = 1_000

/** The facts of a scope without those of its ancestors, newest first. */
export async function ownFacts(scope: Scope): Promise<readonly Fact[]> {
  const found: Fact[] = []
  for (let after: string | undefined; ;) {
    const page = await scope.facts({ limit: FACTS_PER_PAGE, ...defined({ after }) })
    found.push(...page.filter((fact) => fact.scope === scope.name))
    after = page.at(-1)?.id
    if (page.length < FACTS_PER_PAGE) return found
  }
}
