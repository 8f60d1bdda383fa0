import type { Fact } from '../../domain/fact.ts'
import { factPages } from './fact-pages.ts'

/** Facts of a scope up to a number; `more` says whether there are others. @throws {RequestFailure} */
export async function readFacts(
  scope: string,
  fields: Readonly<Record<string, unknown>>,
  limits: { readonly factsMax: number; readonly signal: AbortSignal },
): Promise<{ readonly facts: readonly Fact[]; readonly more: boolean }> {
  const facts: Fact[] = []
  let more = false
  for await (const page of factPages(scope, fields, limits)) {
    facts.push(...page.facts)
    ;({ more } = page)
  }
  return { facts, more }
}
