import { MemoryError } from '../domain/error.ts'
import type { Asking } from '../ports/knowledge-store.ts'
import { ask } from './ask.ts'
import type { KnowledgeEdit } from './knowledge-edit.ts'

/** That names of the own scope still mean what they meant (null: nothing). */
export function* checkNames(
  draft: KnowledgeEdit,
  attempt: string,
  expected: ReadonlyMap<string, string | null>,
): Asking<void> {
  const rows = yield* ask({ of: 'names', scopes: [draft.scope], names: [...expected.keys()] })
  const found = new Map(rows.map(({ name, entity }) => [name, entity]))
  for (const [name, entity] of expected)
    if ((found.get(name) ?? null) !== entity)
      throw new MemoryError(
        'knowledge/conflict',
        `Cannot ${attempt}: one of its names now belongs to another entity. Read it and try again`,
        { name, expected: entity, found: found.get(name) ?? null },
      )
}
