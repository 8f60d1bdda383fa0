import { existsSync } from 'node:fs'
import type { Copied, MoveOptions, SideOptions } from '../api/archive.ts'
import { checkCall } from '../surface/check-call.ts'
import { moveCall } from '../surface/restore.ts'
import { MemoryError } from '../domain/error.ts'
import { refuse } from '../domain/refuse.ts'
import type { Store } from '../ports/store.ts'
import { withAddressOptions } from '../opening/address-options.ts'
import { type Location, parseLocation } from '../opening/location.ts'
import { openStore } from '../opening/open-store.ts'

const ATTEMPT = 'move a memory'

/** What can be moved from and to. */
type Side = Extract<Location, { readonly kind: 'file' | 'postgres' }>

/**
 * Moves a memory from a file to PostgreSQL, back, or to another of its kind: what an archive holds, streamed from one to the
 * other and compared by hash at the end. The source stays as it is and can be read meanwhile. If it is interrupted, the same call
 * resumes it. Keys of a server and its audit trail stay behind, and so does what is derived from the log: it is derived again.
 *
 * @throws {MemoryError} `archive/conflict` if the target holds something else, or somebody wrote to the source meanwhile.
 */
export async function moveMemory(from: string, to: string, options: MoveOptions = {}): Promise<Copied> {
  checkCall(moveCall, from, to, options)
  const fromSide = parseSide('from', from, options.from)
  const toSide = parseSide('to', to, options.to)
  if (placeOf(fromSide, options.from) === placeOf(toSide, options.to))
    refuse(ATTEMPT, 'to', to, 'another place than the source')
  if (fromSide.kind === 'file' && !existsSync(fromSide.file)) refuse(ATTEMPT, 'from', from, 'a memory that is there')
  const source = await openSide(fromSide, options.from)
  try {
    await refuseUnfinished(source)
    const target = await openSide(toSide, options.to)
    try {
      const { copyArchive } = await import('./copy-archive.ts')
      return await copyArchive(source, target, options.onProgress)
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** Only the store: no work of the source is carried on here, and none of the target begins before it is whole. */
async function openSide(location: Side, options: SideOptions = {}): Promise<Store<'opened'>> {
  return (await openStore(location, options, { now: Date.now }, () => undefined)).store
}

/** What was ordered to be forgotten must not get away. */
async function refuseUnfinished({ erasure }: Store): Promise<void> {
  const left = (await erasure.unfinished()).filter(({ stage }) => stage === 'content').length
  if (left === 0) return
  throw new MemoryError(
    'archive/conflict',
    `Cannot ${ATTEMPT}: ${left} orders to forget are not carried out yet in the source. Open it, wait for settled(), then try again`,
    { left },
  )
}

function parseSide(name: 'from' | 'to', text: unknown, options: SideOptions = {}): Side {
  const location = parseLocation(ATTEMPT, name, text)
  if (location.kind === 'memory' || location.kind === 'server')
    return refuse(ATTEMPT, name, text, 'a file path or a postgres:// address')
  if (location.kind === 'file' && options.postgres !== undefined)
    refuse(ATTEMPT, `options.${name}.postgres`, options.postgres, 'none: it is for postgres:// addresses only')
  return location
}

function placeOf(side: Side, options: SideOptions | undefined): string {
  if (side.kind === 'file') return side.file
  // An address may name several servers, which is not a URL. The user and the parameters do not count.
  const [servers] = side.address
    .replace(/^\w+:\/\//, '')
    .replace(/^[^@/]*@/, '')
    .split('?')
  return [servers, withAddressOptions(side.address, options?.postgres).schema ?? 'daybook'].join(' ')
}
