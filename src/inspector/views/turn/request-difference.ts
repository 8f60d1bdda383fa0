import type { Draft } from '../../../domain/message.ts'

/** How a request differs from the one before it. */
export interface RequestDifference {
  /** Which messages the one before did not have. */
  readonly added: ReadonlySet<number>
  readonly removed: number
  readonly same: number
}

/** Compares two requests message by message, as JSON. */
export function requestDifference(messages: readonly Draft[], before: readonly Draft[]): RequestDifference {
  const known = new Map<string, number>()
  for (const draft of before) {
    const text = JSON.stringify(draft)
    known.set(text, (known.get(text) ?? 0) + 1)
  }
  const added = new Set<number>()
  for (const [index, draft] of messages.entries()) {
    const text = JSON.stringify(draft)
    const left = known.get(text) ?? 0
    if (left === 0) added.add(index)
    else known.set(text, left - 1)
  }
  const same = messages.length - added.size
  return { added, same, removed: before.length - same }
}
