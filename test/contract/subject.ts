import type { MemoryOptions } from '../../src/api/open-memory.ts'
import type { Fold } from '../../src/domain/fold.ts'
import type { Draft } from '../../src/domain/message.ts'
import type { Memory } from '../../src/api/memory.ts'

/** What a contract is checked on: each call opens a fresh, empty memory. */
export type OpenSubject = (options?: MemoryOptions) => Promise<Memory>

/** Texts of messages and of what stands for them, in order: what most expectations are about. */
export function texts(items: readonly (Pick<Draft, 'parts'> | Pick<Fold, 'standIn'>)[]): readonly string[] {
  const shown = items.flatMap((item): readonly Pick<Draft, 'parts'>[] => ('standIn' in item ? item.standIn : [item]))
  return shown.map(({ parts }) => parts.map((part) => ('text' in part ? part.text : `[${part.type}]`)).join(''))
}

/** A clock that only moves when told to. */
export class ManualClock {
  time: number

  constructor(time: number = Date.UTC(2026, 0, 1)) {
    this.time = time
  }

  now(): number {
    return this.time
  }
}
