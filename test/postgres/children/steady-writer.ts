// One of several processes on one server: appends to its sessions and to shared ones until it is told to stop.
import type { PostgresOptions } from '../../../src/api/postgres.ts'
import { MemoryError } from '../../../src/domain/error.ts'
import { openMemory } from '../../../src/memory/open-memory.ts'
import { tell, waitForGo } from '../../fault/harness/parent.ts'

export interface SteadyTask {
  readonly name: string
  readonly url: string
  readonly postgres: PostgresOptions
  readonly sessions: number
}

/** `ids` are ours and in the text only: the messages have ids that nobody gave, so that a retry cannot lean on them. */
export type SteadyLine =
  | { readonly session: string; readonly seq: number; readonly text: string; readonly at: number }
  | { readonly session: string; readonly text: string; readonly error: string; readonly code: string }

const { name, url, postgres, sessions } = waitForGo() as SteadyTask
let stopped = false
const stop = (): void => void (stopped = true)
process.stdin.once('data', stop)
process.stdin.once('end', stop) // whoever started it is gone

const memory = await openMemory(url, { learn: false, postgres })
const scope = memory.scope('acme/ada')
await Promise.all(Array.from({ length: sessions }, (_, index) => write(`session-${index}`, index)))
await memory.close()
process.stdin.destroy()

async function write(session: string, index: number): Promise<void> {
  const chat = scope.session(session)
  for (let number = 0; !stopped; number++) {
    const text = `${name} ${index} ${number}`
    try {
      const [stored] = await chat.append({ role: 'user', content: text })
      tell({ session, seq: stored.seq, text, at: Date.now() } satisfies SteadyLine)
    } catch (error) {
      const code = MemoryError.is(error) ? error.code : 'other'
      tell({ session, text, code, error: String(error) } satisfies SteadyLine)
    }
  }
}
