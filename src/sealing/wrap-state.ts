import { blockPlace } from '../domain/block-place.ts'
import { isSealed, keyOfSealed } from '../domain/sealed.ts'
import type { StateRow, StateStore, StatePlace, StateSection } from '../ports/state-store.ts'
import { type DataKey, type KeyRing, checkKeyOwner } from './key-ring.ts'
import { contentKeyNeeded, keyDestroyed } from './missing-key.ts'
import { openText, sealText } from './seal-rows.ts'

/**
 * The working documents of sessions. With a key ring, values are encrypted with a key for each session's state; keys of values stay
 * readable. Without one, what is encrypted is refused, and so is what would be written beside it unencrypted.
 */
export function wrapState(state: StateStore, ring: KeyRing | undefined): StateStore {
  return ring === undefined ? withoutKeys(state) : withKeys(state, ring)
}

function withoutKeys(state: StateStore): StateStore {
  const checked = (session: string, rows: Iterable<StateRow>): void => {
    for (const { value } of rows) if (isSealed(value)) throw contentKeyNeeded(session)
  }
  return {
    ...state,
    read: async (place, query) => {
      const found = await state.read(place, query)
      checked(place.session, found.rows)
      return found
    },
    blocks: async (owners, asOf) => {
      const found = await state.blocks(owners, asOf)
      for (const { owner, rows } of found) checked(owner, rows)
      return found
    },
    history: async (place, query) => {
      const rows = await state.history(place, query)
      checked(place.session, rows)
      return rows
    },
    change: (place, on, decide) =>
      state.change(place, on, (head, rows) => {
        checked(place.session, rows.values())
        return decide(head, rows)
      }),
    range: async (place, ranges) => {
      const found = await state.range(place, ranges)
      for (const rows of found) checked(place.session, rows)
      return found
    },
    replace: (place, on, decide) =>
      state.replace(place, on, (head, rows) => {
        checked(place.session, rows.values())
        return decide(head, rows)
      }),
  }
}

function withKeys(state: StateStore, ring: KeyRing): StateStore {
  const open = async (
    place: StatePlace,
    section: StateSection,
    rows: readonly StateRow[],
  ): Promise<readonly StateRow[]> => {
    const opened: StateRow[] = []
    for (const row of rows) opened.push(await openStateRow(ring, place, section, row))
    return opened
  }
  return {
    ...state,
    read: async (place, query) => {
      const { version, rows } = await state.read(place, query)
      return { version, rows: await open(place, query.section, rows) }
    },
    blocks: async (owners, asOf) => {
      const opened: Awaited<ReturnType<StateStore['blocks']>>[number][] = []
      for (const { scope, owner, rows } of await state.blocks(owners, asOf)) {
        const own: StateRow[] = []
        for (const row of rows)
          own.push(await openStateRow(ring, { scope, session: blockPlace(owner, row.key) }, 'block', row))
        opened.push({ scope, owner, rows: own })
      }
      return opened
    },
    history: async (place, query) => open(place, query.section, await state.history(place, query)),
    change: async (place, on, decide) => {
      const key = await keyOf(ring, place)
      return state.change(place, on, (head, rows) => {
        const opened = [...rows].map(([name, row]): readonly [string, StateRow] => [
          name,
          openWith(ring, key, on.section, row),
        ])
        const decision = decide(head, new Map(opened))
        return {
          ...decision,
          rows: decision.rows.map(({ key: name, value }) => ({
            key: name,
            value: value === null ? null : sealValue(key, on.section, { key: name, version: head.version + 1 }, value),
          })),
        }
      })
    },
    range: async (place, ranges) => {
      const found = await state.range(place, ranges)
      const opened: (readonly StateRow[])[] = []
      for (const [index, { section }] of ranges.entries()) opened.push(await open(place, section, found[index] ?? []))
      return opened
    },
    replace: async (place, on, decide) => {
      const key = await keyOf(ring, place)
      return state.replace(place, on, (head, rows) => {
        const opened = new Map([...rows].map(([name, row]) => [name, openWith(ring, key, on.section, row)]))
        const decision = decide(head, opened)
        const writes = decision.writes.map(({ section, key: name, value }) => ({
          section,
          key: name,
          value: value === null ? null : sealValue(key, section, { key: name, version: head.version + 1 }, value),
        }))
        return { ...decision, writes }
      })
    },
    // The key first: what a backup still has of it cannot be read any more, whatever happens next.
    forget: async (place, hash) => {
      const keys = await ring.stateKeysOf(place.scope, place.session)
      if (keys.length > 0) await ring.destroy(keys)
      return state.forget(place, hash)
    },
  }
}

function keyOf(ring: KeyRing, { scope, session }: StatePlace): Promise<DataKey> {
  return ring.forState(scope, session)
}

type Named = Pick<StateRow, 'key' | 'version'>

export function sealValue(key: DataKey, section: string, { key: name, version }: Named, value: string): string {
  return sealText(key, ['state', section, name, version], value)
}

/** @throws {MemoryError} `encryption/key-destroyed` if its key is gone. */
export async function openStateRow<Row extends Named & { readonly value: string | null }>(
  ring: KeyRing,
  { scope, session }: StatePlace,
  section: string,
  row: Row,
): Promise<Row> {
  if (!isSealed(row.value)) return row
  const id = keyOfSealed(row.value)
  const key = await ring.byId(id)
  if (key === undefined) throw keyDestroyed(id)
  checkKeyOwner(key, scope, new Set([session]))
  return { ...row, value: openText(key, ['state', section, row.key, row.version], row.value) }
}

/** A session has one key for its state at a time, so it is the one at hand. */
function openWith(ring: KeyRing, key: DataKey, section: string, row: StateRow): StateRow {
  if (!isSealed(row.value)) return row
  const id = keyOfSealed(row.value)
  const own = id === key.id ? key : ring.kept(id)
  if (own === undefined) throw keyDestroyed(id)
  checkKeyOwner(own, key.scope, new Set([key.session]))
  return { ...row, value: openText(own, ['state', section, row.key, row.version], row.value) }
}
