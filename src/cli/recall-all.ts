import type { Recalled } from '../api/recall.ts'
import { withProgress } from './progress.ts'
import type { Shell } from './shell.ts'

/** Long enough that the index gets ahead, short enough that nobody notices. */
const ASK_AGAIN_MS = 20

/** Asks until everything is in the index, with a line that shows how much of it is. Stops where indexing fails. */
export async function recallAll(shell: Shell, ask: () => Promise<Recalled>): Promise<Recalled> {
  const first = await ask()
  if (first.behind === undefined || first.behind.failure !== undefined) return first
  const all = Math.max(1, first.behind.messages)
  return withProgress(shell, `Indexing ${all} messages`, async (say) => {
    for (let found = first; ; found = await ask()) {
      if (found.behind === undefined || found.behind.failure !== undefined) return found
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
      say(`Indexing ${all} messages`, { done: all - found.behind.messages, total: all, unit: 'messages' })
    }
  })
}
