import { optionsOf, sessionOf } from '../arguments.ts'
import type { Call } from '../route.ts'
import type { Replay } from '../../access/replay.ts'

/** A fork is done when its session is there and says whose it is, and was not there before. */
export function replayFork(call: Call): Replay {
  const { newId } = optionsOf<{ readonly newId?: unknown }>(call)
  const child = async (): Promise<string | null | undefined> => {
    if (typeof newId !== 'string') return undefined
    const { sessions } = await call.scope.sessions({ text: newId, limit: 1_000 })
    const found = sessions.find(({ id }) => id === newId)
    return found === undefined ? undefined : (found.forkOf?.id ?? null)
  }
  return {
    before: async () => (await child()) !== undefined,
    outcome: async (wasThere) => {
      const parent = await child()
      if (wasThere === true || parent === undefined) return 'not done'
      return parent === sessionOf(call).id ? { value: { session: newId } } : 'unknown'
    },
  }
}
