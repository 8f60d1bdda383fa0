import { ownerOf } from '../domain/block-place.ts'
import { readForgottenStateName } from '../domain/forgotten-state-name.ts'
import { pairKey } from '../domain/pair-key.ts'
import { rootOf } from '../domain/scope-path.ts'
import { forgottenName } from '../log/forgotten.ts'
import type { Address } from '../log/log.ts'
import type { ArchiveRow, ArchiveTable } from '../ports/archive-store.ts'
import type { ArchivedStore } from './export-archive.ts'
import { forgottenStates } from './forgotten-states.ts'

const ROWS_PER_PAGE = 500

/** What was forgotten in the memory that an archive is imported into. Nothing of it comes back. */
export class ForgottenHere {
  readonly #store: ArchivedStore
  /** Sessions and scopes of the archive of which something was left out. */
  readonly #sessions = new Set<string>()
  readonly #scopes = new Set<string>()
  readonly #facts = new Map<string, Promise<ReadonlySet<string>>>()
  /** Entities that facts of such a scope name which were stored. */
  readonly #named = new Set<string>()
  /** How often states and predicates were forgotten: here, and in the memory that the archive is of when it was made. */
  readonly #states = new Map<string, Promise<ReadonlyMap<string, number>>>()
  readonly #archived = new Map<string, number>()
  readonly #blobs = new Map<string, Set<string>>()

  constructor(store: ArchivedStore) {
    this.#store = store
  }

  /** Those of the ids that were forgotten in this session. */
  async idsAmong(
    { scope, session }: Address,
    kind: 'message' | 'operation',
    ids: readonly string[],
  ): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set()
    const names = new Map(ids.map((id) => [forgottenName({ scope, session, kind, id }), id]))
    const found = await this.#store.log.change<ReadonlySet<string>>({
      scope,
      session,
      questions: { ids: [], callIds: [], blobs: [], forgotten: [...names.keys()] },
      decide: ({ forgotten }) => ({ answer: forgotten }),
    })
    return new Set([...found].flatMap((name) => names.get(name) ?? []))
  }

  hasSession(scope: string, session: string): boolean {
    return this.#sessions.has(pairKey(scope, session))
  }

  addSession(scope: string, session: string): void {
    this.#sessions.add(pairKey(scope, session))
    this.#scopes.add(scope)
  }

  /** Remembers a blob of the archive: if messages that show it are left out, it is deleted at the end. */
  addBlob({ scope, hash }: ArchiveRow): void {
    const hashes = this.#blobs.get(String(scope)) ?? new Set<string>()
    this.#blobs.set(String(scope), hashes.add(String(hash)))
  }

  /** Remembers a name that the archive itself has: what it holds was written after that was forgotten. */
  addName({ scope, name }: ArchiveRow): void {
    const read = readForgottenStateName(String(name))
    if (read === undefined) return
    const key = pairKey(String(scope), read.hash)
    this.#archived.set(key, Math.max(read.times, this.#archived.get(key) ?? 0))
  }

  /**
   * How a row of the archive is stored: as usual, not at all, or only if nothing is stored in its place. Where facts or messages of
   * a scope were left out, what the scope has by now was written without them, and is no conflict.
   */
  async ruleFor({ kind, of }: ArchiveTable, row: ArchiveRow): Promise<'store' | 'leave-out' | 'store-if-new'> {
    const scope = String(row['scope'])
    if (of === 'state') return (await this.#hasState(scope, String(row['session']))) ? 'leave-out' : 'store'
    if (of !== 'knowledge') return 'store'
    if (kind === 'fact' || kind === 'fact-source') {
      const id = String(row[kind === 'fact' ? 'id' : 'fact'])
      if ((await this.#factsOf(scope)).has(id)) {
        this.#scopes.add(scope)
        return 'leave-out'
      }
    }
    if (kind === 'predicate') {
      const hash = forgottenName({ scope, session: '', kind, id: String(row['name']) })
      if (await this.#isForgottenSince(scope, [hash])) return 'leave-out'
    }
    if (!this.#scopes.has(scope)) return 'store'
    if (kind === 'entity' || kind === 'entity-name') {
      const key = String(row[kind === 'entity' ? 'key' : 'entity'])
      return this.#named.has(pairKey(scope, key)) ? 'store-if-new' : 'leave-out'
    }
    return kind === 'proposal' || kind === 'proposal-part' ? 'leave-out' : 'store-if-new'
  }

  /** A row was new in a scope of which something was left out. */
  wasStored({ kind }: ArchiveTable, row: ArchiveRow): void {
    if (kind !== 'fact') return
    for (const key of [row['subject'], row['objectEntity']])
      if (typeof key === 'string') this.#named.add(pairKey(String(row['scope']), key))
  }

  /** Deletes the blobs that only messages show which were left out. */
  async end(): Promise<void> {
    for (const scope of this.#scopes) {
      const hashes = this.#blobs.get(scope)
      if (hashes !== undefined) await this.#store.archive.dropUnusedBlobs(scope, [...hashes])
    }
  }

  /** Whether the state or block at a place was forgotten here since the archive was made, alone or with its session. */
  async #hasState(scope: string, place: string): Promise<boolean> {
    const owner = ownerOf(place)
    if (this.hasSession(scope, owner)) return true
    const hashes = [place, owner].map((session) => forgottenName({ scope, session, kind: 'state', id: '' }))
    return this.#isForgottenSince(scope, hashes)
  }

  async #isForgottenSince(scope: string, hashes: readonly string[]): Promise<boolean> {
    let states = this.#states.get(scope)
    if (states === undefined) this.#states.set(scope, (states = forgottenStates(this.#store.archive, scope)))
    const here = await states
    return hashes.some((hash) => (here.get(hash) ?? 0) > (this.#archived.get(pairKey(scope, hash)) ?? 0))
  }

  #factsOf(scope: string): Promise<ReadonlySet<string>> {
    let facts = this.#facts.get(scope)
    if (facts === undefined) this.#facts.set(scope, (facts = this.#readFacts(scope)))
    return facts
  }

  async #readFacts(scope: string): Promise<ReadonlySet<string>> {
    const { archive } = this.#store
    const root = rootOf(scope)
    const place = { scope, known: { root, version: await archive.rootVersion(root) } }
    const ids = new Set<string>()
    for (let after: ArchiveRow | undefined; ;) {
      const rows = await archive.rows('fact-forgotten', place, { after, limit: ROWS_PER_PAGE })
      for (const row of rows) if (row['scope'] === scope) ids.add(String(row['fact']))
      after = rows.at(-1)
      if (rows.length < ROWS_PER_PAGE) return ids
    }
  }
}
