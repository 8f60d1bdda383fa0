import type { Snapshot, SnapshotLocation, SnapshotManifest } from '@strands-agents/sdk'
import { defined } from '../../domain/defined.ts'
import type { Records } from '../../api/records.ts'
import type { Scope } from '../../api/scope.ts'
import { checkScopeHandle } from '../../domain/check-scope-handle.ts'
import { anObject, mayHave } from '../../shape/object.ts'
import type { Shape } from '../../shape/shape.ts'
import { someText } from '../../shape/values.ts'
import { refuse } from '../../domain/refuse.ts'

const ATTEMPT = 'use a storage of snapshots'
const SCHEMA_VERSION = '1.0'
const RECORDS_PER_PAGE = 1_000
const IDENTIFIER = /^[a-z0-9_-]+$/
const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/** Where snapshots are kept. */
export interface DaybookSnapshotStorageOptions {
  /** The collection of records that has them. @default 'snapshots' */
  readonly collection?: string
}

const OPTIONS: Shape<DaybookSnapshotStorageOptions> = anObject<DaybookSnapshotStorageOptions>(undefined, {
  collection: mayHave(someText, 'The collection of records that has them', 'snapshots'),
})

/**
 * Snapshots of Strands agents as records of a scope:
 * `new SessionManager({ sessionId, storage: { snapshot: new DaybookSnapshotStorage(scope) } })`.
 *
 * @example
 * import { openMemory } from 'daybook'
 * import { DaybookSnapshotStorage } from 'daybook/strands'
 * await using memory = await openMemory(':memory:')
 * const storage = new DaybookSnapshotStorage(memory.scope('acme/ada'))
 * console.log(await storage.listSnapshotIds({ location: { sessionId: 's1', scope: 'agent', scopeId: 'helper' } }))
 */
export class DaybookSnapshotStorage {
  readonly #records: Records

  constructor(scope: Pick<Scope, 'records'>, options: DaybookSnapshotStorageOptions = {}) {
    checkScopeHandle(ATTEMPT, scope)
    OPTIONS.check(ATTEMPT, '', options)
    this.#records = scope.records(options.collection ?? 'snapshots')
  }

  /** Stores a snapshot: the latest, in place of the one before, or one that stays under its id. */
  async saveSnapshot(params: {
    location: SnapshotLocation
    snapshotId: string
    isLatest: boolean
    snapshot: Snapshot
  }): Promise<void> {
    const { location, snapshotId, isLatest, snapshot } = params
    await this.#write(isLatest ? latestKey(location) : snapshotKey(location, snapshotId), snapshot)
  }

  /** Reads a snapshot by its id, or the latest; `null` if there is none. */
  async loadSnapshot(params: { location: SnapshotLocation; snapshotId?: string }): Promise<Snapshot | null> {
    const { location, snapshotId } = params
    return this.#read<Snapshot>(snapshotId === undefined ? latestKey(location) : snapshotKey(location, snapshotId))
  }

  /** The ids of snapshots that stay, oldest first. */
  async listSnapshotIds(params: {
    location: SnapshotLocation
    limit?: number
    startAfter?: string
  }): Promise<string[]> {
    const { location, limit = Number.POSITIVE_INFINITY, startAfter } = params
    if (limit <= 0) return []
    if (startAfter !== undefined && startAfter !== '' && !UUID_7.test(startAfter))
      refuse(ATTEMPT, 'startAfter', startAfter, 'the id of a snapshot, a UUID of version 7')
    const prefix = historyPrefix(location)
    const keys = await this.#keys(prefix, startAfter === undefined ? undefined : `${prefix}${startAfter}`)
    return keys.map((key) => key.slice(prefix.length)).slice(0, limit)
  }

  /** Deletes all snapshots of a session. */
  async deleteSession({ sessionId }: { sessionId: string }): Promise<void> {
    checkIdentifier('sessionId', sessionId)
    const keys = await this.#keys(`${sessionId}/`)
    for (let from = 0; from < keys.length; from += RECORDS_PER_PAGE)
      await this.#records.change(keys.slice(from, from + RECORDS_PER_PAGE).map((key) => ({ delete: key })))
  }

  async loadManifest({ location }: { location: SnapshotLocation }): Promise<SnapshotManifest> {
    const found = await this.#read<SnapshotManifest>(manifestKey(location))
    return found ?? { schemaVersion: SCHEMA_VERSION, updatedAt: new Date().toISOString() }
  }

  async saveManifest({
    location,
    manifest,
  }: {
    location: SnapshotLocation
    manifest: SnapshotManifest
  }): Promise<void> {
    await this.#write(manifestKey(location), manifest)
  }

  /** As bytes, which may be larger than JSON. */
  async #write(key: string, value: object): Promise<void> {
    await this.#records.put(key, new TextEncoder().encode(JSON.stringify(value)))
  }

  async #read<Value>(key: string): Promise<Value | null> {
    const found = await this.#records.get(key)
    return found === undefined ? null : (JSON.parse(new TextDecoder().decode(found.data)) as Value)
  }

  async #keys(prefix: string, beyond?: string): Promise<readonly string[]> {
    const keys: string[] = []
    for (let after = beyond; ;) {
      const given = { prefix, limit: RECORDS_PER_PAGE, ...defined({ after }) }
      const page = await this.#records.list(given)
      keys.push(...page.map(({ key }) => key))
      after = keys.at(-1)
      if (page.length < RECORDS_PER_PAGE) return keys
    }
  }
}

function latestKey(location: SnapshotLocation): string {
  return `${placeOf(location)}/latest`
}

function snapshotKey(location: SnapshotLocation, id: string): string {
  checkIdentifier('snapshotId', id)
  return `${historyPrefix(location)}${id}`
}

function historyPrefix(location: SnapshotLocation): string {
  return `${placeOf(location)}/history/`
}

function manifestKey(location: SnapshotLocation): string {
  return `${placeOf(location)}/manifest`
}

function placeOf({ sessionId, scope, scopeId }: SnapshotLocation): string {
  checkIdentifier('sessionId', sessionId)
  checkIdentifier('scopeId', scopeId)
  if (scope !== 'agent' && scope !== 'multiAgent') refuse(ATTEMPT, 'scope', scope, 'agent or multiAgent')
  return `${sessionId}/${scope}/${scopeId}`
}

function checkIdentifier(what: string, value: string): void {
  if (!IDENTIFIER.test(value)) refuse(ATTEMPT, what, value, 'lowercase letters, numbers, hyphens and underscores')
}
