import type { RecallCursor, ThreadChange } from '../ports/recall-store.ts'

/** Where the cursor of a thread stands once a change is written. */
export function cursorAfter({
  expected,
  next,
  remove,
}: Pick<ThreadChange, 'expected' | 'next' | 'remove'>): RecallCursor {
  return { ...next, disturbed: (expected?.disturbed ?? 0) + (remove.length > 0 ? 1 : 0) }
}
