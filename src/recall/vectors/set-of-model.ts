import type { VectorSet, VectorStore } from '../../ports/vector-store.ts'

/** The newest vectors of a scope and, if they are of this model, the same again as `current`. */
export async function setOfModel(
  store: VectorStore,
  scope: string,
  model: string,
): Promise<{ readonly newest: VectorSet | undefined; readonly current: VectorSet | undefined }> {
  const sets = await store.sets([scope])
  const newest = sets.toSorted((a, b) => b.generation.rank - a.generation.rank)[0]
  return { newest, current: newest?.generation.model === model ? newest : undefined }
}
