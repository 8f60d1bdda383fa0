import type { VectorSet } from '../../ports/vector-store.ts'

/**
 * Which of a scope's sets answers a question: the newest that is complete; while none is, the one with most vectors. Only
 * sets whose embedder is at hand count, since a question must be asked in the space it is answered in.
 */
export function servingSet(sets: readonly VectorSet[], models: ReadonlySet<string>): VectorSet | undefined {
  const usable = sets.filter(({ generation, last }) => models.has(generation.model) && last > 0)
  return usable.toSorted(
    (a, b) =>
      Number(b.complete) - Number(a.complete) ||
      (a.complete ? 0 : b.last - a.last) ||
      b.generation.rank - a.generation.rank,
  )[0]
}
