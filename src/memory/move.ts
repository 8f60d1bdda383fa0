import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Copied, CopyProgress } from '../archive/copy-archive.ts'
import { checkOptions } from '../domain/check-options.ts'
import { MemoryError } from '../domain/error.ts'
import { refuse } from '../domain/refuse.ts'
import type { Store } from '../ports/store.ts'
import { IN_MEMORY } from '../stores/sqlite/open-database.ts'
import { checkPostgres } from './check-postgres.ts'
import type { MemoryOptions } from './open-memory.ts'
import { POSTGRES, openStore } from './open-store.ts'

/** How one side is opened. */
export type SideOptions = Pick<MemoryOptions, 'postgres' | 'encryption'>

export interface MoveOptions {
  /** How the source is opened. */
  readonly from?: SideOptions
  /** How the target is opened. */
  readonly to?: SideOptions
  /** Hears now and then how far it is. */
  readonly onProgress?: (progress: CopyProgress) => void
}

/** What was moved, and the hash of the archive that both sides give. */
export type Moved = Copied

const ATTEMPT = 'move a memory'
const ADDRESS = /^[a-z][a-z0-9+.-]+:\/\//i

/**
 * Moves a memory from a file to PostgreSQL, back, or to another of its kind: what an archive holds, streamed from one to the
 * other and compared by hash at the end. The source stays as it is and can be read meanwhile. Cut short, the same call goes
 * on. Keys of a server and its audit trail stay behind, and so does what is derived from the log: it is derived again.
 *
 * @throws {MemoryError} `archive/conflict` if the target holds something else, or somebody wrote to the source meanwhile.
 */
export async function moveMemory(from: string, to: string, options: MoveOptions = {}): Promise<Moved> {
  checkOptions(ATTEMPT, options, ['from', 'to', 'onProgress'])
  if (options.onProgress !== undefined && typeof options.onProgress !== 'function')
    refuse(ATTEMPT, 'onProgress', options.onProgress, 'a function')
  checkSide('from', from, options.from)
  checkSide('to', to, options.to)
  if (placeOf(from, options.from) === placeOf(to, options.to))
    refuse(ATTEMPT, 'to', to, 'another place than the source')
  if (!ADDRESS.test(from) && !existsSync(from)) refuse(ATTEMPT, 'from', from, 'a memory that is there')
  const source = await openSide(from, options.from)
  try {
    await refuseUnfinished(source)
    const target = await openSide(to, options.to)
    try {
      const { copyArchive } = await import('../archive/copy-archive.ts')
      return await copyArchive(source, target, options.onProgress)
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** Only the store: no work of the source is carried on here, and none of the target begins before it is whole. */
async function openSide(location: string, options: SideOptions = {}): Promise<Store> {
  return (await openStore(location, options, { now: Date.now }, () => undefined)).store
}

/** What was ordered to be forgotten must not get away. */
async function refuseUnfinished({ erasure }: Store): Promise<void> {
  const left = (await erasure.unfinished()).filter(({ stage }) => stage === 'content').length
  if (left === 0) return
  throw new MemoryError(
    'archive/conflict',
    `Cannot ${ATTEMPT}: ${left} orders to forget are not carried out in the source, expected none; open it and wait for settled()`,
    { left },
  )
}

function checkSide(name: 'from' | 'to', location: unknown, options: unknown): void {
  if (
    typeof location !== 'string' ||
    location === '' ||
    location === IN_MEMORY ||
    location.includes('\0') ||
    (ADDRESS.test(location) && !POSTGRES.test(location))
  )
    refuse(ATTEMPT, name, location, 'a file path or a postgres:// address')
  if (options === undefined) return
  checkOptions(ATTEMPT, options as SideOptions, POSTGRES.test(location) ? ['postgres', 'encryption'] : ['encryption'])
  const { postgres } = options as SideOptions
  if (postgres !== undefined) checkPostgres(postgres)
}

function placeOf(location: string, options: SideOptions | undefined): string {
  if (!POSTGRES.test(location)) return resolve(location)
  // An address may name several servers, which is no URL: who is asked, without as whom and how.
  const [servers] = location
    .replace(POSTGRES, '')
    .replace(/^[^@/]*@/, '')
    .split('?')
  return [servers, options?.postgres?.schema ?? 'daybook'].join(' ')
}
