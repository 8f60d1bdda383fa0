import { isSealed } from '../domain/sealed.ts'
import type { StateRow, StateStore } from '../ports/state-store.ts'
import { contentKeyNeeded } from './missing-key.ts'

/** Working documents without the key to what may be encrypted in them: what is sealed is refused, and so is what would be written beside it in the clear. */
export function lockedState(state: StateStore): StateStore {
  const open = (session: string, rows: Iterable<StateRow>): void => {
    for (const { value } of rows) if (isSealed(value)) throw contentKeyNeeded(session)
  }
  return {
    ...state,
    read: async (place, query) => {
      const answer = await state.read(place, query)
      open(place.session, answer.rows)
      return answer
    },
    blocks: async (owners, asOf) => {
      const found = await state.blocks(owners, asOf)
      for (const { owner, rows } of found) open(owner, rows)
      return found
    },
    history: async (place, query) => {
      const rows = await state.history(place, query)
      open(place.session, rows)
      return rows
    },
    change: (place, on, decide) =>
      state.change(place, on, (head, rows) => {
        open(place.session, rows.values())
        return decide(head, rows)
      }),
    range: async (place, ranges) => {
      const found = await state.range(place, ranges)
      for (const rows of found) open(place.session, rows)
      return found
    },
    replace: (place, on, decide) =>
      state.replace(place, on, (head, rows) => {
        open(place.session, rows.values())
        return decide(head, rows)
      }),
  }
}
