import type { SessionState, StateEntry } from '../api/state.ts'
import { MemoryError } from '../domain/error.ts'
import type { JSONValue } from '../domain/json.ts'
import { quote, refuse } from '../domain/refuse.ts'

/** Each failed attempt is another's success, so this many in a row are not bad luck but a change that never ends. */
const ATTEMPTS_MAX = 1_000

/** Reads, changes and sets, again when somebody else was faster. */
export async function updateValue(
  state: Pick<SessionState, 'entry' | 'set'>,
  key: string,
  change: (value: JSONValue | undefined) => JSONValue | Promise<JSONValue>,
): Promise<StateEntry> {
  if (typeof change !== 'function') refuse('update the state', 'change', change, 'a function')
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const entry = await state.entry(key)
    const value = await change(entry?.value)
    try {
      return await state.set(key, value, { expected: entry?.version ?? 0 })
    } catch (error) {
      if (!MemoryError.is(error, 'state/conflict')) throw error
    }
  }
  throw new MemoryError(
    'state/conflict',
    `Cannot update ${quote(key)}: others changed it first, ${ATTEMPTS_MAX} times in a row`,
    { key, attempts: ATTEMPTS_MAX },
  )
}
