import { openMemory } from '../../src/index.ts'
import type { Memory } from '../../src/memory/memory.ts'

export type { ImportReport } from '../../src/archive/report.ts'

/** A memory that learns nothing by itself. */
export function openMemoryIn(): Promise<Memory> {
  return openMemory(':memory:', { learn: false })
}
