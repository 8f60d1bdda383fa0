import { blockPlace } from '../domain/block-place.ts'
import { isSealed, keyOfSealed } from '../domain/sealed.ts'
import type { KeptContextStore, KeptPlace } from '../ports/kept-context-store.ts'
import { type DataKey, type KeyRing, checkKeyOwner } from './key-ring.ts'
import { contentKeyNeeded, keyDestroyed } from './missing-key.ts'
import { openText, sealText } from './seal-rows.ts'

/** No block has this name: the key is destroyed with those of a session's blocks, and sooner if something is forgotten in it. */
const KEY_NAME = '\u0001contexts'
/** The same for what contexts of a scope show that belongs to others: destroyed whenever something is forgotten in the scope or above. */
const BORROWED_KEY = blockPlace('', '\u0001borrowed')

/**
 * Recorded contexts. With a key ring, their content is encrypted with a key for each session, and what belongs to others with a key for each
 * scope; what a list shows quotes nothing and stays readable. Without one, what is encrypted is refused.
 */
export function wrapContexts(contexts: KeptContextStore, ring: KeyRing | undefined): KeptContextStore {
  return ring === undefined ? withoutKeys(contexts) : withKeys(contexts, ring)
}

function withoutKeys(contexts: KeptContextStore): KeptContextStore {
  return {
    ...contexts,
    read: async (place, id) => {
      const row = await contexts.read(place, id)
      if (isSealed(row?.body)) throw contentKeyNeeded(place.session)
      return row
    },
  }
}

function withKeys(contexts: KeptContextStore, ring: KeyRing): KeptContextStore {
  const open = async (place: KeptPlace, name: readonly string[], body: string): Promise<string> => {
    if (!isSealed(body)) return body
    const id = keyOfSealed(body)
    const key = await ring.byId(id)
    if (key === undefined) throw keyDestroyed(id)
    checkKeyOwner(key, place.scope, new Set([blockPlace(place.session, KEY_NAME), BORROWED_KEY]))
    return openText(key, nameIn(place, key.session === BORROWED_KEY, name), body)
  }
  return {
    ...contexts,
    keep: async (given) => {
      const sealed: (typeof given)[number][] = []
      for (const context of given) {
        const { row, texts } = context
        const own = await keyFor(ring, context)
        const shared = row.borrowed ? await ring.forState(context.scope, BORROWED_KEY) : own
        const seal = (borrowed: boolean, name: readonly string[], body: string): string =>
          sealText(borrowed ? shared : own, nameIn(context, borrowed, name), body)
        sealed.push({
          ...context,
          row: { ...row, body: seal(row.borrowed, ['context', row.id], row.body) },
          texts: texts.map((text) => ({ ...text, body: seal(text.borrowed, ['text', text.hash], text.body) })),
        })
      }
      return contexts.keep(sealed)
    },
    read: async (place, id) => {
      const row = await contexts.read(place, id)
      return row === undefined ? undefined : { ...row, body: await open(place, ['context', id], row.body) }
    },
    texts: async (place, hashes) => {
      const opened: Awaited<ReturnType<KeptContextStore['texts']>>[number][] = []
      for (const text of await contexts.texts(place, hashes))
        opened.push({ ...text, body: await open(place, ['text', text.hash], text.body) })
      return opened
    },
  }
}

/** The key of a scope opens what stands in each of its sessions, so the name says which it is. */
function nameIn({ session }: KeptPlace, borrowed: boolean, name: readonly string[]): readonly string[] {
  return borrowed ? [...name, session] : name
}

/** The keys of what contexts of a scope and below show that belongs to others. */
export function borrowedKeys(ring: KeyRing, scope: string): Promise<readonly string[]> {
  return ring.stateKeysBelow(scope, BORROWED_KEY)
}

function keyFor(ring: KeyRing, { scope, session }: KeptPlace): Promise<DataKey> {
  return ring.forState(scope, blockPlace(session, KEY_NAME))
}

/** The key of the contexts that are kept of a session, if there is one. */
export function contextsKey(
  ring: KeyRing,
  { scope, name }: { readonly scope: string; readonly name: string },
): Promise<string | undefined> {
  return ring.stateKeyOf(scope, blockPlace(name, KEY_NAME))
}
