import { resolve } from 'node:path'
import { refuse } from '../domain/refuse.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { lockStore } from '../sealing/lock-store.ts'
import type { StoreViews } from '../sealing/store-views.ts'
import { IN_MEMORY } from '../stores/sqlite/open-database.ts'
import { openSqliteStore } from '../stores/sqlite/store.ts'
import { type EncryptionKeys, keysFrom } from './encryption.ts'
import type { Emit } from './events.ts'
import type { MemoryOptions } from './open-memory.ts'

export const POSTGRES: RegExp = /^postgres(?:ql)?:\/\//i

const ATTEMPT = 'open a memory'

export async function openStore(
  location: string | Store,
  options: MemoryOptions,
  clock: Clock,
  emit: Emit,
): Promise<StoreViews> {
  const keys = await keysFrom(ATTEMPT, options.encryption, ['file', 'content', 'former', 'keys'])
  const isFile = typeof location === 'string' && location !== IN_MEMORY && !POSTGRES.test(location)
  if (keys.file !== undefined && !isFile)
    refuse(ATTEMPT, 'encryption.file', 'a key', 'none: only a file is encrypted as a whole')
  const keyFile = keys.content === undefined ? undefined : keyFileOf(location, options.encryption?.keys)
  const store = typeof location === 'string' ? await openLocation(location, keys, options, { clock, emit }) : location
  if (keys.content === undefined || keyFile === undefined) return lockStore(store)
  try {
    const { KeyRing } = await import('../sealing/key-ring.ts')
    const { sealStore } = await import('../sealing/seal-store.ts')
    const { openKeyFile } = await import('../stores/sqlite/key-file.ts')
    const { master, former } = keys.content
    const keyStore = openKeyFile(keyFile)
    const ring = await KeyRing.open(keyStore, master, former).catch(async (error: unknown) => {
      await keyStore.close()
      throw error
    })
    return sealStore(store, ring)
  } catch (error) {
    if (typeof location === 'string') await store.close()
    throw error
  }
}

function keyFileOf(location: string | Store, given: string | undefined): string {
  if (given !== undefined) return given === IN_MEMORY ? given : resolve(given)
  if (location === IN_MEMORY) return IN_MEMORY
  if (typeof location !== 'string' || POSTGRES.test(location))
    return refuse(
      ATTEMPT,
      'encryption.keys',
      given,
      'the path of a file for data keys, which a database cannot be told',
    )
  return `${resolve(location)}.keys`
}

/** A resolved path is never a URI or an option to SQLite. What speaks to a server is loaded when there is one. */
async function openLocation(
  location: string,
  keys: EncryptionKeys,
  options: MemoryOptions,
  { clock, emit }: { readonly clock: Clock; readonly emit: Emit },
): Promise<Store> {
  if (POSTGRES.test(location)) {
    const { openPostgresStore } = await import('../stores/postgres/store.ts')
    return openPostgresStore(
      location,
      options.postgres ?? {},
      () => clock.now(),
      (danger, message) => emit({ type: 'store-warning', danger, message }),
    )
  }
  return openSqliteStore(location === IN_MEMORY ? IN_MEMORY : resolve(location), () => clock.now(), keys.file)
}
