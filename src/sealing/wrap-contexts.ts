import { blockPlace } from '../domain/block-place.ts'
import { isSealed, keyOfSealed } from '../domain/sealed.ts'
import type { KeptContextStore, KeptPlace } from '../ports/kept-context-store.ts'
import { type DataKey, type KeyRing, checkKeyOwner } from './key-ring.ts'
import { contentKeyNeeded, keyDestroyed } from './missing-key.ts'
import { openText, sealText } from './seal-rows.ts'

/** No block has this name: the key is destroyed with those of a session's blocks, and sooner if something is forgotten in it. */
const KEY_NAME = '\u0001contexts'

/**
 * Recorded contexts. With a key ring, their content is encrypted with a key for each session; what a list shows quotes nothing and stays
 * readable. Without one, what is encrypted is refused.
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
    checkKeyOwner(key, place.scope, new Set([blockPlace(place.session, KEY_NAME)]))
    return openText(key, name, body)
  }
  return {
    ...contexts,
    keep: async (given) => {
      const sealed: (typeof given)[number][] = []
      for (const context of given) {
        const key = await keyFor(ring, context)
        const { row, texts } = context
        sealed.push({
          ...context,
          row: { ...row, body: sealText(key, ['context', row.id], row.body) },
          texts: texts.map((text) => ({ ...text, body: sealText(key, ['text', text.hash], text.body) })),
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
