import { MemoryError } from '../domain/error.ts'
import { isSealed, keyOfSealed } from '../domain/sealed.ts'
import type {
  AmendmentRow,
  Blob,
  LogChange,
  Decision,
  LogFindings,
  LogStore,
  MessageRow,
  OperationRow,
  Segment,
  SessionHead,
  StoreView,
} from '../ports/log-store.ts'
import type { StateRow } from '../ports/state-store.ts'
import { openStateRow } from './wrap-state.ts'
import { type Beginning, Beginnings } from './beginnings.ts'
import { type DataKey, type KeyRing, checkKeyOwner } from './key-ring.ts'
import { KeyedReads } from './keyed-reads.ts'
import { logWithoutKeys } from './log-without-keys.ts'
import { ReadSources } from './read-sources.ts'
import { begunPlain, keyDestroyed } from './missing-key.ts'
import {
  hashesIn,
  keyOfBytes,
  openBytes,
  openRow,
  openText,
  sealBlob,
  sealBytes,
  sealDescription,
  sealRow,
} from './seal-rows.ts'
import { SealedBlobs } from './sealed-blobs.ts'

/** What one change has gathered over its attempts: a decision cannot wait, so what it lacks is fetched and it is made again. */
interface Trip {
  lacks: (() => Promise<void>) | undefined
  /** For a session that begins. */
  beginning: Beginning | undefined
  begins: boolean
  /** Blobs that are shown and not brought, by hash; `null` if there is none. */
  readonly held: Map<string, Blob | null>
  /** Keys that were not found once. */
  readonly gone: Set<string>
}

/** Its keys come and go with sessions: a handful of rounds fetches all that a decision can ask for. */
const ROUNDS_MAX = 64

/** Of which session its number says the name. */
const NAMES_KEPT_MAX = 10_000

type Owner = Pick<Segment, 'scope' | 'key'>

/** A session and those it was forked from. */
interface Lineage {
  readonly scope: string
  readonly names: ReadonlySet<string>
}

const DAMAGED = '"damaged"'

const NOBODY: Lineage = { scope: '', names: new Set() }

type Write = NonNullable<Decision<unknown>['write']>
type Stored = LogFindings['answered'][number]

/**
 * One view of a log. With a key ring, content is encrypted on its way in and decrypted on its way out; without one, what is not
 * encrypted is read and written as it is. What becomes of the rest depends on the view.
 *
 * @param primary the log that is never behind, where `log` may be
 */
export function wrapLog<View extends Exclude<StoreView, 'stored'>>(
  log: LogStore<'stored'>,
  ring: KeyRing | undefined,
  view: View,
  primary: LogStore<'stored'> = log,
): LogStore<View> {
  return ring === undefined ? logWithoutKeys(log, view) : withKeys(log, ring, view, primary)
}

/**
 * Which key a session has is in its own row, sealed with its description: so a session that is forgotten and begun again can never
 * be written to with a key that is gone.
 */
function withKeys<View extends StoreView>(
  log: LogStore<'stored'>,
  ring: KeyRing,
  view: View,
  primary: LogStore<'stored'>,
): LogStore<View> {
  const blobs = new SealedBlobs(log, ring)
  const sealed = new SealedLog(log, ring, blobs, { missing: view === 'verifiable' ? 'leave' : 'throw', primary })
  return {
    view,
    change: (change) => sealed.change(change),
    session: async (scope, name) =>
      (await sealed.heads(async (from) => [await from.session(scope, name)].filter((head) => head !== undefined)))[0],
    sessions: (of, page) => sealed.heads((from) => from.sessions(of, page)),
    sessionsNow: (scope, query) => log.sessionsNow(scope, query),
    changedSince: (scope, since) => log.changedSince(scope, since),
    scopes: (under, page) => log.scopes(under, page),
    messages: (query) => sealed.rows(query, (from) => from.messages(query)),
    message: async (session, id) =>
      (
        await sealed.rows(session, async (from) => [await from.message(session, id)].filter((row) => row !== undefined))
      )[0],
    amendments: (query) => sealed.rows(query, (from) => from.amendments(query)),
    pieces: async (place) => {
      const rows: StateRow[] = []
      for (const row of await log.pieces(place)) rows.push(await openStateRow(ring, place, 'piece', row))
      return rows
    },
    streams: (of) => log.streams(of),
    reached: (segments, bound) => sealed.sources.of(segments).reached(segments, bound),
    blobs: (scope, hashes) => blobs.read(scope, hashes),
    subscribe: (scope, session, onCommit) => log.subscribe(scope, session, onCommit),
  }
}

class SealedLog {
  readonly #log: LogStore
  readonly #ring: KeyRing
  readonly #blobs: SealedBlobs
  readonly #beginnings: Beginnings
  #known: { readonly sealed: string | null; readonly description: string | null } = { sealed: null, description: null }
  readonly #missing: 'throw' | 'leave'
  readonly #reads: KeyedReads
  readonly #names = new Map<number, string>()
  readonly sources: ReadSources

  constructor(
    log: LogStore,
    ring: KeyRing,
    blobs: SealedBlobs,
    { missing, primary }: { readonly missing: 'throw' | 'leave'; readonly primary: LogStore },
  ) {
    this.#log = log
    this.sources = new ReadSources(log, primary)
    this.#reads = new KeyedReads(primary, ring)
    this.#ring = ring
    this.#blobs = blobs
    this.#beginnings = new Beginnings(ring)
    this.#missing = missing
  }

  /** Who lists sessions is not stopped by one whose key is gone: its description is left sealed. */
  async heads(read: (from: LogStore) => Promise<readonly SessionHead[]>): Promise<readonly SessionHead[]> {
    const { found, keys, from } = await this.#reads.read(this.#log, read, ({ description }) => description)
    for (const { lineage } of found) this.sources.note(lineage, from)
    return found.map((head) => {
      const key = isSealed(head.description) ? keys.get(keyOfSealed(head.description)) : undefined
      return key === undefined ? head : this.#opened(head, 'description', () => openHead(key, head))
    })
  }

  /** Rows that stand in one session. */
  async rows<Row extends MessageRow | AmendmentRow>(
    owner: Owner,
    read: (from: LogStore) => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> {
    const { found, keys } = await this.#reads.read(this.sources.of([owner]), read, ({ body }) => body)
    if (!found.some(({ body }) => isSealed(body))) return found
    const names = new Set([this.#names.get(owner.key) ?? (await this.#name(owner))])
    return found.map((row) => {
      if (!isSealed(row.body)) return row
      const id = keyOfSealed(row.body)
      const key = keys.get(id)
      if (key === undefined && this.#missing === 'throw') throw keyDestroyed(id)
      if (key === undefined) return row
      return this.#opened(row, 'body', () => this.#open(checkKeyOwner(key, owner.scope, names), row))
    })
  }

  /** `verify` must report damage and not fail because of it: what it gets instead matches no digest. */
  #opened<Row extends object>(row: Row, field: keyof Row, open: () => Row): Row {
    try {
      return open()
    } catch (error) {
      if (this.#missing === 'throw' || !MemoryError.is(error, 'store/corrupt')) throw error
      return { ...row, [field]: DAMAGED }
    }
  }

  async change<Answer>(change: LogChange<Answer>): Promise<Answer> {
    const { scope, questions } = change
    const trip: Trip = { lacks: undefined, beginning: undefined, begins: false, held: new Map(), gone: new Set() }
    await this.#hold(trip, scope, questions.blobs)
    try {
      for (let round = 0; round < ROUNDS_MAX; round++) {
        trip.lacks = undefined
        trip.begins = false
        try {
          return await this.#log.change<Answer>({ ...change, decide: (facts) => this.#decide(change, facts, trip) })
        } catch (error) {
          const fetch = trip.lacks as Trip['lacks']
          if (fetch === undefined) throw error
          await fetch()
        }
      }
      throw new MemoryError(
        'store/failed',
        `Cannot write: more than ${ROUNDS_MAX} keys were wanted one after the other`,
      )
    } finally {
      if (trip.beginning !== undefined) await this.#beginnings.release(trip.beginning, trip, trip.begins)
    }
  }

  #decide<Answer>(change: LogChange<Answer>, sealed: LogFindings, trip: Trip): Decision<Answer> {
    // Only the last try of a transaction counts: what an earlier one lacked, this one may have.
    trip.lacks = undefined
    trip.begins = false
    const decision = change.decide(this.#openFacts(sealed, trip))
    if (decision.write === undefined) return decision
    const key = this.#keyFor(change, sealed.session, trip)
    return { ...decision, write: this.#seal(key, decision.write, sealed.session, trip) }
  }

  /** Inside a transaction: what is not at hand ends this attempt, and is fetched before the next. */
  #lack(trip: Trip, fetch: () => Promise<void>): never {
    trip.lacks = fetch
    throw new MemoryError('store/failed', 'Cannot write yet: a data key has to be read first')
  }

  #key(id: string, trip: Trip): DataKey {
    return (
      this.#ring.kept(id) ??
      this.#lack(trip, async () => {
        if ((await this.#ring.byId(id)) !== undefined) return
        // What was read may have been sealed with another since: it is read again.
        if (trip.gone.has(id)) throw keyDestroyed(id)
        trip.gone.add(id)
      })
    )
  }

  #keyFor({ scope, session }: LogChange<unknown>, head: SessionHead | undefined, trip: Trip): DataKey {
    if (head !== undefined) {
      if (!isSealed(head.description)) throw begunPlain(session)
      return this.#key(keyOfSealed(head.description), trip)
    }
    const { beginning } = trip
    if (beginning === undefined || (beginning.user !== undefined && beginning.user !== trip))
      return this.#lack(trip, async () => {
        if (beginning !== undefined) await this.#beginnings.release(beginning, trip, false)
        trip.beginning = undefined
        trip.beginning = await this.#beginnings.hold(scope, session)
      })
    beginning.user = trip
    trip.begins = true
    return beginning.key
  }

  #openFacts(facts: LogFindings, trip: Trip): LogFindings {
    const { session, parent, operation, messages, answered, blobs } = facts
    // A change is given content of its own session or of an ancestor.
    const opened = messages.size + answered.length === 0 ? NOBODY : this.#lineage(session, trip)
    return {
      ...facts,
      session: this.#openHead(session, trip),
      parent: this.#openHead(parent, trip),
      operation: this.#openOperation(operation, trip),
      messages: new Map([...messages].map(([id, stored]) => [id, this.#openStored(stored, opened, trip)])),
      answered: answered.map((stored) => this.#openStored(stored, opened, trip)),
      blobs: new Set([...blobs, ...[...trip.held].flatMap(([hash, blob]) => (blob === null ? [] : [hash]))]),
    }
  }

  /** Names by number: they never change, and no number is given twice. */
  async #name(owner: Owner): Promise<string> {
    const [head] = await this.sources.of([owner]).sessions({ scope: owner.scope }, { limit: 1, before: owner.key + 1 })
    if (head?.key !== owner.key) return ''
    if (this.#names.size >= NAMES_KEPT_MAX) this.#names.clear()
    this.#names.set(owner.key, head.name)
    return head.name
  }

  #lineage(session: SessionHead | undefined, trip: Trip): Lineage {
    if (session === undefined) return NOBODY
    const ancestors = session.lineage.slice(0, -1)
    const unknown = ancestors.filter(({ key }) => !this.#names.has(key))
    if (unknown.length > 0)
      this.#lack(trip, async () => {
        for (const owner of unknown) await this.#name(owner)
      })
    const names = new Set([session.name, ...ancestors.map(({ key }) => this.#names.get(key) ?? '')])
    return { scope: session.scope, names }
  }

  #openHead(head: SessionHead | undefined, trip: Trip): SessionHead | undefined {
    return isSealed(head?.description) && head !== undefined
      ? this.#openKnown(this.#key(keyOfSealed(head.description ?? ''), trip), head)
      : head
  }

  /** Every change reads the session's row, and hardly one cares for what it is about: the last one is kept. */
  #openKnown(key: DataKey, head: SessionHead): SessionHead {
    if (this.#known.sealed !== head.description)
      this.#known = { sealed: head.description, description: openHead(key, head).description }
    return { ...head, description: this.#known.description }
  }

  #openOperation(row: OperationRow | undefined, trip: Trip): OperationRow | undefined {
    const id = row === undefined ? undefined : keyOfBytes(row.request)
    if (row === undefined || id === undefined) return row
    return { ...row, request: openBytes(this.#key(id, trip), ['operation', row.id], row.request) }
  }

  #openStored({ row, amendments }: Stored, { scope, names }: Lineage, trip: Trip): Stored {
    const open = <Row extends MessageRow | AmendmentRow>(each: Row): Row =>
      isSealed(each.body)
        ? this.#open(checkKeyOwner(this.#key(keyOfSealed(each.body), trip), scope, names), each)
        : each
    return { row: open(row), amendments: amendments.map(open) }
  }

  #open<Row extends MessageRow | AmendmentRow>(key: DataKey, row: Row): Row {
    const opened = openRow(key, row)
    if (opened.body.includes('"hash":"')) this.#blobs.saw(key, hashesIn(opened.body))
    return opened
  }

  #seal(key: DataKey, write: Write, head: SessionHead | undefined, trip: Trip): Write {
    const { session, messages, amendments, blobs, operation } = write
    const brought = new Set(blobs.map(({ hash }) => hash))
    const shown = [...messages, ...amendments.filter(({ kind }) => kind === 'revise')].flatMap(({ body }) =>
      hashesIn(body),
    )
    const named = [...new Set(shown)].filter((hash) => !brought.has(hash))
    const unknown = named.filter((hash) => !trip.held.has(hash))
    if (unknown.length > 0) this.#lack(trip, () => this.#hold(trip, session.scope, unknown))
    // A session has its own copy of what it shows: another's is forgotten with the other.
    const copies = named.flatMap((hash) => trip.held.get(hash) ?? [])
    this.#blobs.saw(key, shown)
    return {
      ...write,
      session: {
        ...session,
        // Of a session that is there, it stands already.
        description: head?.description ?? sealDescription(key, session.description),
      },
      messages: messages.map((row) => sealRow(key, row)),
      amendments: amendments.map((row) => sealRow(key, row)),
      blobs: [...blobs, ...copies].map((blob) => sealBlob(key, blob)),
      ...(operation === undefined
        ? {}
        : { operation: { ...operation, request: sealBytes(key, ['operation', operation.id], operation.request) } }),
    }
  }

  async #hold(trip: Trip, scope: string, hashes: readonly string[]): Promise<void> {
    if (hashes.length === 0) return
    const found = new Map((await this.#blobs.read(scope, hashes)).map((blob) => [blob.hash, blob]))
    for (const hash of hashes) trip.held.set(hash, found.get(hash) ?? null)
  }
}

function openHead(key: DataKey, head: SessionHead): SessionHead {
  checkKeyOwner(key, head.scope, new Set([head.name]))
  const description = JSON.parse(openText(key, ['description'], head.description ?? '')) as string | null
  return { ...head, description }
}
