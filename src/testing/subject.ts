import type { Memory } from '../memory/memory.ts'
import type { MemoryOptions } from '../memory/open-memory.ts'

/** What a contract is checked on: each call opens a fresh, empty memory. */
export type OpenSubject = (options?: MemoryOptions) => Promise<Memory>

/** Texts of messages, in order: what most expectations are about. */
export function texts(
  messages: readonly { readonly parts: readonly { readonly type: string }[] }[],
): readonly string[] {
  return messages.map(({ parts }) =>
    parts.map((part) => ('text' in part ? String(part.text) : `[${part.type}]`)).join(''),
  )
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
