import { factOperations, retentionOperations } from './facts.ts'
import type { Operation } from './operation.ts'
import { recallOperations } from './recall.ts'

/** Every operation that is described, in the order of the OpenAPI document. */
export const surface: readonly Operation[] = [recallOperations, factOperations, retentionOperations].flatMap(
  (noun): readonly Operation[] => Object.values(noun),
)
