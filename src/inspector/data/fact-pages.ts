import type { Fact } from '../../domain/fact.ts'
import { endpoints, queryText } from './endpoints.ts'
import { request } from './request.ts'

interface FactsPage {
  readonly facts: readonly Fact[]
  readonly next: string | null
}

const PAGE = 500

/** Facts of a scope page by page, up to a number; `more` says whether there are others. @throws {RequestFailure} */
export async function* factPages(
  scope: string,
  fields: Readonly<Record<string, unknown>>,
  { factsMax, signal }: { readonly factsMax: number; readonly signal: AbortSignal },
): AsyncGenerator<{ readonly facts: readonly Fact[]; readonly more: boolean }> {
  let read = 0
  let after: string | null | undefined
  do {
    const query = queryText({ ...fields, limit: Math.min(PAGE, factsMax - read), after })
    const page = await request<FactsPage>(endpoints.scope(scope, `facts${query}`), { signal })
    read += page.facts.length
    after = page.next
    yield { facts: page.facts, more: after !== null }
  } while (after !== null && read < factsMax)
}
