import { openMemory } from '../../src/index.ts'
import type { Memory } from '../../src/api/memory.ts'

/** A memory that learns nothing by itself. */
export function openMemoryIn(): Promise<Memory> {
  return openMemory(':memory:', { learn: false })
}
