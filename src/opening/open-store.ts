import { resolve } from 'node:path'
import type { Emit } from '../api/events.ts'
import type { MemoryOptions } from '../api/open-memory.ts'
import { quote, refuse } from '../domain/refuse.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import type { StoreViews } from '../sealing/store-views.ts'
import { wrapStore } from '../sealing/wrap-store.ts'
import { withAddressOptions } from './address-options.ts'
import { type EncryptionKeys, keysFrom } from './encryption-keys.ts'
import type { Location } from './location.ts'

const ATTEMPT = 'open a memory'
/** What SQLite calls a database without a file. */
const IN_MEMORY = ':memory:'

export async function openStore(
  location: Location | Store<'stored'>,
  options: MemoryOptions,
  clock: Clock,
  emit: Emit,
): Promise<StoreViews> {
  const keys = await keysFrom(options.encryption)
  if (keys.file !== undefined && kindOf(location) !== 'file')
    refuse(ATTEMPT, 'encryption.file', 'a key', 'none: only a file is encrypted as a whole')
  const keyFile = keys.content === undefined ? undefined : keyFileOf(location, options.encryption?.keys)
  const store = isStore(location) ? location : await openLocation(location, keys, options, { clock, emit })
  if (keys.content === undefined || keyFile === undefined) return wrapStore(store, undefined)
  try {
    const { KeyRing } = await import('../sealing/key-ring.ts')
    const { openKeyFile } = await import('../stores/sqlite/key-file.ts')
    const { master, former } = keys.content
    const keyStore = await openKeyFile(keyFile, options.readOnly)
    const ring = await KeyRing.open(keyStore, master, former).catch(async (error: unknown) => {
      await keyStore.close()
      throw error
    })
    return await wrapStore(store, ring)
  } catch (error) {
    if (!isStore(location)) await store.close()
    throw error
  }
}

function keyFileOf(location: Location | Store<'stored'>, given: string | undefined): string {
  if (given !== undefined) return given === IN_MEMORY ? given : resolve(given)
  if (isStore(location) || location.kind === 'postgres' || location.kind === 'server')
    return refuse(
      ATTEMPT,
      'encryption.keys',
      given,
      'the path of a file for data keys: only a memory in a file has a default',
    )
  return location.kind === 'memory' ? IN_MEMORY : `${location.file}.keys`
}

/** Each driver is loaded when an address asks for it: a program that uses PostgreSQL needs no SQLite, and the other way round. */
async function openLocation(
  location: Location,
  keys: EncryptionKeys,
  options: MemoryOptions,
  { clock, emit }: { readonly clock: Clock; readonly emit: Emit },
): Promise<Store<'stored'>> {
  if (location.kind === 'server') return refuse(ATTEMPT, 'location', location.address, 'a file or a database')
  if (location.kind === 'postgres') {
    const { openPostgresStore } = await import('../stores/postgres/store.ts')
    return openPostgresStore(
      location.address,
      withAddressOptions(location.address, options.postgres),
      () => clock.now(),
      (danger, message) => emit({ type: 'store-warning', danger, message }),
    )
  }
  if (options.readOnly === true) return openFileToRead(location, keys, { clock, emit })
  const { openSqliteStore } = await import('../stores/sqlite/store.ts')
  const file = location.kind === 'memory' ? IN_MEMORY : location.file
  const store = await openSqliteStore(file, () => clock.now(), { key: keys.file })
  if (file !== IN_MEMORY && process.platform !== 'win32') await checkMode(file, options.tightenMode === true, emit)
  return store
}

async function openFileToRead(
  location: Location,
  keys: EncryptionKeys,
  { clock, emit }: { readonly clock: Clock; readonly emit: Emit },
): Promise<Store<'stored'>> {
  if (location.kind !== 'file')
    return refuse(ATTEMPT, 'readOnly', true, 'false: only a file is opened for reading only')
  const { openReadOnlyStore } = await import('../stores/sqlite/open-read-only.ts')
  const store = await openReadOnlyStore(location.file, () => clock.now(), keys.file)
  if (process.platform !== 'win32') await checkMode(location.file, false, emit)
  return store
}

/** A file that was copied or restored may have a mode that lets others read it. */
async function checkMode(file: string, tighten: boolean, emit: Emit): Promise<void> {
  const { closeToOthers, filesOpenToOthers } = await import('../stores/sqlite/file-mode.ts')
  const open = filesOpenToOthers(file)
  if (open.length === 0) return
  if (tighten) closeToOthers(open)
  else
    emit({
      type: 'store-warning',
      danger: 'file-mode',
      message: `Others on this machine may read ${open.map(quote).join(', ')}: open the memory with tightenMode: true, or run chmod 600`,
    })
}

function kindOf(location: Location | Store<'stored'>): Location['kind'] | 'store' {
  return isStore(location) ? 'store' : location.kind
}

function isStore(location: Location | Store<'stored'>): location is Store<'stored'> {
  return 'log' in location
}
