import { scopeChain } from '../domain/scope-path.ts'
import type { BlockOwner, StateStore } from '../ports/state-store.ts'
import { type ReadFacts, withDerived } from './with-derived.ts'
import { type StoredBlock, blockFromRow } from './stored-block.ts'

/** What is needed to read blocks. */
export interface BlockReading {
  readonly store: { readonly state: Pick<StateStore, 'blocks'> }
  readonly factsOf: ReadFacts
}

/** Who owns the blocks that are seen from somewhere, the root first. The session is empty for a scope. */
function ownersFor(scope: string, session: string): readonly BlockOwner[] {
  const scopes = scopeChain(scope).map((path) => ({ scope: path, owner: '' }))
  return [...scopes.toReversed(), ...(session === '' ? [] : [{ scope, owner: session }])]
}

/**
 * The blocks of a scope or a session as contexts show them: those of the root first, those of the session last, by name. One of
 * the same name that is nearer takes the place of the other.
 */
export async function effectiveBlocks(
  { store, factsOf }: BlockReading,
  { scope, session }: { readonly scope: string; readonly session: string },
  asOf?: number,
): Promise<readonly StoredBlock[]> {
  const found = new Map<string, StoredBlock>()
  for (const { rows, ...owner } of await store.state.blocks(ownersFor(scope, session), asOf)) {
    const blocks = rows.flatMap((row) => blockFromRow(owner, row) ?? [])
    for (const block of blocks.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      // Out of its place first: a block comes with the other blocks of its owner.
      found.delete(block.name)
      found.set(block.name, block)
    }
  }
  return withDerived([...found.values()], factsOf, scope, asOf)
}
