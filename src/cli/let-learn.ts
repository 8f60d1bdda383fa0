import type { Memory } from '../api/memory.ts'

/** Nobody who appends a line waits longer for what is learned from it. */
const WAIT_MS = 2_000

/**
 * Lets what was just said be learned before the process ends; what is not learned by then waits until somebody opens the memory.
 * Work that a killed process had begun is free only after its lease, which may be half a minute: that is not waited for.
 */
export async function letLearn(memory: Memory): Promise<void> {
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => late.resolve(undefined), WAIT_MS)
  try {
    await Promise.race([memory.settled().catch(() => undefined), late.promise]) // what failed is listed by `daybook jobs`
  } finally {
    clearTimeout(timer)
  }
}
