import { type ReadonlySignal, type Signal, computed, signal } from '@preact/signals'
import type { ScopeSummary, ScopesPage } from '../../api/scopes.ts'
import { endpoints } from './endpoints.ts'
import { shownPlace } from './place.ts'
import { RequestFailure, request } from './request.ts'
import { ownKey } from './signed-in.ts'

/** More than this is not drawn as a tree; the search finds them by name. */
const SCOPES_MAX = 2_000

/** The scopes that the key may see; undefined until they were read. */
export const scopes: Signal<readonly ScopeSummary[] | undefined> = signal(undefined)

export const scopesFailure: Signal<RequestFailure | undefined> = signal(undefined)

export async function loadScopes(): Promise<void> {
  try {
    const found: ScopeSummary[] = []
    let after: string | undefined
    do {
      const page: ScopesPage = await request<ScopesPage>(endpoints.scopes(after))
      found.push(...page.scopes)
      after = page.next ?? undefined
    } while (after !== undefined && found.length < SCOPES_MAX)
    scopes.value = found
    scopesFailure.value = undefined
  } catch (error) {
    if (error instanceof RequestFailure) scopesFailure.value = error
  }
}

/** The scope that is shown: the one in the address, else the key's own, else where something happened last. */
export const shownScope: ReadonlySignal<string | null> = computed(() => {
  const named = shownPlace.value.query.get('scope') ?? ownKey.value?.scope
  if (named !== undefined && named !== null) return named
  const newest = scopes.value?.toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))[0]
  return newest?.scope ?? null
})
